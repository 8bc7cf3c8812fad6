"""The cells of all notebooks, run in this process: shapes they state, time they take."""

import re
import subprocess
import sys

import pytest

from bookproof.project import notebooks
from bookproof.run import Page

# a page's cells may take as much CPU time, on average, as this many imports of torch
IMPORTS_FOR_A_PAGE = 1
IMPORTS_FOR_A_CELL = 1

COMMENT = re.compile(r"# *(\(\w+,[\w, ]*\))$", re.MULTILINE)
STATED = re.compile(r"^( *)(\w+) = .*# (\((?:\d+, ?)+\d*\))$", re.MULTILINE)


def watched(path):
    """The page, run; after each line such as `x = p.T  # (2, 5)` the shape of `x` is put into its `_seen`."""

    def transform(cell):
        look = rf"\g<0>\n\1_seen.append(({cell.name!r}, '\3', tuple(\2.shape)))"
        return STATED.sub(look, cell.source)

    page = Page(path, transform)
    page.namespace["_seen"] = []
    return page.run()


@pytest.fixture(scope="module")
def pages():
    import torch  # its import is not a cell's
    import torch._dynamo  # noqa: F401  (nor what the first optimiser loads)

    torch.set_num_threads(1)  # threads that wait for a busy core would count as the cell's time
    return [watched(path) for path in notebooks()]


def test_shape_comments_are_true(pages):
    seen = [look for page in pages for look in page.namespace["_seen"]]
    assert [(cell, stated, shape) for cell, stated, shape in seen if str(shape) != stated] == []
    cells = [cell for page in pages for cell in page.notebook.code]
    stated = {(cell.name, text) for cell in cells for text in COMMENT.findall(cell.source)}
    assert {(cell, text) for cell, text, _ in seen} == stated, "to be written `name = …  # (5, 1)`, and run"
    assert len(stated) >= 10


def an_import():
    """The CPU seconds that an import of torch takes at this moment."""
    command = [sys.executable, "-c", "import torch, time; print(time.process_time())"]
    return min(float(subprocess.check_output(command)) for _ in range(3))


def test_cells_take_little_time(pages):
    imports = an_import()
    total = 0
    for page in pages:
        seconds = page.seconds
        for _ in range(5):  # a cell that met a busy moment may show itself again, beside a new import
            if max(seconds.values()) <= IMPORTS_FOR_A_CELL * imports:
                break
            again = watched(page.notebook.path).seconds
            seconds = {cell: min(seconds[cell], again[cell]) for cell in seconds}
            imports = an_import()
        slowest = max(seconds, key=seconds.get)
        assert seconds[slowest] <= IMPORTS_FOR_A_CELL * imports, slowest
        total += sum(seconds.values())
    assert total <= IMPORTS_FOR_A_PAGE * len(pages) * imports  # of all: a busy moment falls on one
