"""Run the notebooks over versions of Python, torch and NumPy, and over processors.

    python3 -m bookproof.commands.versions [WORD ...]     (make versions ROWS="WORD ...")

Each row of chapters/where_this_holds.json is one strict run of nbval over all notebooks. WORDs select
rows that have them all: a role (oldest, between, pinned, newest), a Python (python-3.12), or `colab`:
Colab's image, with what it has. Environments are made in _build/versions and used again; remove one to
renew it (`newest` is the newest at the time it was made). A result is written as soon as there is one; a
row that could not be run keeps the reason, or a result of an earlier day. The exit status is 1 where a
notebook failed or nothing was run.

The weekly workflow keeps the file of each machine. To take its rows over:
    git merge-file chapters/where_this_holds.json THE_FILE_AS_IT_WAS THE_MACHINE'S_FILE
"""

import json
import os
import platform
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

from bookproof.commands.environment import install, python_of, reason
from bookproof.project import CHAPTERS, ROOT, pinned
from bookproof.sphinx.version_table import KEYS, PAGE, digest, verdict, wanted

DATA = CHAPTERS / f"{PAGE}.json"
FOLDER = ROOT / "_build" / "versions"
COLAB = "Colab's image"
HERE = {"Darwin": "macOS"}.get(platform.system(), platform.system())
TOOLS = [f"{name}=={pinned(name)}" for name in ("matplotlib", "nbval")]
TOOLS += [f"{name}=={pinned(name, 'tests/requirements.txt')}" for name in ("pytest", "pytest-xdist")]
ASK = """
import json, platform
from importlib.metadata import version
have = {name: version(name).split("+")[0] for name in ("torch", "numpy", "matplotlib")}
print(json.dumps({"python": platform.python_version(), **have}))
"""


def call(command, **options):
    """The finished process of `command`, its output kept."""
    return subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", **options)


def requirement(row, name):
    """What pip is asked for, of the package `name`."""
    return name if row[name] == "newest" else f"{name}=={wanted(row, name)}"


def make_environment(row):
    """The Python of an environment for `row`, made or completed; RuntimeError if it cannot be."""
    torch, numpy = requirement(row, "torch"), requirement(row, "numpy")
    folder = FOLDER / f"python-{row['python']}-{torch}-{numpy}".replace("==", "-")
    here = "%d.%d" % sys.version_info[:2] == row["python"]
    base = sys.executable if here else shutil.which(f"python{row['python']}")
    if base is None or call([base, "-m", "venv", folder]).returncode:
        raise RuntimeError(f"no Python {row['python']} with venv on that machine")
    if not install(folder, torch, numpy, *TOOLS):
        raise RuntimeError(reason(folder))
    return python_of(folder)


def results(report, notebooks):
    """(passed, failed, the first cell that failed) over `notebooks`, from pytest's JUnit file.

    A notebook passes where every cell of it was run and passed.
    """
    ran, failed = set(), []
    for case in ElementTree.parse(report).iter("testcase"):
        notebook = case.get("classname").removeprefix("chapters.")
        ran.add(notebook)
        if len(case):
            failed.append((notebook, f"{notebook} {case.get('name')}"))
    failed += [(name, f"{name}, of which no cell was run") for name in sorted(set(notebooks) - ran)]
    bad = len({name for name, _ in failed})
    return len(notebooks) - bad, bad, failed[0][1] if failed else ""


def run(row, python, variables):
    """The result of running the notebooks under `python`, of all `variables` with those of `row` alone."""
    report = FOLDER / "report.xml"
    report.unlink(missing_ok=True)
    text, have = digest(CHAPTERS), json.loads(call([python, "-c", ASK]).stdout)
    rest = {name: value for name, value in os.environ.items() if name not in variables}
    command = [python, "-m", "pytest", "chapters", "-q", "--tb=short", f"--junitxml={report}"]
    done = call(command, cwd=ROOT, env=rest | {"PYTHONUTF8": "1"} | row["environment"])
    notebooks = [path.name for path in CHAPTERS.glob("*.ipynb")]
    if report.exists():
        passed, failed, first = results(report, notebooks)
    else:
        passed, failed, first = 0, len(notebooks), f"pytest ended with status {done.returncode}"
    if failed:
        print(done.stdout + done.stderr)
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "text": text,
        "machine": platform.machine(),
        "figures": have.pop("matplotlib") == pinned("matplotlib"),
        **have,
        "passed": passed,
        "failed": failed,
        "first": first,
    }


def attempt(row, variables):
    """Run a row and keep its result, or why it has none; whether all notebooks passed, None if not run."""
    what = " ".join(row[name] for name in KEYS)
    try:
        if (needs := row.get("needs")) and needs not in Path("/proc/cpuinfo").read_text(encoding="utf-8"):
            raise RuntimeError(f"that machine's processor has no {needs}")
        python = sys.executable if row["system"] == COLAB else make_environment(row)
    except RuntimeError as error:
        print(f"versions: {what}: not run: {error}", flush=True)
        if "ran" not in row:
            row["not_run"] = str(error)
        return None
    row.pop("not_run", None)
    row["ran"] = run(row, python, variables)
    print(f"versions: {what}: {verdict(row['ran'], row['ran']['text'])}", flush=True)
    return row["ran"]["failed"] == 0


def main(words):
    rows = json.loads(DATA.read_text(encoding="utf-8"))
    system = COLAB if "colab" in words else HERE
    chosen = [row for row in rows if row["system"] == system]
    chosen = [row for row in chosen if set(words) <= {row["role"], f"python-{row['python']}"}]
    if not chosen:
        return "versions: no row has all of these words: " + " ".join(words)
    passed, variables = [], {name for row in rows for name in row["environment"]}
    FOLDER.mkdir(parents=True, exist_ok=True)
    for row in chosen:
        passed.append(attempt(row, variables))
        DATA.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return int(False in passed or True not in passed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
