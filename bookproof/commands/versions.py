"""Run the notebooks over versions of Python, torch and NumPy, and over processors.

    python3 -m bookproof.commands.versions [--cache FOLDER] [--only WORD ...]     (make versions)
    python3 -m bookproof.commands.versions --colab              in Colab's image, with what it has
    python3 -m bookproof.commands.versions --take FILE ...    results that another machine wrote

Each row of the matrix is one strict run of nbval over all notebooks, as they
stood at the start. Environments are made in FOLDER and used again; remove one
to renew it (`newest` is the newest at the time it was made). Results go to
chapters/where_this_holds.json, each row as soon as it was run; a row that
could not be run keeps the reason, and a result of an earlier day. WORDs
select rows that have them all: a role (oldest, between, pinned, newest), a
version (python-3.12, torch-2.2.2), a setting ('one thread'), or `plain` for none. The exit
status is 1 where a notebook failed or nothing was run.
"""

import argparse
import glob
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

from bookproof.commands.environment import CPU_INDEX
from bookproof.project import ROOT, pinned
from bookproof.sphinx.version_table import KEYS, digest, read

DATA = ROOT / "chapters" / "where_this_holds.json"
BOOK = ("bookproof", "chapters", "conftest.py", "pytest.ini", "requirements.txt")  # what a run needs
SYSTEMS = {"Linux": "Linux", "Darwin": "macOS", "Windows": "Windows"}
COLAB = "Colab's image"
HERE = SYSTEMS.get(platform.system(), platform.system())
TESTING = "tests/requirements.txt"
PINNED = {name: pinned(name) for name in ("torch", "numpy", "matplotlib", "nbval")}
PINNED |= {name: pinned(name, TESTING) for name in ("pytest", "pytest-xdist")}
PACKAGES = (*PINNED, "ipykernel")

SETTINGS = {  # chapters/where_this_holds.md says what they are
    "": {},
    "Prescott kernels": {"OPENBLAS_CORETYPE": "Prescott"},
    "Sandybridge kernels": {"OPENBLAS_CORETYPE": "Sandybridge"},
    "Haswell kernels": {"OPENBLAS_CORETYPE": "Haswell"},
    "plain loops": {"ATEN_CPU_CAPABILITY": "default"},
    "AVX2 loops": {"ATEN_CPU_CAPABILITY": "avx2"},
    "compatible MKL": {"MKL_CBWR": "COMPATIBLE"},
    "one thread": {"OMP_NUM_THREADS": "1"},
    "two threads": {"OMP_NUM_THREADS": "2"},
    "AVX512 kernels": {"OPENBLAS_CORETYPE": "SkylakeX", "ATEN_CPU_CAPABILITY": "avx512"},
}
OLDEST = "oldest processor"
SETTINGS[OLDEST] = {}
for name in ("Prescott kernels", "plain loops", "compatible MKL", "one thread"):
    SETTINGS[OLDEST] |= SETTINGS[name]
KNOBS = {name for setting in SETTINGS.values() for name in setting}
# role, torch, NumPy, Pythons: those for which there are wheels
ENVIRONMENTS = (
    ("oldest", "2.2.2", "1.26.4", ("3.11", "3.12")),
    ("between", "2.6.0", "2.1.3", ("3.11", "3.12", "3.13")),
    ("pinned", PINNED["torch"], "1.26.4", ("3.11", "3.12")),
    ("pinned", PINNED["torch"], PINNED["numpy"], ("3.11", "3.12", "3.13")),
    ("newest", "newest", "newest", ("3.11", "3.12", "3.13")),
)


def to_try(system, python="", role="", torch="", numpy="", setting=""):
    return {"system": system, "python": python, "role": role, "torch": torch, "numpy": numpy, "setting": setting}


def matrix():
    """Every row that is to be tried, in the order of the page, without results."""
    for system in SYSTEMS.values():
        for role, torch, numpy, pythons in ENVIRONMENTS:
            for python in pythons:
                settings = [""]
                if (system, python) == ("Linux", "3.11"):
                    pinned = (torch, numpy) == (PINNED["torch"], PINNED["numpy"])
                    settings = SETTINGS if pinned else ["", OLDEST]
                for setting in settings:
                    yield to_try(system, python, role, torch, numpy, setting)
    yield to_try(COLAB, role="as it comes")


def key(row):
    return tuple(row[name] for name in sorted(KEYS))


def merge(rows, *files):
    """The matrix `rows`, each with the latest result that `files` hold for it, or the last reason for none."""
    known = {}
    for row in (row for file in files for row in file):
        old = known.get(key(row), {}).get("ran", {"date": ""})
        if row.get("ran", {"date": ""})["date"] >= old["date"]:
            known[key(row)] = row
    return [known.get(key(row)) or {**row, "not_run": reason(row)} for row in rows]


def reason(row):
    """Why a row was not run, where nothing more is known."""
    return "not tried so far" if row["system"] == HERE else "no such machine was at hand; left to the weekly workflow"


def write(rows):
    """Replace the data file whole."""
    scratch = DATA.with_suffix(".tmp")
    scratch.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(scratch, DATA)


def call(command, **options):
    """The finished process of `command`, its output kept."""
    return subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False, **options)


def interpreter(version):
    """Path of a Python of this version, such as 3.12, or None."""
    pyenv = os.environ.get("PYENV_ROOT", os.path.expanduser("~/.pyenv"))
    candidates = [sys.executable, shutil.which(f"python{version}"), *glob.glob(f"{pyenv}/versions/{version}.*/bin/python3")]
    ask = "import sys; print('%d.%d' % sys.version_info[:2])"
    for path in filter(None, candidates):
        if call([path, "-c", ask]).stdout.strip() == version:
            return path
    return None


def installed(python):
    """Versions of PACKAGES and of Python itself under `python`; None if one is missing."""
    ask = (
        "import json, platform; from importlib.metadata import version;"
        f"print(json.dumps({{'python': platform.python_version(), **{{p: version(p).split('+')[0] for p in {PACKAGES}}}}}))"
    )
    try:
        return json.loads(call([python, "-c", ask]).stdout)
    except (OSError, ValueError):
        return None


def make_environment(row, cache):
    """The Python of an environment for `row`, made if need be; RuntimeError with the reason if it cannot be."""
    folder = Path(cache) / f"python-{row['python']}-torch-{row['torch']}-numpy-{row['numpy']}"
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    wanted = {name: row[name] for name in ("torch", "numpy") if row[name] != "newest"}
    wanted |= {name: PINNED[name] for name in PINNED if name not in ("torch", "numpy")}
    if wanted.items() <= (installed(python) or {}).items():
        return python
    base = interpreter(row["python"])
    if base is None:
        raise RuntimeError(f"no Python {row['python']} on that machine")
    print(f"versions: making {folder}", flush=True)
    if call([base, "-m", "venv", folder]).returncode:
        raise RuntimeError(f"the venv module of Python {row['python']} did not work")
    pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    packages = [f"{name}=={wanted[name]}" if name in wanted else name for name in PACKAGES]
    if HERE == "Linux":  # PyPI's torch brings gigabytes of CUDA
        cpu = ["--no-deps", "--retries=1", "--timeout=15", "--index-url", CPU_INDEX, packages[0]]
        call([*pip, *cpu])
    done = call([*pip, *packages])
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        raise RuntimeError("pip could not install it: " + (errors or ["ERROR: no reason given"])[-1].removeprefix("ERROR: "))
    return python


def unfit(setting):
    """Why this processor cannot take a setting, or None."""
    if SETTINGS[setting].keys() - {"OMP_NUM_THREADS"} and platform.machine().lower() not in ("x86_64", "amd64"):
        return "for x86-64 processors alone"
    if setting == "AVX512 kernels" and "avx512f" not in Path("/proc/cpuinfo").read_text():
        return "that machine's processor has no AVX-512"
    return None


def first_difference(report):
    """One line of nbval's report on a cell: which cell, and what differs first."""
    report = re.sub(r"(\x1b|#x1B)\[[\d;]*m", "", report)
    place = re.search(r"\S+\.ipynb In \[\d+\]", report)
    told = [line.strip() for line in report.split("Traceback:")[-1].splitlines() if line.strip()] or ["no report"]
    stored, got = (next((line[2:] for line in told if line.startswith(sign)), None) for sign in ("+ ", "- "))
    if stored is None and got is None:
        what = re.sub(r": _build/\S+", "", told[-1 if "an exception" in report else 0])
    else:
        what = f"stored {stored!r}, got {got!r}"
    return f"{place.group() if place else 'somewhere'}: {what}"


def results(report, notebooks):
    """(passed, failed, first difference) over `notebooks`, from pytest's JUnit file.

    A notebook passes where every cell of it was run and passed.
    """
    passed, bad, first = set(), set(), ""
    for case in ElementTree.parse(report).iter("testcase"):
        name = next((name for name in notebooks if name in case.get("classname")), None)
        (bad if len(case) else passed).add(name)
        if len(case) and not first:
            first = first_difference(case[0].text or case[0].get("message") or "")
    good = set(notebooks) & passed - bad
    lost = sorted(set(notebooks) - passed - bad)
    first = first or (f"{lost[0]}: none of its cells was run" if lost else "")
    return len(good), len(notebooks) - len(good), first


def run(row, python, book):
    """`row` with the result of running the notebooks of `book` under `python`."""
    have = installed(python)
    report = book / "report.xml"
    report.unlink(missing_ok=True)
    environment = {name: value for name, value in os.environ.items() if name not in KNOBS}
    environment |= {"PYTHONUTF8": "1", **SETTINGS[row["setting"]]}
    command = [python, "-m", "pytest", "chapters", "-q", "--tb=short", f"--junitxml={report}"]
    done = call(command, cwd=book, env=environment)
    chapters = book / "chapters"
    notebooks = [path.name for path in chapters.glob("*.ipynb")]
    if done.returncode in (0, 1) and report.exists():
        passed, failed, first = results(report, notebooks)
    else:
        last = (done.stderr + done.stdout).strip().splitlines()[-1:] or ["nothing"]
        passed, failed, first = 0, len(notebooks), f"pytest ended with status {done.returncode} and said: {last[0]}"
    ran = {
        "date": datetime.now(UTC).isoformat(timespec="minutes"),
        "text": digest(chapters),
        "machine": platform.machine(),
        **{name: have[name] for name in ("python", "torch", "numpy", "matplotlib")},
        "figures": have["matplotlib"] == PINNED["matplotlib"],
        "passed": passed,
        "failed": failed,
        "first": first,
    }
    return {**row, "ran": ran}


def attempt(row, book, cache):
    """`row` with its result, or with the reason why it has none."""
    try:
        if unfit(row["setting"]):
            raise RuntimeError(unfit(row["setting"]))
        return run(row, sys.executable if row["system"] == COLAB else make_environment(row, cache), book)
    except RuntimeError as error:
        return {**row, "not_run": str(error)}


def snapshot(cache):
    """A copy of what a run needs, so that writing may go on; returns its folder."""
    book = Path(cache) / "book"
    shutil.rmtree(book, ignore_errors=True)
    for name in BOOK:
        source = ROOT / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, book / name)
    return book


def words(row):
    """What `--only` may name in a row."""
    return {row["role"], *(f"{name}-{row[name]}" for name in ("python", "torch", "numpy")), row["setting"] or "plain"}


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", default=ROOT / "_build" / "versions", type=lambda name: Path(name).resolve())
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD")
    parser.add_argument("--colab", action="store_true")
    parser.add_argument("--take", nargs="+", default=[], metavar="FILE")
    options = parser.parse_args(arguments)
    rows = list(matrix())
    try:
        known = [read(DATA)] if DATA.exists() else []
        known += [[row for row in read(path) if "ran" in row] for path in options.take]
    except ValueError as error:
        sys.exit(f"versions: {error}")
    write(merge(rows, *known))
    if options.take:
        return 0
    system = COLAB if options.colab else HERE
    chosen = [row for row in rows if row["system"] == system and set(options.only) <= words(row)]
    if not chosen:
        sys.exit("versions: no row has all of these words: " + " ".join(options.only))
    book, tried = snapshot(options.cache), []
    for row in chosen:
        tried.append(attempt(row, book, options.cache))
        write(merge(rows, *known, tried))
        what = " ".join(row[name] for name in ("python", "torch", "numpy", "setting") if row[name]) or system
        ran = tried[-1].get("ran")
        told = f"{ran['passed']} passed, {ran['failed']} failed {ran['first']}" if ran else f"not run: {tried[-1]['not_run']}"
        print(f"versions: {what}: {told}".rstrip(), flush=True)
    ran = [row["ran"] for row in tried if "ran" in row]
    return int(not ran or any(result["failed"] for result in ran))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
