"""Plant a fault in a copy of the book: find a place by a pattern, and change it there.

A planter is a function of a `Book`. It changes one cell, page or file and
returns the place that a check must name (`02_modules.ipynb In [4]`, or the
beginning of it). One that finds no place raises `NoPlace`. Nothing is random.
"""

import ast
import json
import re
import shutil
from pathlib import Path

from bookproof.lint import Cells
from bookproof.sphinx.proved import whole

LEFT_OUT = (".git", ".venv", "_build", ".ruff_cache", "__pycache__")


class NoPlace(Exception):
    """A planter found nothing to change: the pattern has to follow the text."""


class Spot:
    """A cell in which a fault is planted, and its name before that."""

    def __init__(self, page, name, cell):
        self.page, self.name, self.cell = page, name, cell

    @property
    def source(self):
        return "".join(self.cell["source"])

    @source.setter
    def source(self, text):
        self.cell["source"] = text

    def streams(self):
        """The outputs that are printed text."""
        return [output for output in self.cell.get("outputs", []) if output["output_type"] == "stream"]

    @property
    def printed(self):
        return "".join("".join(output["text"]) for output in self.streams())

    @printed.setter
    def printed(self, text):
        self.cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": text}]

    def picture(self):
        """The data of the output that is a picture."""
        return next(o["data"] for o in self.cell["outputs"] if "image/png" in o.get("data", {}))


class Book:
    """A copy of the book. A cell takes one fault, so that faults in one copy stay apart."""

    def __init__(self, root, folder):
        self.folder = Path(folder)
        shutil.copytree(root, folder, ignore=shutil.ignore_patterns(*LEFT_OUT))
        self.pages = [Cells(path) for path in sorted((self.folder / "chapters").glob("*.ipynb"))]
        self.taken, self.changed = set(), set()

    def spots(self, kind, start="", every=False):
        """Cells of `kind` without a fault, or all: from page `start` on, then those of the pages before it."""
        pages = sorted(self.pages, key=lambda page: (page.path.name < start, page.path.name))
        return [
            Spot(page, name, cell) for page in pages for name, cell, _ in page.of(kind) if every or id(cell) not in self.taken
        ]

    def take(self, spot):
        """Mark the cell of `spot` as faulty; returns the spot."""
        self.taken.add(id(spot.cell))
        self.changed.add(spot.page.path)
        return spot

    def pick(self, kind, wanted, start=""):
        """The first spot that is wanted, marked as faulty."""
        for spot in self.spots(kind, start):
            if wanted(spot):
                return self.take(spot)
        raise NoPlace(f"no {kind} cell for it")

    def printed(self, page):
        """The lines that the code cells of a page print."""
        return [line for name, cell, _ in page.of("code") for line in Spot(page, name, cell).printed.split("\n")]

    def read(self, name):
        return (self.folder / name).read_text(encoding="utf-8")

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")
        self.changed.add(self.folder / name)

    def save(self):
        """Write the notebooks that were changed; returns the book itself."""
        for page in self.pages:
            if page.path in self.changed and page.notebook:
                page.path.write_text(json.dumps(page.notebook, indent=1, ensure_ascii=False), encoding="utf-8")
        return self


def next_digit(text):
    """`text` with its last digit one larger (9 becomes 0)."""
    return re.sub(r"\d(?=\D*$)", lambda digit: str((int(digit.group()) + 1) % 10), text, count=1)


def source(kind, old, new, start="", only=lambda spot: True):
    """Replace, once, the pattern `old` in the source of a cell for which `only` holds."""

    def plant(book):
        spot = book.pick(kind, lambda spot: only(spot) and re.search(old, spot.source), start)
        spot.source = re.sub(old, new, spot.source, count=1)
        return spot.name

    return plant


def append(kind, text, start="", only=lambda spot: True):
    """Add `text` at the end of a cell."""
    return source(kind, r"\Z", lambda _: text, start, only)


def output(old, new, start="", last=False):
    """Replace, once, the pattern `old` in a stored text of page `start`: in the first cell that has it, or the last."""

    def plant(book):
        found = [s for s in book.spots("code") if s.name.startswith(start) and re.search(old, s.printed)]
        if not found:
            raise NoPlace(f"no page {start} with such an output")
        spot = book.take(found[-1 if last else 0])
        spot.printed = re.sub(old, new, spot.printed, count=1)
        return spot.name

    return plant


def cell(change, only, start="", kind="code"):
    """Call `change(cell)` on the first cell for which `only` holds."""

    def plant(book):
        spot = book.pick(kind, only, start)
        change(spot.cell)
        return spot.name

    return plant


def prints(pattern=r"\S"):
    """Whether a cell's stored text holds `pattern`."""
    return lambda spot: bool(re.search(pattern, spot.printed))


def is_figure(spot):
    return "plt.show()" in spot.source


def is_plain(spot):
    """A Markdown cell of mere paragraphs, in which nothing but the fault can be at fault."""
    return not re.search(r"^[>#*|-]|<|`{3}|\$\$", spot.source, re.M) and len(spot.source) > 80


def is_code(spot):
    """A code cell that is not folded and prints something."""
    return not spot.source.startswith("#@title") and bool(spot.printed)


def unproved(old, start="", only=lambda spot: True):
    """Change the last digit of an inline-code number, the pattern `old`, so that nothing on the page shows it."""

    def wrong(book, spot):
        texts = book.printed(spot.page) + [code for _, _, code in spot.page.of("code")]
        for number in re.findall(rf"`({old})`", spot.source):
            false = number
            for _ in range(9):
                false = next_digit(false)
                if not any(whole(false).search(text) for text in texts):
                    return number, false
        return None

    def plant(book):
        spot = book.pick("markdown", lambda spot: "```" not in spot.source and only(spot) and wrong(book, spot), start)
        number, false = wrong(book, spot)
        spot.source = spot.source.replace(f"`{number}`", f"`{false}`", 1)
        return f"{spot.name}: `{false}`"

    return plant


def page(name, old, new):
    """Replace, once, the pattern `old` in a file of the book; the place is the file."""

    def plant(book):
        text = book.read(name)
        if not re.search(old, text):
            raise NoPlace(f"{name} has no {old}")
        book.write(name, re.sub(old, new, text, count=1))
        return Path(name).name

    return plant


def top_level(source):
    """(names that the top level of `source` binds, names that it uses outside functions)."""
    code = re.sub(r"(?m)^(\s*)[%!].*$", r"\1pass", source)
    bound, used = set(), set()
    nodes = list(ast.parse(code).body)
    while nodes:
        node = nodes.pop()
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            bound.add(node.name)
        elif isinstance(node, ast.Name):
            (bound if isinstance(node.ctx, ast.Store) else used).add(node.id)
        if not isinstance(node, (ast.FunctionDef, ast.Lambda)):
            nodes.extend(ast.iter_child_nodes(node))
    return bound, used


def dependent(book, start):
    """(spot, the spot after it, name): the first defines the name, anew, and the second uses it."""
    for page in sorted(book.pages, key=lambda page: (page.path.name < start, page.path.name)):
        known = set()
        spots = [Spot(page, name, cell) for name, cell, _ in page.of("code")]
        for first, second in zip(spots, spots[1:]):
            bound, _ = top_level(first.source)
            again, used = top_level(second.source)
            names = sorted(bound & used - again - known)
            if names and "import" not in first.source and is_code(second) and "get_ipython" not in first.source:
                return book.take(first), second, names[0]
            known |= bound
    raise NoPlace("no cell that needs the one before it")


def swap(spot, other):
    """Let two cells change places in their notebook."""
    cells = spot.page.notebook["cells"]
    i, j = (next(k for k, cell in enumerate(cells) if cell is s.cell) for s in (spot, other))
    cells[i], cells[j] = cells[j], cells[i]


def renumber(page):
    """Give the code cells of a page the counts 1, 2, … that a run from the top would give."""
    code = [cell for cell in page.notebook["cells"] if cell["cell_type"] == "code"]
    for count, cell in enumerate(code, 1):
        cell["execution_count"] = count
