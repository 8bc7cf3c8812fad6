"""What nbval and the build would let through: a lint of the pages.

    python -m bookproof.lint [PAGE ...]      (default: all that _toc.yml names)

Each finding is one line: notebook, cell, what is wrong, what to do; one cause
is one line a notebook.
"""

from pathlib import Path

from bookproof import numbers, plain_numbers, project
from bookproof.lint import book, boxes, code, folds, form, markdown
from bookproof.notebook import NotANotebook, Notebook


def lint(path, before=()):
    """All findings on the notebook at `path`, one line each. before: the `Notebook`s that come before it."""
    try:
        notebook = Notebook(path)
    except NotANotebook as error:
        return [str(error)]
    parts = (
        form.faults(notebook, before),
        code.faults(notebook),
        folds.faults(notebook, before),
        markdown.faults(notebook),
        boxes.faults(notebook),
    )
    return [line for part in parts for line in part] + of_numbers(path)


def of_numbers(path):
    """Findings on the numbers of any page, one line each."""
    page, beside = numbers.page_at(Path(path)), numbers.beside(path)
    return [*numbers.faults(page, beside), *plain_numbers.faults(page, beside)]


def lint_book(root=project.ROOT, names=()):
    """All findings on the pages `names` of the book in `root`, or on the whole book."""
    found, read = [], []
    wanted = [Path(name).resolve() for name in names]
    for path in project.pages(root):
        if path.suffix == ".ipynb":
            if not names or path.resolve() in wanted:
                found += lint(path, read)
            try:
                read.append(Notebook(path))
            except NotANotebook:
                return found  # the rest reads them all
        elif not names or path.resolve() in wanted:
            found += of_numbers(path)
    unknown = set(wanted) - {path.resolve() for path in project.pages(root)}
    found += [f"{path.name}: no page that _toc.yml names. Mend the name." for path in sorted(unknown)]
    return found + list(book.faults(read))
