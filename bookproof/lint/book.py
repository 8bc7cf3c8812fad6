"""Rules between pages: shared definitions, numbers of figures, the clock; one line a finding."""

import re

from bookproof import clock
from bookproof.lint.markdown import number_of


def definitions(cell):
    """(name, text) of what a cell defines that is to be the same text in every notebook."""
    if cell.source.startswith("#@title Figure style"):
        yield "the figure style", cell.source
    try:
        yield from ((n, text) for n, text in cell.definitions() if not re.fullmatch(r"check_\d+|solve_\d+", n))
    except SyntaxError:  # code.py tells it
        return


def shared(notebooks):
    """Findings on definitions whose text differs between notebooks."""
    seen = {}
    for notebook in notebooks:
        for cell in notebook.code:
            for name, text in definitions(cell):
                first, where = seen.setdefault(name, (text, cell))
                if text != first and cell.file != where.file:
                    yield f"{cell.name}: {name} differs from that of {where.name}. Make them one text."


def numbered_twice(notebooks):
    """Findings on pages whose figures would have the same numbers."""
    seen = {}
    for notebook in notebooks:
        other = seen.setdefault(number_of(notebook), notebook)
        if other is not notebook:
            yield f"{notebook.name}: its figures and those of {other.name} have the same numbers. Rename one of them."


def faults(notebooks):
    """Findings between the pages of a book, its notebooks in order."""
    yield from shared(notebooks)
    yield from numbered_twice(notebooks)
    yield from clock.over(notebooks)
