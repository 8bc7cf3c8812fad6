"""The author's loop: settings, lint, the notebooks that changed since they were last proved, the build.

    python -m bookproof.commands.check [NOTEBOOK ...]      (`make check`; those named run anyhow)

Its first line says what it will do. The notebooks run while the build does.
What was proved is kept in _build/proved.json: of each notebook the digest of
its code and outputs, and the versions of what it ran with.
"""

import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from bookproof.commands import book
from bookproof.notebook import NotANotebook, Notebook
from bookproof.project import ROOT, notebooks

PROVED = ROOT / "_build" / "proved.json"
RAN_WITH = ("torch", "numpy", "matplotlib", "ipykernel", "nbval")


def digest(path):
    """What a notebook is proved with: what nbval looks at in it, and the versions that it runs with."""
    try:
        return " ".join([Notebook(path).digest, *map(version, RAN_WITH)])
    except NotANotebook:  # the lint tells it
        return None


def proved():
    """The digests of the notebooks as they were last proved, by file name."""
    try:
        return json.loads(PROVED.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def main(names):
    known, paths = proved(), notebooks()
    digests = {path: digest(path) for path in paths}
    named = [Path(name).resolve() for name in names]
    if strange := [str(path) for path in named if path not in paths]:
        return f"check: {strange[0]} is no notebook that _toc.yml names."
    todo = named or [path for path in paths if digests[path] != known.get(path.name)]
    what = ", ".join(path.name for path in todo) or "no notebook, since none has changed"
    print(f"check: the settings, the lint, {what}, the build", flush=True)
    if found := book.faults():
        return "\n".join(found)
    workers = ["-n0"] if len(todo) == 1 else []
    pytest = [sys.executable, "-m", "pytest", "-q", "--no-header", *workers, *map(str, todo)]
    running = subprocess.Popen(pytest, cwd=ROOT, stdout=subprocess.PIPE, text=True) if todo else None
    status = book.build()
    if running:
        print(running.communicate()[0], end="", flush=True)
        status = running.returncode or status
        if running.returncode == 0:
            known |= {path.name: digests[path] for path in todo}
            PROVED.write_text(json.dumps(known, indent=1), encoding="utf-8")
    return status


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit("check: interrupted")
