"""Every fault of faults.yml, planted in the small book, is told by its check in one line that names the place.

Each check first says nothing of the small book as it stands. nbval runs once over all notebooks with a fault;
so does the build, each fault on a page of its own.
"""

import base64
import io
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from PIL import Image, ImageDraw

from bookproof import numbers, settings
from bookproof.lint import lint_book
from bookproof.notebook import Notebook, written
from bookproof.project import ROOT, build_command, notebooks
from tests.small_book import HERE, lay

FAULTS = yaml.safe_load((ROOT / "tests/faults.yml").read_text(encoding="utf-8"))
COLOURS = re.compile(r"\x1b\[[\d;]*m")


def swap(text, old, new):
    assert old in text, f"the small book has no {old!r}: mend faults.yml"
    return text.replace(old, new, 1)


def paint(cell):
    """Paint a small square over the middle of a cell's stored picture."""
    (png,) = cell.pictures
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    x, y = picture.width // 2, picture.height // 2
    ImageDraw.Draw(picture).rectangle([x, y, x + 16, y + 16], fill="red")
    picture.save(file := io.BytesIO(), "png")
    cell.outputs[0]["data"]["image/png"] = base64.b64encode(file.getvalue()).decode()


def plant_in_cell(notebook, fault):
    """Change one cell of `notebook` as `fault` says; returns its name before that."""
    cell, other = (
        next((c for c in notebook.cells if text and text in c.source), None) for text in (fault["at"], fault.get("with"))
    )
    assert cell, f"no cell with {fault['at']!r}: mend faults.yml"
    name, cells = cell.name, notebook.data["cells"]
    if "old" in fault:
        cell.source = swap(cell.source, fault["old"], fault["new"])
    if "add" in fault or "long" in fault:
        cell.source += fault.get("add", " word" * fault.get("long", 0))
    if "printed" in fault:
        cell.outputs[0]["text"] = swap(cell.printed + "\n", *fault["printed"])
    if "code_of" in fault:
        cell.source = next(c.source for c in notebook.code if fault["code_of"] in c.source)
    if "paint" in fault:
        paint(cell)
    if "twice" in fault:
        cell.outputs.append(cell.outputs[0])
    if "same_id" in fault:
        cell.data["id"] = Notebook(HERE / "chapters/00_small.ipynb").ids[0]
    if "drop" in fault:
        del cell.data[fault["drop"][0]][fault["drop"][1]]
    if other:
        i, j = (cells.index(each.data) for each in (cell, other))
        cells[i], cells[j] = cells[j], cells[i]
    cell.data["metadata"] |= fault.get("metadata", {})
    cell.data |= fault.get("data", {})
    return name


def plant_in_file(path, fault):
    """Change one file as `fault` says; returns its name."""
    text = path.read_text(encoding="utf-8")
    if "old" in fault:
        text = swap(text, fault["old"], fault["new"])
    text = text[: len(text) // 2] if "cut" in fault else text + fault.get("add", "")
    if "strip" in fault or "only" in fault:
        data = json.loads(text)
        for cell in data["cells"]:
            if cell["cell_type"] == "code":
                cell |= {"outputs": [], "execution_count": None}
        kind = fault.get("only")
        data["cells"] = [cell for cell in data["cells"] if kind in (None, cell["cell_type"])]
        text = written(data)
    path.write_text(text, encoding="utf-8")
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


def number_findings(book):
    for path in sorted((book / "chapters").glob("*.*")):
        if path.suffix in (".ipynb", ".md"):
            yield from numbers.faults(numbers.Page(path), numbers.beside(path))


QUICK = {"lint": lint_book, "numbers": number_findings, "settings": settings.lint}


@pytest.mark.parametrize("check", QUICK)
def test_no_check_speaks_of_a_sound_book(tmp_path, check):
    assert list(QUICK[check](lay(tmp_path / "book"))) == []


@pytest.mark.parametrize(
    ("check", "fault"), [(check, fault) for check in QUICK for fault in FAULTS[check]], ids=lambda x: str(x)[:60]
)
def test_a_fault_is_told(tmp_path, check, fault):
    book = lay(tmp_path / "book")
    place = plant(book, fault)
    found = list(QUICK[check](book))
    assert told(fault, place, found), (place, found)


def failures(folder):
    """What nbval says of the cells that fail in the notebooks of `folder`, by their names."""
    command = [sys.executable, "-m", "pytest", "-q", "--color=no", "-p", "bookproof.proof", "-c", ROOT / "pytest.ini"]
    done = subprocess.run([*command, "--rootdir", folder, folder], cwd=ROOT, capture_output=True, text=True)
    assert " passed" in done.stdout, done.stdout + done.stderr
    said = re.split(r"(?m)^_{3,} (.*) _{3,}$", done.stdout.partition("= FAILURES =")[2])
    return dict(zip(said[1::2], said[2::2]))


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """(the cell of each fault that nbval must find, what nbval says, by cell)."""
    scratch = tmp_path_factory.mktemp("nbval")
    (scratch / "chapters").mkdir()
    (scratch / "planted").mkdir()
    places = []
    for number, fault in enumerate([None, *FAULTS["nbval"]]):
        copy = shutil.copy(HERE / "chapters/00_small.ipynb", scratch / "chapters")
        place = plant(scratch, fault) if fault else ""
        shutil.move(copy, scratch / f"planted/n{number:02}.ipynb")
        places.append(place.replace("00_small", f"n{number:02}"))
    return places, failures(scratch / "planted")


def test_nbval_finds_nothing_in_a_sound_notebook(reports):
    assert [cell for cell in reports[1] if cell.startswith("n00")] == []


@pytest.mark.parametrize("number", range(1, len(FAULTS["nbval"]) + 1), ids=lambda n: FAULTS["nbval"][n - 1]["what"])
def test_nbval_finds_the_fault(reports, number):
    place, fault = reports[0][number], FAULTS["nbval"][number - 1]
    assert fault["says"] in reports[1].get(place, ""), (place, reports[1])


@pytest.fixture(scope="module")
def build_report(tmp_path_factory):
    """What the build says of the small book with a page for each fault."""
    book = lay(tmp_path_factory.mktemp("build") / "book")
    deeper = (book / "chapters/a_deeper.ipynb").read_text(encoding="utf-8")
    contents = (book / "_toc.yml").read_text(encoding="utf-8")
    for number, fault in enumerate(FAULTS["build"]):
        page = Notebook(book / "chapters/a_deeper.ipynb", json.loads(deeper))
        page.cells[3].source += f"\n\n{fault['add']}"
        (book / f"chapters/z{number}_faulty.ipynb").write_text(written(page.data), encoding="utf-8")
        contents += f"      - file: chapters/z{number}_faulty\n"
    (book / "_toc.yml").write_text(contents, encoding="utf-8")
    done = subprocess.run(build_command(book), capture_output=True, text=True)
    assert done.returncode != 0
    return COLOURS.sub("", done.stdout + done.stderr).splitlines()


@pytest.mark.parametrize("number", range(len(FAULTS["build"])), ids=lambda n: FAULTS["build"][n]["what"])
def test_the_build_tells_the_fault(build_report, number):
    fault = FAULTS["build"][number]
    assert told(fault, f"z{number}_faulty", build_report), build_report


def test_the_build_passes_a_sound_book(tmp_path):
    done = subprocess.run(build_command(lay(tmp_path / "book")), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def slips(tmp_path_factory):
    """The book's own notebooks, in each the last digit that a cell prints changed: (the cells' names, what nbval says)."""
    folder, names = tmp_path_factory.mktemp("slips"), {}
    for path in notebooks():
        notebook = Notebook(path)
        cell = [c for c in notebook.code if re.search(r"\d", c.printed) and "text" in c.outputs[-1]][-1]
        text = "".join(cell.outputs[-1]["text"])
        last = list(re.finditer(r"\d", text))[-1]
        cell.outputs[-1]["text"] = text[: last.start()] + str((int(last[0]) + 1) % 10) + text[last.end() :]
        Path(folder, path.name).write_text(written(notebook.data), encoding="utf-8")
        names[path.name] = cell.name
    return names, failures(folder)


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_a_digit_of_a_real_page_is_missed(slips, path):
    names, said = slips
    assert names[path.name] in said
