"""Plant small faults in copies of the book, and show that the checks catch each.

    python tests/faults.py [CHECK ...]      (default: all; `make faults`)

The faults stand in planted.py. Each check first runs on a copy without any
fault and must find nothing there. A fault is caught only if a message of its
check begins with its place, notebook and cell, and says what it should. The
table is printed, and a full run keeps it in faults.md. The exit status is 0
if every fault was caught.

Faults in one copy: those that one build or one run of the exercises can tell
apart, each in a cell of its own. All others have a copy to themselves.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

from bookproof.project import ROOT
for folder in ("_ext", "_tools", "tests"):
    sys.path.insert(0, str(ROOT / folder))

from bookproof import lint
from tests.conftest import build
from bookproof.likeness import comparing
from bookproof.commands.planted import FAULTS
from bookproof.commands.planting import Book, NoPlace
from test_cells import watched_page

TABLE = ROOT / "tests" / "faults.md"
WIDTH = 150  # characters of a message in the table
CHANGED = re.compile(r"(?m)^ *([+-]) (.*\S.*)$")  # a line of pytest's comparison; + stored, - made
OTHER = re.compile(  # what else nbval says of a cell
    r"(?m)^\s*(the picture [^:]*|\d+ pictures .*|Missing .*|Unexpected .*|dissimilar .*\"|\w+(?:Error|Exception): .*)"
)


def run(folder, *command):
    """Run a command in `folder`; what it printed, without colours."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return re.sub(r"\x1b\[[\d;]*m", "", done.stdout + done.stderr)


def tests(folder, *names):
    """Run tests or notebooks in `folder`; (folder, name, text) of each that fails."""
    report = folder / "report.xml"
    said = run(folder, sys.executable, "-m", "pytest", "-q", f"--junitxml={report}", *names)
    if not report.exists():
        sys.exit(f"faults: pytest did not run:\n{said}")
    for case in ElementTree.parse(report).iter("testcase"):
        for failure in [*case.findall("failure"), *case.findall("error")]:
            yield case.get("classname"), case.get("name"), re.sub(r"#x1B\[[\d;]*m", "", failure.text or "")


# What each check finds, as lines that begin with a place


def reason(text):
    """The line of a failed test's text that says why it failed."""
    said = re.findall(r"(?m)^E +(.*)", text) or [text]
    return next((line for line in said if re.match(r"[\w.]*(Error|Exception)\b", line)), said[0])


def lint_findings(book):
    """What `make book` says before it builds."""
    changed = sorted(book.changed) or sorted((book.folder / "chapters").glob("*.*"))
    found = [line for path in changed if path.suffix == ".ipynb" for line in lint.lint(path)]
    found += [line for path in changed if path.suffix == ".md" for line in lint.lint_page(path)]
    return found + lint.shared_definitions(sorted((book.folder / "chapters").glob("*.ipynb")))


def shape_findings(book):
    """What the comparison of shape comments with the values says."""
    changed = book.changed or {page.path for page in book.pages}
    return [line for path in sorted(changed) for line in watched_page(path)[0]]


def build_findings(book):
    """What the build says."""
    done = build(book.folder, book.folder / "built")
    said = re.sub(r"\x1b\[[\d;]*m", "", done.stdout + done.stderr).replace(f"{book.folder}/", "")
    found = []
    for line in said.splitlines():
        located = re.search(r"([\w.-]+\.(?:ipynb|md|yml|bib)[^:]*)(?::(\d+))?: (?:WARNING|ERROR|CRITICAL): (.*)", line)
        other = re.search(r"(?:WARNING|[Ee]rror): (.*)", line)
        if located:
            place = f"{located[1]} line {located[2]}" if located[2] else located[1]
            found.append(f"{place}: {located[3]}")
        elif other:
            found.append(other[1])
    return found if done.returncode else []


def exercise_findings(book):
    """What the tests of the exercises say."""
    for _, name, text in tests(book.folder, "tests/test_exercises.py"):
        test, page, number = re.match(r"(?:test_)?([^[]*)(?:\[(\w+?)(?:-(\d+))?\])?", name).groups()
        place = f"{page}.ipynb exercise {number}" if number else f"{page}.ipynb exercises"
        yield f"{place}: {test.replace('_', ' ')}: {reason(text)}"


def config_findings(book):
    """What the tests of the settings say."""
    for _, name, text in tests(book.folder, "tests/test_config.py"):
        said = " ".join(re.findall(r"(?m)^E +(.*)", text))
        yield f"_config.yml: {name.removeprefix('test_').replace('_', ' ')}: {said}"


def quoted_findings(book):
    """What the test of the lines that the course quotes says."""
    for _, name, text in tests(book.folder, "tests/test_notebooks.py", "-k", "quoted"):
        page = name.partition("[")[2].split("-")[0]
        yield f"{page}.ipynb: {reason(text)}"


def node_findings(book):
    """What the tests of the live figures' core say."""
    said = run(book.folder, "node", "--test", "--test-reporter=tap", "tests/figures/core.test.js")
    return re.findall(r"(?m)^ *not ok \d+ - (.*)", said)


def details(text):
    """What differs in a cell that nbval finds changed, as at most one line."""
    lines = dict(reversed(CHANGED.findall(text.partition("test_output failed:")[2])))  # the first of each
    if lines:
        return [f'stored "{lines.get("+", "")}", made "{lines.get("-", "")}"']
    return OTHER.findall(text)[:1]


def notebook_findings(folder):
    """What nbval says of the notebooks in folder/planted, in one run: a list for each of its folders, by name."""
    found = {path.name: [] for path in sorted((folder / "planted").iterdir())}
    for where, name, text in tests(folder, "planted"):
        named = re.search(r"(\S+\.ipynb In \[\d+\]): (.*)", text)
        line = f"{named[1]}: {named[2].lower().removeprefix('cell ')}" if named else f"{name}: {text}"
        found[where.split(".")[1]].append(": ".join([line, *details(text)]))
    return found


ONE_COPY = ("build", "exercises")  # all their faults are told apart in one copy
FINDINGS = {
    "lint": lint_findings,
    "quoted": quoted_findings,
    "shapes": shape_findings,
    "node": node_findings,
    "config": config_findings,
    "exercises": exercise_findings,
    "build": build_findings,
    "alone": build_findings,
}
CHECKS = {  # in this order, and what the table calls them
    "lint": "_tools/lint.py",
    "quoted": "tests/test_notebooks.py",
    "shapes": "tests/test_cells.py",
    "node": "tests/test_figures_core.py",
    "config": "tests/test_config.py",
    "exercises": "tests/test_exercises.py",
    "build": "build",
    "alone": "build",
    "nbval": "nbval",
}


def caught_by(fault, place, found):
    """The first line that names the place and says what is wrong, or None."""
    begins = re.compile(re.escape(place) + r"(?!\d)")
    return next((line for line in found if begins.match(line) and re.search(fault.says, line)), None)


def planted(root, folder, faults):
    """A copy of the book with these faults; the book and the place of each."""
    book, places = Book(root, folder), []
    for fault in faults:
        try:
            places.append(fault.plant(book))
        except NoPlace as error:
            raise NoPlace(f"{fault.kind}: {fault.what}: {error}") from None
    return book.save(), places


def in_own_copies(root, folder, faults, use):
    """Plant each fault in a copy of its own; (place, what `use` makes of that book) of each."""
    for fault in faults:
        book, (place,) = planted(root, folder / "copy", [fault])
        yield place, use(book)
        shutil.rmtree(book.folder)


def try_notebooks(root, folder, faults):
    """Run nbval once, on the notebooks without a fault and on the one that each fault changed."""
    run = Book(root, folder / "run").folder

    def put_aside(book, name):
        for path in book.changed or {page.path for page in book.pages}:
            (run / "planted" / name).mkdir(parents=True, exist_ok=True)
            shutil.copy(path, run / "planted" / name)
        return name

    names = iter(f"f{number:03}" for number in range(len(faults)))
    put_aside(Book(root, folder / "clean"), "clean")
    copies = list(in_own_copies(root, folder, faults, lambda book: put_aside(book, next(names))))
    found = notebook_findings(run)
    return found["clean"], [(place, found[name]) for place, name in copies]


def try_faults(root, folder, check, faults):
    """Plant the faults of one check and run it.

    Returns what it says without a fault, and (place, what it says) for each fault.
    """
    if check == "nbval":
        return try_notebooks(root, folder, faults)
    find = FINDINGS[check]
    control = list(find(Book(root, folder / "clean")))
    if check in ONE_COPY:
        book, places = planted(root, folder / "faulty", faults)
        said = list(find(book))
        return control, [(place, said) for place in places]
    return control, list(in_own_copies(root, folder, faults, lambda book: list(find(book))))


def cell(text):
    """`text` for a cell of a Markdown table, without what is another at each run."""
    text = re.sub(r"\d{9,}", "…", " ".join(text.split())).replace("|", "\\|")
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"


def table(results):
    """All results as a Markdown page."""
    kinds, caught = Counter(f.kind for f, *_ in results), Counter(f.kind for f, _, line in results if line)
    lines = [
        "# Planted faults",
        "",
        f"{sum(caught.values())} of {len(results)} caught. Made by `make faults` (tests/faults.py), never by hand.",
        "",
        "| kind | planted | caught |",
        "|---|---:|---:|",
        *[f"| {kind} | {kinds[kind]} | {caught[kind]} |" for kind in kinds],
        "",
        "| kind | fault | check | message |",
        "|---|---|---|---|",
    ]
    for fault, place, line in results:
        said = f"`` {cell(line)} ``" if line else f"**not caught** (planted at {place})"
        what = fault.what.replace("<", "&lt;")
        lines.append(f"| {fault.kind} | {what} | {CHECKS[fault.check]} | {said} |")
    return "\n".join(lines) + "\n"


def main(names):
    if not comparing():
        sys.exit("faults: this is not the pinned matplotlib, so that figures are not compared.")
    results = []
    with tempfile.TemporaryDirectory(prefix="faults-") as scratch:
        root = Book(ROOT, Path(scratch) / "book").folder  # one state of the tree for all checks
        for check in names or CHECKS:
            faults = [fault for fault in FAULTS if fault.check == check]
            print(f"{check}: {len(faults)} faults", file=sys.stderr, flush=True)
            control, found = try_faults(root, Path(scratch) / check, check, faults)
            if control:
                sys.exit(f"faults: {check} finds something without any fault, so that nothing is proved:\n" + "\n".join(control))
            results += [(fault, place, caught_by(fault, place, said)) for fault, (place, said) in zip(faults, found)]
    results.sort(key=lambda result: FAULTS.index(result[0]))
    page = table(results)
    print(page, end="")
    if not names:
        new = TABLE.with_suffix(".tmp")
        new.write_text(page, encoding="utf-8")
        os.replace(new, TABLE)
    return int(any(line is None for *_, line in results))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
