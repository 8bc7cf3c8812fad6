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
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
for folder in ("_ext", "_tools", "tests"):
    sys.path.insert(0, str(ROOT / folder))

import lint  # noqa: E402
from conftest import build  # noqa: E402
from nbval_pictures import comparing  # noqa: E402
from planted import FAULTS  # noqa: E402
from planting import Book, NoPlace  # noqa: E402
from test_cells import watched_page  # noqa: E402

TABLE = ROOT / "tests" / "faults.md"
WIDTH = 150  # characters of a message in the table


def run(folder, *command):
    """Run a command in `folder`; what it printed, without colours."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return re.sub(r"\x1b\[[\d;]*m", "", done.stdout + done.stderr)


def tests(folder, *names):
    """Run tests or notebooks in `folder`; (folder, name, text) of each that fails."""
    report = folder / "report.xml"
    said = run(folder, sys.executable, "-m", "pytest", "-q", f"--junitxml={report}", *names)
    if not report.exists():
        yield "", "pytest", said
        return
    for case in ElementTree.parse(report).iter("testcase"):
        for failure in [*case.findall("failure"), *case.findall("error")]:
            yield case.get("classname"), case.get("name"), re.sub(r"#x1B\[[\d;]*m", "", failure.text or "")


# What each check finds, as lines that begin with a place


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


def place_of(file, line, names):
    """`x.ipynb after In [4]` for what Sphinx calls `x.ipynb:120003`."""
    if line and file in names:
        return names[file][int(line) // 10000 - 1]
    return f"{file} line {line}" if line else file


def build_findings(book):
    """What the build says, with places as elsewhere."""
    names = {page.path.name: [name for name, _, _ in page.all] for page in book.pages}
    done = build(book.folder, book.folder / "built")
    said = re.sub(r"\x1b\[[\d;]*m", "", done.stdout + done.stderr)
    found = []
    for line in said.splitlines():
        located = re.search(r"([\w.-]+\.(?:ipynb|md|yml|bib))(?::(\d+))?: (?:WARNING|ERROR|CRITICAL): (.*)", line)
        other = re.search(r"(?:WARNING|[Ee]rror): (.*)", line)
        if located:
            found.append(f"{place_of(located[1], located[2], names)}: {located[3]}")
        elif other:
            found.append(other[1])
    return found if done.returncode else []


def exercise_findings(book):
    """What the tests of the exercises say."""
    for _, name, text in tests(book.folder, "tests/test_exercises.py"):
        test, page, number = re.match(r"(?:test_)?([^[]*)(?:\[(\w+?)(?:-(\d+))?\])?", name).groups()
        place = f"{page}.ipynb exercise {number}" if number else f"{page}.ipynb exercises"
        said = re.findall(r"(?m)^E +(.*)", text) or [""]
        yield f"{place}: {test.replace('_', ' ')}: {said[0]}"


def config_findings(book):
    """What the tests of the settings say."""
    for _, name, text in tests(book.folder, "tests/test_config.py"):
        yield f"_config.yml: {name.replace('_', ' ')}: {' '.join(re.findall(r'(?m)^E +(.*)', text))}"


def node_findings(book):
    """What the tests of the live figures' core say."""
    for name in re.findall(r"(?m)^ *not ok \d+ - (.*)", run(book.folder, "node", "--test", "--test-reporter=tap", "tests/figures/")):
        yield f"{name}"


def notebook_findings(books, folder):
    """What nbval says of each book's changed notebooks, alone, all in one run; a list for each."""
    for number, book in enumerate(books):
        place = folder / "planted" / f"f{number:03}"
        place.mkdir(parents=True)
        for path in book.changed or {page.path for page in book.pages}:
            os.link(path, place / path.name)
    found = [[] for _ in books]
    for where, name, text in tests(folder, "planted"):
        number = re.search(r"planted\.f(\d+)", where)
        named = re.search(r"(\S+\.ipynb In \[\d+\]): (.*)", text)
        details = re.findall(r"(?m)^\s*(the picture .*|\d+ pictures .*|Missing .*|Unexpected .*|'.*' == '.*'|\w+(?:Error|Exception): .*)$", text)
        line = f"{named[1]}: {named[2].lower()}" if named else f"{name}: {text[-300:]}"
        found[int(number[1]) if number else 0].append(" ".join([line, *details[:1]]))
    return found


ONE_COPY = {"build": build_findings, "exercises": exercise_findings}
OWN_COPY = {"lint": lint_findings, "shapes": shape_findings, "node": node_findings, "config": config_findings, "alone": build_findings}
CHECKS = {
    "lint": "_tools/lint.py",
    "nbval": "nbval",
    "build": "build",
    "alone": "build",
    "shapes": "tests/test_cells.py",
    "exercises": "tests/test_exercises.py",
    "config": "tests/test_config.py",
    "node": "node --test tests/figures",
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


def try_faults(root, folder, check, faults):
    """Plant the faults of one check, run it; (fault, place, message or None) of each, and what it says of no fault."""
    clean = Book(root, folder / "clean")
    if check in ONE_COPY:
        book, places = planted(root, folder / "faulty", faults)
        control = list(ONE_COPY[check](clean))
        found = [list(ONE_COPY[check](book))] * len(faults)
    else:
        copies = [planted(root, folder / f"f{number:03}", [fault]) for number, fault in enumerate(faults)]
        places = [place for _, (place,) in copies]
        books = [book for book, _ in copies]
        if check == "nbval":
            control, *found = notebook_findings([clean, *books], Book(root, folder / "run").folder)
        else:
            control, *found = [list(OWN_COPY[check](book)) for book in [clean, *books]]
    return [(f, place, caught_by(f, place, lines)) for f, place, lines in zip(faults, places, found)], control


def cell(text):
    """`text` for a cell of a Markdown table."""
    text = " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
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
        said = f"`{cell(line)}`" if line else f"**not caught** (planted at {place})"
        lines.append(f"| {fault.kind} | {cell(fault.what)} | {CHECKS[fault.check]} | {said} |")
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
            done, control = try_faults(root, Path(scratch) / check, check, faults)
            if control:
                sys.exit("faults: without any fault the check is not clean, so that nothing is proved:\n" + "\n".join(control))
            results += done
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
