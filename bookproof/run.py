"""Run a notebook's cells in this process, with torch imported once.

Quicker than a kernel, and what happens in between can be looked at. Not a
test of the outputs (nbval is): figures are drawn and dropped, and lines with
IPython magics are left out.
"""

import contextlib
import io
import linecache
import sys
import time
import types

import matplotlib
import matplotlib.pyplot

from bookproof.notebook import Notebook, without_magics

matplotlib.use("Agg")


def draw():
    """Draw all open figures as a notebook does, at double density, and drop them."""
    for number in matplotlib.pyplot.get_fignums():
        figure = matplotlib.pyplot.figure(number)
        figure.savefig(io.BytesIO(), dpi=2 * figure.dpi, bbox_inches="tight")


class Page:
    """One notebook, its namespace, and how long its cells took.

    path: of the notebook. `transform`, if given, maps a `Cell` to the source
    that is run in the place of its own.
    """

    def __init__(self, path, transform=None):
        self.notebook = Notebook(path)
        self.transform = transform
        self.module = types.ModuleType("__main__")  # as in a kernel: pickle looks there
        self.namespace = self.module.__dict__
        self.seconds = {}  # CPU seconds of each cell, by its name

    def run(self):
        """Run every code cell in order; returns the page itself."""
        for cell in self.notebook.code:
            source = self.transform(cell) if self.transform else cell.source
            start = time.process_time()
            self.execute(source, cell.name)
            self.seconds[cell.name] = time.process_time() - start
        return self

    def execute(self, source, name="added"):
        """Run `source` in the page's namespace; returns what it printed."""
        source = without_magics(source)
        file = f"<{name}>"
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)
        main, sys.modules["__main__"] = sys.modules["__main__"], self.module
        try:
            with contextlib.redirect_stdout(io.StringIO()) as out:
                exec(compile(source, file, "exec"), self.namespace)
            draw()
        finally:
            sys.modules["__main__"] = main
            matplotlib.pyplot.close("all")
        return out.getvalue()
