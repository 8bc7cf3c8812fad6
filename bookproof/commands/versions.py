"""Run the notebooks over versions of Python, torch and NumPy, and over processors.

    python3 -m bookproof.commands.versions [--only WORD ...]     (make versions)
    python3 -m bookproof.commands.versions --colab              in Colab's image, with what it has
    python3 -m bookproof.commands.versions --take FILE ...    results that another machine wrote

Each row of chapters/where_this_holds.json is one strict run of nbval over all notebooks, as they
stood at the start. Environments are made in _build/versions and used again; remove one to renew it
(`newest` is the newest at the time it was made). A result is written as soon as there is one; a row
that could not be run keeps the reason, or a result of an earlier day. WORDs select rows that have them
all: a role (oldest, between, pinned, newest), a version (python-3.12, torch-2.2.2), a setting ('one
thread'), or `plain` for none. The exit status is 1 where a notebook failed or nothing was run.
"""

import argparse
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
from bookproof.sphinx.version_table import KEYS, PAGE, digest, read, wanted

DATA = ROOT / "chapters" / f"{PAGE}.json"
CACHE = ROOT / "_build/versions"
BOOK = ("bookproof", "chapters", "conftest.py", "pytest.ini", "requirements.txt")  # what a run needs
COLAB = "Colab's image"
HERE = {"Darwin": "macOS"}.get(platform.system(), platform.system())
PINNED = {name: pinned(name) for name in ("matplotlib", "nbval")}
PINNED |= {name: pinned(name, "tests/requirements.txt") for name in ("pytest", "pytest-xdist")}
PACKAGES = ("torch", "numpy", *PINNED, "ipykernel")


def take(rows, results):
    """Put the latest of `results` into the rows that they belong to."""
    for row in rows:
        for other in results:
            same = all(row[key] == other[key] for key in KEYS)
            if same and "ran" in other and other["ran"]["date"] >= row.get("ran", {"date": ""})["date"]:
                row["ran"] = other["ran"]
                row.pop("not_run", None)


def write(rows):
    """Replace the data file whole."""
    scratch = DATA.with_suffix(".tmp")
    scratch.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(scratch, DATA)


def call(command, **options):
    """The finished process of `command`, its output kept."""
    return subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", **options)


def installed(python):
    """Versions of PACKAGES and of Python itself under `python`; none if one is missing."""
    ask = (
        "import json, platform; from importlib.metadata import version;"
        f"have = {{name: version(name).split('+')[0] for name in {PACKAGES}}};"
        "print(json.dumps({'python': platform.python_version(), **have}))"
    )
    try:
        return json.loads(call([python, "-c", ask]).stdout)
    except (OSError, ValueError):
        return {}


def make_environment(row):
    """The Python of an environment for `row`, made if need be; RuntimeError if it cannot be."""
    versions = PINNED | {name: wanted(row, name) for name in ("torch", "numpy") if row[name] != "newest"}
    torch, numpy = wanted(row, "torch"), wanted(row, "numpy")
    folder = CACHE / f"python-{row['python']}-torch-{torch}-numpy-{numpy}"
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    if versions.items() <= installed(python).items():
        return python
    here = "%d.%d" % sys.version_info[:2] == row["python"]
    base = sys.executable if here else shutil.which(f"python{row['python']}")
    if base is None:
        raise RuntimeError(f"no Python {row['python']} on that machine")
    print(f"versions: making {folder}", flush=True)
    if call([base, "-m", "venv", folder]).returncode:
        raise RuntimeError(f"the venv module of Python {row['python']} did not work")
    pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    packages = [f"{name}=={versions[name]}" if name in versions else name for name in PACKAGES]
    if HERE == "Linux":  # PyPI's torch brings gigabytes of CUDA
        call([*pip, "--no-deps", "--retries=1", "--timeout=15", "--index-url", CPU_INDEX, packages[0]])
    done = call([*pip, *packages])
    if done.returncode:
        errors = re.findall(r"(?m)^ERROR: (.*)", done.stderr) or ["no reason given"]
        raise RuntimeError(f"pip could not install it: {errors[-1]}")
    return python


def unfit(environment):
    """Why this processor cannot take the variables of a setting, or None."""
    if environment.keys() - {"OMP_NUM_THREADS"} and platform.machine().lower() not in ("x86_64", "amd64"):
        return "for x86-64 processors alone"
    if "avx512" in environment.values() and "avx512f" not in Path("/proc/cpuinfo").read_text():
        return "that machine's processor has no AVX-512"
    return None


def first_difference(report):
    """One line of nbval's report on a cell: which cell, and what differs first."""
    report = re.sub(r"(\x1b|#x1B)\[[\d;]*m", "", report)
    place = re.search(r"\S+\.ipynb In \[\d+\]", report)
    lines = report.split("Traceback:")[-1].splitlines()
    told = [line.strip() for line in lines if line.strip()] or ["no report"]
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


def run(row, python, book, knobs):
    """The result of running the notebooks of `book` under `python` with the setting of `row` alone."""
    have, report, chapters = installed(python), book / "report.xml", book / "chapters"
    report.unlink(missing_ok=True)
    environment = {name: value for name, value in os.environ.items() if name not in knobs}
    command = [python, "-m", "pytest", "chapters", "-q", "--tb=short", f"--junitxml={report}"]
    done = call(command, cwd=book, env=environment | {"PYTHONUTF8": "1"} | row["environment"])
    notebooks = [path.name for path in chapters.glob("*.ipynb")]
    if done.returncode in (0, 1) and report.exists():
        passed, failed, first = results(report, notebooks)
    else:
        last = (done.stderr + done.stdout).strip().splitlines()[-1:] or ["nothing"]
        first = f"pytest ended with status {done.returncode} and said: {last[0]}"
        passed, failed = 0, len(notebooks)
    return {
        "date": datetime.now(UTC).isoformat(timespec="minutes"),
        "text": digest(chapters),
        "machine": platform.machine(),
        **{name: have[name] for name in ("python", "torch", "numpy", "matplotlib")},
        "figures": have["matplotlib"] == PINNED["matplotlib"],
        "passed": passed,
        "failed": failed,
        "first": first,
    }


def snapshot():
    """A copy of what a run needs, so that writing may go on; returns its folder."""
    book = CACHE / "book"
    shutil.rmtree(book, ignore_errors=True)
    for name in BOOK:
        source = ROOT / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, book / name)
    return book


def words(row):
    """What `--only` may name in a row."""
    versions = {f"{name}-{row[name]}" for name in ("python", "torch", "numpy")}
    return versions | {row["role"], row["setting"] or "plain"}


def attempt(row, book, knobs):
    """Run a row and keep its result, or the reason why it has none; returns the result or None."""
    what = " ".join(filter(None, (row[name] for name in KEYS)))
    try:
        if reason := unfit(row["environment"]):
            raise RuntimeError(reason)
        ran = run(row, sys.executable if row["system"] == COLAB else make_environment(row), book, knobs)
    except RuntimeError as error:
        if "ran" not in row:
            row["not_run"] = str(error)
        print(f"versions: {what}: not run: {error}", flush=True)
        return None
    row["ran"] = ran
    row.pop("not_run", None)
    counts = f"{ran['passed']} passed, {ran['failed']} failed"
    print(f"versions: {what}: {counts} {ran['first']}".rstrip(), flush=True)
    return ran


def main(arguments):
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD")
    parser.add_argument("--colab", action="store_true")
    parser.add_argument("--take", nargs="+", default=[], metavar="FILE", type=Path)
    options = parser.parse_args(arguments)
    try:
        rows, *taken = (read(path) for path in (DATA, *options.take))
    except ValueError as error:
        sys.exit(f"versions: {error}")
    if taken:
        take(rows, sum(taken, []))
        write(rows)
        return 0
    system = COLAB if options.colab else HERE
    chosen = [row for row in rows if row["system"] == system and set(options.only) <= words(row)]
    if not chosen:
        sys.exit("versions: no row has all of these words: " + " ".join(options.only))
    book, ran, knobs = snapshot(), [], {knob for row in rows for knob in row["environment"]}
    for row in chosen:
        ran.append(attempt(row, book, knobs))
        write(rows)
    return int(not any(ran) or any(result and result["failed"] for result in ran))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
