"""Folding is not shortening: what may be folded, and what is borrowed from an earlier page."""

import ast
import re

from bookproof.lint.markdown import number_of
from bookproof.notebook import without_magics

TITLE = re.compile(
    r"#@title (?:Figure style|Figure \w+\.\d+\b[^\n]*|How an exercise is checked|Exercise checks[^\n]*"
    r"|Check of exercise \d+|From page \w+: [^\n]+) \(run this cell[^\n)]*\)$",
    re.M,
)
BORROWED = re.compile(r"#@title From page (\w+): ")


def of_cell(cell):
    """What may be folded has a title that says what it is."""
    titled = cell.source.startswith("#@title")
    if titled != cell.folded:
        yield f"{cell.name}: a folded cell has the tag hide-input and begins `#@title …`; it has one of them."
    elif titled and not TITLE.match(cell.source):
        yield (
            f"{cell.name}: only the figure style, figures, checks and `From page N: …` are folded, "
            "titled so, `(run this cell)` last. Mend the title, or unfold it."
        )
    elif re.match(r"#@title Figure (?!style)", cell.source) and not cell.is_figure:
        yield f"{cell.name}: folded as a figure, and it draws none. Unfold it."


def statements(cell):
    """The texts of a code cell's top-level statements, with magics and comments left out."""
    code = without_magics(cell.source)
    try:
        body = ast.parse(code).body
    except SyntaxError:  # code.py tells it
        return []
    return [ast.get_source_segment(code, node) for node in body if not isinstance(node, ast.Pass)]


def borrowed(notebook, before):
    """Findings on folded definitions that are not, word for word, those of the earlier page they name."""
    pages = {number_of(other): other for other in before}
    for cell in notebook.code:
        title = BORROWED.match(cell.source)
        if not title:
            continue
        if title[1] not in pages:
            yield f"{cell.name}: no earlier page is numbered {title[1]}. Mend the title, or unfold it."
            continue
        there = "\n".join(other.source for other in pages[title[1]].code if not other.folded)
        for text in statements(cell):
            if text not in there:
                what = " ".join(text.split("\n")[0].split())
                where = pages[title[1]].name
                yield f"{cell.name}: `{what}` does not stand so, unfolded, in {where}. Make them one text."


def faults(notebook, before):
    """Findings on the folded cells of a notebook. before: the `Notebook`s of earlier pages."""
    for cell in notebook.code:
        yield from of_cell(cell)
    yield from borrowed(notebook, before)
