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

SHAPE = re.compile(r"(?m)  # (\((?:\d+, ?)*\d*\))$")  # such as `# (5, 1)`
STATED = re.compile(rf"(?m)^( *(\w+) = .*){SHAPE.pattern[4:]}")


def watched(source):
    """`source` with a look at each name right after the line that sets it and states its shape.

    Later the name may stand for something else.
    """
    assert len(SHAPE.findall(source)) == len(STATED.findall(source)), f"give the name a line: {source}"
    return STATED.sub(r"\1; _look('\2', \2, \3)", source)


def watched_page(path):
    """(the page, run; its shape comments that are false; how many there are)."""
    false, seen, at = [], [], None

    def transform(cell):
        nonlocal at
        at = cell.name
        return watched(cell.source)

    def look(name, value, stated):
        seen.append(name)
        if tuple(value.shape) != stated:
            false.append(f"{at}: {name} is stated to be {stated}, and is {tuple(value.shape)}")

    page = Page(path, transform)
    page.namespace["_look"] = look
    return page.run(), false, len(seen)


@pytest.fixture(scope="module")
def pages():
    """Each page, run: (page, false shape comments, number of them)."""
    import torch  # its import is not a cell's
    import torch._dynamo  # noqa: F401  (nor what the first optimiser loads)

    torch.set_num_threads(1)  # threads that wait for a busy core would count as the cell's time
    return [watched_page(path) for path in notebooks()]


def test_shape_comments_are_true(pages):
    assert [line for _, false, _ in pages for line in false] == []
    assert sum(count for _, _, count in pages) >= 10


def test_a_shape_is_looked_at_when_the_name_is_set():
    seen = []
    code = watched("for k in (1, 2):\n    x = k + 1  # (3,)\n    x = None")
    exec(code, {"_look": lambda *all_of_it: seen.append(all_of_it)})
    assert seen == [("x", 2, (3,)), ("x", 3, (3,))]
    with pytest.raises(AssertionError, match="give the name a line"):
        watched("f(\n)  # (5, 1)")


def test_cells_take_little_time(pages):
    command = [sys.executable, "-c", "import torch, time; print(time.process_time())"]
    imports = min(float(subprocess.check_output(command)) for _ in range(3))
    for page, *_ in pages:
        slowest = max(page.seconds, key=page.seconds.get)
        assert page.seconds[slowest] <= IMPORTS_FOR_A_CELL * imports, slowest
    total = sum(sum(page.seconds.values()) for page, *_ in pages)  # of all: a busy moment falls on one
    assert total <= IMPORTS_FOR_A_PAGE * len(pages) * imports
