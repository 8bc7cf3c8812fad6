"""nbval, a little stricter (a pytest plugin).

- A cell is named as everywhere else, `In [4]` (nbval counts from 0).
- Each notebook runs in an empty folder, so one that needs a file beside it fails.
- A kernel that dies fails the cell it died in, at once (nbval waits half an hour).
- After a cell that took too long nbval expects the later ones to fail; here
  they do fail.
"""

import functools
import math
import queue
import tempfile
import time

import pytest
from nbval import plugin as nbval


def strict_kernel(kernel_class):
    """`kernel_class` that runs its kernel in an empty folder, and does not wait for a dead one."""

    class Kernel(kernel_class):
        def __init__(self, kernel_name, cwd=None, **options):
            self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)  # Windows: a kernel may still hold it
            super().__init__(kernel_name, cwd=self.folder.name, **options)

        def is_alive(self):
            return hasattr(self, "km")  # until it is stopped: a dead one may have answered before

        def get_message(self, stream, timeout=None):
            deadline = math.inf if timeout is None else time.monotonic() + timeout
            while True:
                alive = self.km.is_alive()  # asked first: it may answer, then die
                try:
                    return super().get_message(stream, max(0, min(1, deadline - time.monotonic())))
                except queue.Empty:
                    if not alive:
                        raise RuntimeError("the kernel died in this cell or soon after it") from None
                    if time.monotonic() >= deadline:
                        raise

        def stop(self):
            super().stop()
            self.folder.cleanup()

    return Kernel


def naming_the_cell(repr_failure):
    """`repr_failure` whose text names notebook and cell as `x.ipynb In [4]`."""

    @functools.wraps(repr_failure)
    def named(cell, failure):
        place = f"{cell.path.name} {cell.name}: "
        return repr_failure(cell, failure).replace(f"Cell {cell.cell_num}: ", place, 1)

    return named


def named_from_one(make):
    """`make`, nbval's maker of a cell's test, which then names it, and its node id, `In [4]`."""

    def from_parent(_, parent, *, cell_num, **options):
        return make(parent, **{**options, "cell_num": cell_num, "name": f"In [{cell_num + 1}]"})

    return classmethod(from_parent)


def pytest_configure(config):
    nbval.IPyNbCell.from_parent = named_from_one(nbval.IPyNbCell.from_parent)
    nbval.IPyNbCell.reportinfo = lambda cell: (cell.path, 0, cell.nodeid)
    nbval.RunningKernel = strict_kernel(nbval.RunningKernel)
    nbval.IPyNbCell.repr_failure = naming_the_cell(nbval.IPyNbCell.repr_failure)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    late = isinstance(item, nbval.IPyNbCell) and report.when == "call" and item.get_closest_marker("xfail")
    if late:
        report.outcome = "failed"
        report.longrepr = f"{item.path.name} {item.name}: not proved, since {late.kwargs['reason']}"
        vars(report).pop("wasxfail", None)
    return report
