"""Folding is not shortening: what may be folded, and what is borrowed from an earlier page."""

import re

from bookproof.lint.markdown import number_of

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
        for part in re.split(r"\n{2,}", cell.source.partition("\n")[2].strip()):
            if part not in there:
                first, where = part.split("\n")[0].strip(), pages[title[1]].name
                yield f"{cell.name}: `{first}` does not stand so, unfolded, in {where}. Make them one text."


def faults(notebook, before):
    """Findings on the folded cells of a notebook. before: the `Notebook`s of earlier pages."""
    for cell in notebook.code:
        yield from of_cell(cell)
    yield from borrowed(notebook, before)
