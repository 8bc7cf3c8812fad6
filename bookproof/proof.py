"""What this book asks of nbval beyond nbval (a pytest plugin; nothing of nbval is replaced).

- A cell is named as everywhere else, `In [4]` (nbval counts from 0).
- Kernels come from kernels.py: torch is loaded, the folder is empty, and
  no one's own settings come in. `--plain-kernels` starts each anew.
- A cell's pictures are compared with the stored ones.
- A kernel that cannot start is started anew; one that dies fails the
  cell it died in, at once.
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

# jupyter_client picks a kernel's five ports and lets them go again: another kernel may have one by the time
# that this one asks for it, and then this one ends (https://github.com/jupyter/jupyter_client/issues/487)
STARTS = 5
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


class Cell(IPyNbCell):
    """nbval's test of a cell, by its name, with its pictures."""

    def setup(self):
        """Nothing: nbval would expect a cell to fail after one that took too long."""

    def runtest(self):
        if self.parent.timed_out:
            self.raise_cell_error("not proved, since a cell above it took too long")
        self.output_timeout = PATIENCE
        with noticing_death():
            super().runtest()
        if comparing():
            name = f"{self.path.stem}-{self.cell_num + 1}"
            if fault := unlike(name, pictures(self.cell.outputs), pictures(self.test_outputs)):
                self.raise_cell_error("Cell outputs differ", fault)

    def repr_failure(self, excinfo):
        said = super().repr_failure(excinfo)
        place = f"{self.path.name} {self.name}: "
        return re.sub(rf"Cell {self.cell_num}: |pytest plugin exception: ", place, said, count=1)

    def reportinfo(self):
        return self.path, 0, f"{self.path.name} {self.name}"


class NotebookFile(IPyNbFile):
    """nbval's notebook, of cells named `In [4]`."""

    def collect(self):
        for cell in super().collect():
            options = {"cell_num": cell.cell_num, "cell": cell.cell, "options": cell.options}
            yield Cell.from_parent(self, name=f"In [{cell.cell_num + 1}]", **options)

    def setup(self):
        for _ in range(STARTS):
            try:
                return super().setup()
            except (RuntimeError, ValueError) as error:  # ValueError: it heard another kernel
                said = error
        pytest.fail(f"{self.path.name}: no kernel could be started: {said}", pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file():
    """Put our notebooks in the place of nbval's."""
    found = yield
    return [NotebookFile.from_parent(n.parent, path=n.path) if isinstance(n, IPyNbFile) else n for n in found]
