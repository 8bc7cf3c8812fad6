"""The cells of all notebooks, run in this process: shapes they state, time they take."""

import subprocess
import sys
import time

import pytest
from bookproof.cells import Page, notebooks
from bookproof.lint import MAGIC
from bookproof.shape_comments import fits, shape_of, watch

# a page's cells may take as much CPU time as this many imports of torch, shared by all pages
IMPORTS_FOR_ALL = 6
IMPORTS_FOR_ONE_CELL = 1


def watched_page(path):
    """The page, run with its shape comments looked at; (faults, comments)."""
    faults, counts = [], []

    def transform(name, source):
        code, count = watch(MAGIC.sub("pass", source))
        counts.append(count)
        where[0] = name
        return code if count else source

    def look(stated, value, names, line):
        shape = shape_of(value)
        if not fits(stated, shape, names):
            faults.append(f"{where[0]} line {line}: the comment states ({stated}), the shape is {shape}.")

    where = [None]
    page = Page(path, transform)
    page.namespace["_look"] = look
    page.run()
    return faults, sum(counts)


@pytest.fixture(scope="module")
def watched():
    import torch  # noqa: F401  (its import is not a cell's)

    return {path.stem: watched_page(path) for path in notebooks()}


def test_shape_comments_are_true(watched):
    assert [line for faults, _ in watched.values() for line in faults] == []
    assert sum(count for _, count in watched.values()) >= 10


@pytest.mark.parametrize(
    ("stated", "shape", "names", "right"),
    [
        ("5, 1", (5, 1), {}, True),
        ("5, 1", (5,), {}, False),
        ("5,", (5,), {}, True),
        ("points, n_out", (7, 3), {"n_out": 3}, True),
        ("points, n_out", (7, 3), {"n_out": 4}, False),
    ],
)
def test_fits(stated, shape, names, right):
    assert fits(stated, shape, names) is right


def test_the_value_is_looked_at_when_it_is_there():
    code, count = watch("x = [1]\nx = x[0]  # (3,)\nx = None")
    seen = []
    exec(code, {"_look": lambda stated, value, names, line: seen.append((stated, value, line))})
    assert (count, seen) == (1, [("3,", 1, 2)])


def test_cells_take_little_time():
    import torch  # noqa: F401

    command = [sys.executable, "-c", "import torch, time; print(time.process_time())"]
    imports = min(float(subprocess.check_output(command)) for _ in range(3))
    start = time.process_time()
    pages = [Page(path).run() for path in notebooks()]
    total = time.process_time() - start
    slowest = max(((s, name) for page in pages for name, s in page.seconds.items()))
    print(f"all cells {total / imports:.1f}, slowest {slowest[1]} {slowest[0] / imports:.2f} imports of torch")
    assert total <= IMPORTS_FOR_ALL * imports
    assert slowest[0] <= IMPORTS_FOR_ONE_CELL * imports, slowest
