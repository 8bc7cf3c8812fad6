"""The normal form of a notebook, as `make outputs` writes it: what editors made of it, in one line."""

from bookproof.notebook import METADATA, normal, written


def difference(found, wanted, path=""):
    """(path, found, wanted) of the first place where two values of JSON differ."""
    if isinstance(found, list) and isinstance(wanted, list):
        found, wanted = dict(enumerate(found)), dict(enumerate(wanted))
    if isinstance(found, dict) and isinstance(wanted, dict):
        for key in sorted({*found, *wanted}):
            if found.get(key) != wanted.get(key):
                return difference(found.get(key), wanted.get(key), f"{path}.{key}".lstrip("."))
    return path, found, wanted


def faults(notebook, before=()):
    """The first difference from the normal form, if there is one. before: the `Notebook`s of earlier pages.

    Where counts are missing nbval compares nothing; two cells with one id are one to an editor.
    """
    form = normal(notebook, [name for other in before for name in other.ids])
    if notebook.text == written(form):
        return
    cure = f"Run `make outputs NOTEBOOKS=chapters/{notebook.name}`."
    places = [(cell.name, cell.data, wanted) for cell, wanted in zip(notebook.cells, form["cells"])]
    for name, found, wanted in [*places, (notebook.name, notebook.data.get("metadata"), METADATA)]:
        path, has, should = difference(found, wanted)
        if path:
            yield f"{name}: its {path} is {str(has)[:60]}, not {str(should)[:60]}. {cure}"
            return
    yield f"{notebook.name}: not laid out as `make outputs` writes it. {cure}"
