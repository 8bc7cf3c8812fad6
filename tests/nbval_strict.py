"""nbval, a little stricter (a pytest plugin).

- A cell is named as everywhere else, `In [4]` (nbval counts from 0).
- Each notebook runs in an empty folder, so one that needs a file beside it fails.
- After a cell that took too long nbval expects the later ones to fail; here
  they do fail.
"""

import functools
import tempfile

import pytest
from nbval import plugin as nbval


def in_empty_folder(kernel_class):
    """`kernel_class` that starts its kernel in an empty folder, then removes it."""

    class Kernel(kernel_class):
        def __init__(self, kernel_name, cwd=None, **options):
            self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)  # Windows: a kernel may still hold it
            super().__init__(kernel_name, cwd=self.folder.name, **options)

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


def pytest_configure(config):
    nbval.RunningKernel = in_empty_folder(nbval.RunningKernel)
    nbval.IPyNbCell.repr_failure = naming_the_cell(nbval.IPyNbCell.repr_failure)


def pytest_itemcollected(item):
    if isinstance(item, nbval.IPyNbCell):
        item.name = f"In [{item.cell_num + 1}]"
        item._nodeid = f"{item.parent.nodeid}::{item.name}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if isinstance(item, nbval.IPyNbCell) and hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{item.path.name} {item.name}: not proved, since {report.wasxfail}"
        del report.wasxfail
    return report
