"""Rules between pages: shared definitions and the clock; one line a finding."""

import re

from bookproof import clock


def definitions(cell):
    """(name, text) of what a cell defines that is to be the same text in every notebook."""
    if cell.source.startswith("#@title Figure style"):
        yield "the figure style", cell.source
    try:
        own = re.compile(r"(check|solve)_\d+")  # an exercise's
        yield from ((name, text) for name, text in cell.definitions() if not own.fullmatch(name))
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


def faults(notebooks):
    """Findings between the pages of a book, its notebooks in order."""
    yield from shared(notebooks)
    yield from clock.over(notebooks)
