"""What this book asks of nbval beyond nbval (a pytest plugin; nothing of nbval is replaced).

- A cell is named as everywhere else, `In [4]` (nbval counts from 0).
- Kernels come from kernels.py: torch is loaded, the folder is empty, and
  no one's own settings come in. `--plain-kernels` starts each anew.
- A cell's pictures are compared with the stored ones.
- A kernel that dies fails the cell it died in, at once.
- After a cell that took too long nbval expects the later ones to fail; here
  they do fail.
"""

import re
import signal
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import pytest
from nbval.plugin import IPyNbCell, IPyNbFile

from bookproof.kernels import Kernels
from bookproof.likeness import comparing, unlike
from bookproof.notebook import pictures
from bookproof.project import pinned

PATIENCE = 60  # seconds that outputs may come after a cell's end; nbval's 5 are few on a busy machine


def pytest_addoption(parser):
    parser.addoption(
        "--plain-kernels",
        action="store_true",
        help="start each notebook's kernel anew (the way of macOS and Windows)",
    )


def holds_notebooks(argument):
    """Whether an argument of pytest names a notebook or a folder with one."""
    path = Path(argument.split("::")[0])
    return path.suffix == ".ipynb" or any(path.glob("**/*.ipynb"))


def pytest_configure(config):
    """Open the door to our kernels, once: workers of pytest-xdist find it open."""
    if hasattr(config, "workerinput") or config.option.collectonly or not config.option.nbval:
        return
    if any(map(holds_notebooks, config.args)):
        kernels = Kernels(config.option.plain_kernels)
        kernels.__enter__()
        config.add_cleanup(lambda: kernels.__exit__())


def pytest_report_header(config):
    if comparing():
        return "figures: compared with the stored ones, tile by tile"
    return (
        f"figures: not compared, text alone; they were drawn by matplotlib {pinned('matplotlib')}, "
        f"and this is {version('matplotlib')}"
    )


def named(cell):
    """nbval's test of a cell, named `In [4]`."""
    name = f"In [{cell.cell_num + 1}]"
    item = IPyNbCell.from_parent(
        cell.parent, name=name, cell_num=cell.cell_num, cell=cell.cell, options=cell.options
    )
    item.location = (item.location[0], 0, f"{item.path.name} {name}")
    item.output_timeout = PATIENCE
    return item


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    report = yield
    if isinstance(collector, IPyNbFile) and report.passed:
        report.result = [named(cell) for cell in report.result]
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    if isinstance(item, IPyNbCell) and item.parent.timed_out:
        item.raise_cell_error("not proved, since a cell above it took too long")


@contextmanager
def noticing_death():
    """Raise as soon as a child of this process ends, which is the kernel. (Windows waits.)"""

    def died(*_):
        raise RuntimeError("the kernel died in this cell or soon after it")

    if not hasattr(signal, "SIGCHLD"):
        yield
        return
    before = signal.signal(signal.SIGCHLD, died)
    try:
        yield
    finally:
        signal.signal(signal.SIGCHLD, before)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    if not isinstance(item, IPyNbCell):
        return (yield)
    with noticing_death():
        result = yield
    if comparing():
        name = f"{item.path.stem}-{item.cell_num + 1}"
        if fault := unlike(name, pictures(item.cell.outputs), pictures(item.test_outputs)):
            item.raise_cell_error("Cell outputs differ", fault)
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Begin the report of a cell with its name."""
    report = yield
    if isinstance(item, IPyNbCell) and report.failed:
        place = f"{item.path.name} {item.name}: "
        said = report.longrepr if isinstance(report.longrepr, str) else place + str(call.excinfo.value)
        report.longrepr = re.sub(rf"Cell {item.cell_num}: |pytest plugin exception: ", place, said, count=1)
    return report
