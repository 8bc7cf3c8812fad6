"""A warning names the cell, as everywhere else: `x.ipynb after In [4]`.

MyST-NB counts lines through a whole notebook, ten thousand to a cell: line
three of the fifteenth cell is `x.ipynb:150003`, which nobody can find.
"""

import logging
import re

from bookproof.notebook import Notebook

CELL = 10000
LOCATION = re.compile(r"(?P<file>.+\.ipynb):(?P<line>\d{5,})")


def place(location):
    """`location` of a warning, a text or None, with the cell's name if it lies in a notebook."""
    found = LOCATION.fullmatch(location or "")
    if not found:
        return location
    return Notebook(found["file"]).cells[int(found["line"]) // CELL - 1].name


def name_cells(record):
    record.location = place(getattr(record, "location", None))
    return True


def setup(app):
    for handler in logging.getLogger("sphinx").handlers:
        handler.addFilter(name_cells)  # after Sphinx's own, which writes the location as text
