"""Move the book to another version of a package: all that a program can do of it.

    python -m bookproof.commands.upgrade torch 2.14.1       (make upgrade PACKAGE=torch VERSION=2.14.1)

Writes the pin wherever it stands, installs it, lets the packages that it
brings follow, runs the notebooks anew, and says what to look at. Where it
cannot be installed, every file is left as it was.
"""

import re
import subprocess
import sys
from importlib.metadata import distributions

from bookproof.commands import environment
from bookproof.commands.check import RAN_WITH
from bookproof.project import ROOT, pinned

CONSTRAINTS = ROOT / "constraints.txt"
PINS = [ROOT / name for name in ("requirements.txt", "tests/requirements.txt", ".binder/requirements.txt")]


def pin(package):
    """A pattern for the line that pins `package`: its name, its version; not a local part such as +cpu."""
    return re.compile(rf"(?m)^({re.escape(package)}==)([^\s#+]+)", re.IGNORECASE)


def write(path, package, version):
    """Write the new pin into the file at `path`, if it pins the package."""
    text = path.read_text(encoding="utf-8")
    path.write_text(pin(package).sub(rf"\g<1>{version}", text), encoding="utf-8")


def main(package, version):
    before = {path: path.read_text(encoding="utf-8") for path in [*PINS, CONSTRAINTS]}
    old = pin(package).search("\n".join(before.values()))
    if not old:
        return f"upgrade: no file pins {package}. Mend the name."
    print(f"upgrade: {package} {old[2]} -> {version}", flush=True)
    for path in before:
        write(path, package, version)
    files = [part for name in environment.REQUIREMENTS.values() for part in ("-r", name)]
    wanted, torch = f"{package}=={version}", f"torch=={pinned('torch')}"
    if not environment.install(environment.VENV, torch, wanted, *files):
        for path, text in before.items():
            path.write_text(text, encoding="utf-8")
        why = environment.reason(environment.VENV)
        return f"upgrade: {wanted} could not be installed, so all is as it was: {why}."
    for found in distributions():
        write(CONSTRAINTS, found.name, found.version.split("+")[0])
    if package in RAN_WITH:
        subprocess.call([sys.executable, "-m", "bookproof.commands.outputs"], cwd=ROOT)
    print("\nLook at\n- what changed:", flush=True)
    subprocess.call(["git", "--no-pager", "diff", "--stat"], cwd=ROOT)
    print(f"- where the text names {old[2]}:", flush=True)
    files = "*.md", "*.ipynb", "*.cff", "*.yml"
    subprocess.call(["git", "--no-pager", "grep", "-nIF", old[2], "--", *files], cwd=ROOT)
    print("- then `make test`, and `make versions ROWS=pinned` for *Where this holds*.")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("upgrade: name both, as in `make upgrade PACKAGE=torch VERSION=2.14.1`.")
    sys.exit(main(*sys.argv[1:]))
