"""The cells of all notebooks, run in this process: shapes they state, time they take."""

import subprocess
import sys

import pytest

from bookproof.project import notebooks
from bookproof.shape_comments import fits, watch, watched_page

# a page's cells may take as much CPU time, on average, as this many imports of torch
IMPORTS_FOR_A_PAGE = 1
IMPORTS_FOR_A_CELL = 1


@pytest.fixture(scope="module")
def pages():
    """Each page, run: (page, faults in its shape comments, number of them)."""
    import torch  # its import is not a cell's
    import torch._dynamo  # noqa: F401  (nor what the first optimiser loads)

    torch.set_num_threads(1)  # threads that wait for a busy core would count as the cell's time
    return [watched_page(path) for path in notebooks()]


def test_shape_comments_are_true(pages):
    assert [line for _, faults, _ in pages for line in faults] == []
    assert sum(count for _, _, count in pages) >= 10


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


def test_cells_take_little_time(pages):
    command = [sys.executable, "-c", "import torch, time; print(time.process_time())"]
    imports = min(float(subprocess.check_output(command)) for _ in range(3))
    for page, *_ in pages:
        slowest = max(page.seconds, key=page.seconds.get)
        assert page.seconds[slowest] <= IMPORTS_FOR_A_CELL * imports, slowest
    total = sum(sum(page.seconds.values()) for page, *_ in pages)  # of all: a busy moment falls on one
    assert total <= IMPORTS_FOR_A_PAGE * len(pages) * imports
