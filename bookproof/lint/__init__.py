"""What nbval and the build would let through: a lint of the pages.

    python -m bookproof.lint [PAGE ...]      (default: all that _toc.yml names)

Each finding is one line: notebook, cell, what is wrong, what to do; one cause
is one line a notebook.
"""

from pathlib import Path

from bookproof import numbers, plain_numbers, project
from bookproof.lint import book, boxes, code, folds, form, markdown
from bookproof.notebook import NotANotebook, Notebook


def lint(notebook, before=()):
    """All findings on a `Notebook`, one line each. before: those that come before it."""
    parts = (
        form.faults(notebook, before),
        code.faults(notebook),
        folds.faults(notebook, before),
        markdown.faults(notebook),
        boxes.faults(notebook),
    )
    return [line for part in parts for line in part]


def of_numbers(path):
    """Findings on the numbers of any page, one line each."""
    page, beside = numbers.page_at(Path(path)), numbers.beside(path)
    return [*numbers.faults(page, beside), *plain_numbers.faults(page, beside)]


def lint_book(root=project.ROOT, names=()):
    """All findings on the pages `names` of the book in `root`, or on the whole book."""
    paths, wanted = project.pages(root), [Path(name).resolve() for name in names]
    try:
        read = [Notebook(path) for path in paths if path.suffix == ".ipynb"]
    except NotANotebook as error:  # the rest reads them all
        return [str(error)]
    strange = [path.name for path in wanted if path not in paths]
    found = [f"{name}: no page that _toc.yml names. Mend the name." for name in strange]
    for path in wanted or paths:
        place = next((place for place, notebook in enumerate(read) if notebook.path == path), None)
        if place is not None:
            found += lint(read[place], read[:place])
        if path in paths:
            found += of_numbers(path)
    return found + list(book.faults(read))
