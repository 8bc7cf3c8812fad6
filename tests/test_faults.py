"""Every fault of faults.yml, planted in the small book, is told by its check in a line that names the place.

Each check first says nothing of the small book as it stands. nbval runs once over all notebooks with a
fault; so does the build, each fault of a page on a page of its own.
"""

import json
import re
import shutil
import subprocess
import sys
from copy import deepcopy

import pytest
import yaml

from bookproof import settings
from bookproof.lint import lint_book
from bookproof.notebook import Notebook, normal, written
from bookproof.project import ROOT, notebooks
from bookproof.proof import NotebookFile
from tests.conftest import build
from tests.small_book import HERE, lay

FAULTS = yaml.safe_load((ROOT / "tests/faults.yml").read_text(encoding="utf-8"))
COLOURS = re.compile(r"\x1b\[[\d;]*m")


def swap(text, old, new):
    assert old in text, f"the small book has no {old!r}: mend faults.yml"
    return text.replace(old, new)


def merge(data, more):
    """Put `more` into `data`, dictionaries into dictionaries."""
    for key, value in more.items():
        if isinstance(value, dict) and isinstance(data.get(key), dict):
            merge(data[key], value)
        else:
            data[key] = value


def plant_in_cell(notebook, fault):
    """Change one cell of `notebook` as `fault` says; returns its name before that."""
    cell = next((cell for cell in notebook.cells if fault["at"] in cell.source), None)
    assert cell, f"no cell with {fault['at']!r}: mend faults.yml"
    name, cells = cell.name, notebook.data["cells"]
    if "old" in fault:
        cell.source = swap(cell.source, fault["old"], fault["new"])
    if "add" in fault or "long" in fault:
        cell.source += fault.get("add", " word" * fault.get("long", 0))
    if "printed" in fault:
        cell.outputs[0]["text"] = swap(cell.printed + "\n", *fault["printed"])
    if "twice" in fault:
        cell.outputs.append(cell.outputs[0])
    if "with" in fault:
        other = next(other for other in notebook.cells if fault["with"] in other.source)
        i, j = (cells.index(each.data) for each in (cell, other))
        cells[i], cells[j] = cells[j], cells[i]
    merge(cell.data, fault.get("data", {}) | {"metadata": fault.get("metadata", {})})
    if "output" in fault:
        merge(cell.outputs[0], fault["output"])
    return name


def plant_in_file(path, fault):
    """Change one file as `fault` says; returns its name."""
    text = path.read_text(encoding="utf-8")
    if "old" in fault:
        text = swap(text, fault["old"], fault["new"])
    text = text[: len(text) // 2] if "cut" in fault else fault.get("text", text)
    path.write_text(text + fault.get("add", ""), encoding="utf-8")
    if "gone" in fault:
        path.unlink()
    return path.name


def plant(book, fault):
    """Plant a fault in the book in the folder `book`; returns the place that its check must name."""
    if "file" in fault:
        place = plant_in_file(book / fault["file"], fault)
    else:
        notebook = Notebook(book / f"chapters/{fault.get('page', '00_small')}.ipynb")
        place = plant_in_cell(notebook, fault)
        notebook.path.write_text(written(notebook.data), encoding="utf-8")
    return fault.get("place", place)


def told(fault, place, found):
    """Whether a line of `found` names the place and says what is wrong."""
    begins = re.compile(re.escape(place) + r"(?!\d)")
    return any(begins.search(line) and fault["says"] in line for line in found)


QUICK = {"lint": lint_book, "numbers": lint_book, "settings": settings.lint}


def test_no_check_speaks_of_a_sound_book(tmp_path):
    book = lay(tmp_path / "book")
    assert [line for check in QUICK.values() for line in check(book)] == []


@pytest.mark.parametrize(
    ("check", "fault"),
    [(check, fault) for check in QUICK for fault in FAULTS[check]],
    ids=lambda x: str(x)[:60],
)
def test_a_fault_is_told(tmp_path, check, fault):
    book = lay(tmp_path / "book")
    place = plant(book, fault)
    found = QUICK[check](book)
    assert told(fault, place, found), (place, found)
    if fault.get("outputs_cures"):
        form = normal(Notebook(book / "chapters/00_small.ipynb"))
        sound = Notebook(HERE / "chapters/00_small.ipynb").data
        assert all(cell.pop("id") for data in (form, sound) for cell in data["cells"])
        assert form == sound


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """(the cells of faults.yml that nbval must find; what it says, by cell)."""
    scratch, places = tmp_path_factory.mktemp("nbval"), []
    (scratch / "chapters").mkdir()
    (scratch / "planted").mkdir()
    for number, fault in enumerate([None, *FAULTS["nbval"]]):
        copy = shutil.copy(HERE / "chapters/00_small.ipynb", scratch / "chapters")
        place = plant(scratch, fault) if fault else ""
        shutil.move(copy, scratch / f"planted/n{number:02}.ipynb")
        places.append(place.replace("00_small", f"n{number:02}"))
    folder = scratch / "planted"
    options = ["-q", "--color=no", "-p", "bookproof.proof", "-c", "pytest.ini", "--rootdir", folder]
    command = [sys.executable, "-m", "pytest", *options, folder]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    before, _, failures = done.stdout.partition("= FAILURES =")
    assert " passed" in failures and "= ERRORS =" not in before, done.stdout + done.stderr
    said = re.split(r"(?m)^_{3,} (.*) _{3,}$", failures)
    return places, dict(zip(said[1::2], said[2::2]))


def test_nbval_finds_nothing_in_a_sound_notebook(reports):
    _, said = reports
    assert [cell for cell in said if cell.startswith("n00")] == []


def test_nbval_would_find_a_digit_in_every_cell_of_the_book(request):
    """Its comparison of what is stored, which is what runs, with the same but for the last digit."""
    planted = 0
    for path in notebooks():
        for test in NotebookFile.from_parent(request.session, path=path).collect():
            assert test.options["check"] and not test.options["skip"]
            told = deepcopy(test.cell.outputs)
            for output in told:
                if digit := re.fullmatch(r"(?s)(.*)(\d)(\D*)", output.get("text", "")):
                    before, last, after = digit.groups()
                    output.text = before + str((int(last) + 1) % 10) + after
                    planted += 1
            assert test.compare_outputs(told, test.cell.outputs) == (told == test.cell.outputs), test
    assert planted > 100


@pytest.mark.parametrize(("number", "fault"), list(enumerate(FAULTS["nbval"], 1)), ids=lambda x: str(x)[:60])
def test_nbval_finds_the_fault(reports, number, fault):
    places, said = reports
    assert fault["says"] in said.get(places[number], ""), (places[number], said)


@pytest.fixture(scope="module")
def build_reports(tmp_path_factory):
    """(the place of each fault, what the build says of the small book with all of them, cold, then warm)."""
    folder, places = tmp_path_factory.mktemp("build"), []
    book = lay(folder / "book")
    deeper = (book / "chapters/a_deeper.ipynb").read_text(encoding="utf-8")
    for number, fault in enumerate(FAULTS["build"]):
        if "file" in fault:
            places.append(plant(book, fault))
            continue
        places.append(f"z{number}_faulty")
        page = Notebook(book / "chapters/a_deeper.ipynb", json.loads(deeper))
        page.cells[3].source += f"\n\n{fault['add']}"
        (book / f"chapters/{places[-1]}.ipynb").write_text(written(page.data), encoding="utf-8")
        with (book / "_toc.yml").open("a", encoding="utf-8") as contents:
            contents.write(f"      - file: chapters/{places[-1]}\n")
    runs = [build(book, folder, warm) for warm in (False, True)]
    assert all(done.returncode for done in runs)
    return places, [COLOURS.sub("", done.stdout + done.stderr).splitlines() for done in runs]


@pytest.mark.parametrize(("number", "fault"), list(enumerate(FAULTS["build"])), ids=lambda x: str(x)[:60])
def test_the_build_tells_the_fault(build_reports, number, fault):
    places, (cold, warm) = build_reports
    assert told(fault, places[number], cold), cold
    assert told(fault, places[number], warm) or not fault.get("warm"), warm
