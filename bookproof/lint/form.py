"""The normal form of a notebook, and what editors and filters make of it: one cause, one line."""

from itertools import zip_longest

from bookproof.notebook import METADATA, normal, written

WRITERS = {  # what each writes into metadata
    "Colab": {"accelerator", "colab", "colab_type", "executionInfo", "id", "outputId", "user_tz"},
    "JupyterLab": {"editable", "execution", "slideshow", "scrolled", "trusted"},
    "the classic notebook": {"ExecuteTime", "collapsed", "heading_collapsed", "hide_input", "toc", "varInspector"},
    "VS Code": {"vscode"},
    "PyCharm": {"pycharm"},
    "Kaggle": {"_cell_guid", "_execution_state", "_kg_hide-input", "_kg_hide-output", "_uuid", "kaggle", "papermill"},
}


def changed(found, wanted):
    """The keys of metadata that differ from the normal ones, sorted."""
    return sorted(key for key in {*found, *wanted} if found.get(key) != wanted.get(key))


def metadata(notebook, form):
    """The finding on metadata that is not in normal form, if there is one."""
    keys, place = changed(notebook.data.get("metadata", {}), METADATA), None
    for cell, wanted in zip(notebook.cells, form["cells"]):
        more = changed(cell.data["metadata"], wanted["metadata"]) + sorted(set(cell.data) - set(wanted))
        for output, kept in zip(cell.outputs, wanted.get("outputs", [])):
            more += sorted(set(output.get("data", {})) - set(kept.get("data", {})))
            more += changed(output.get("metadata", {}), kept.get("metadata", {}))
        place = place or (more and cell.place)
        keys += more
    if keys:
        keys = list(dict.fromkeys(keys))
        who = [writer for writer, theirs in WRITERS.items() if theirs & set(keys)]
        where = f", first {place}" if place else ""
        by = f", as {' and '.join(who)} writes it" if who else ""
        yield f"{notebook.name}: metadata not in normal form ({', '.join(keys)}{where}){by}. Run `make outputs`."


def counts(notebook):
    """The finding on execution counts, if there is one: nbval compares nothing where there is no count."""
    wrong = [cell for cell in notebook.code if cell.data.get("execution_count") != cell.number]
    if not wrong:
        return
    if notebook.stripped:
        yield f"{notebook.name}: its outputs were stripped (nbstripout?), so nothing is compared. Run `make outputs`."
    elif (count := wrong[0].data.get("execution_count")) is None:
        yield f"{wrong[0].name}: no execution count, so nothing is compared. Run `make outputs`."
    else:
        why = "cells were added, moved or run alone"
        yield f"{wrong[0].name}: its count is {count}, not {wrong[0].number}: {why}. Run `make outputs`."


def ids(notebook, form):
    """The finding on ids that are missing, no good, or another cell's, if there is one."""
    for cell, wanted in zip(notebook.cells, form["cells"]):
        if cell.data.get("id") != wanted["id"]:
            yield f"{cell.name}: its id {cell.data.get('id')!r} is none, or that of a cell elsewhere. Run `make outputs`."
            return


def faults(notebook, before=()):
    """What differs from the normal form, a line for each cause. before: the `Notebook`s of earlier pages."""
    form = normal(notebook, [name for other in before for name in other.ids])
    found = [*metadata(notebook, form), *counts(notebook), *ids(notebook, form)]
    text = written(form)
    if not found and notebook.text != text:
        pairs = zip_longest(notebook.text.split("\n"), text.split("\n"))
        line = next(number for number, (old, new) in enumerate(pairs, 1) if old != new)
        found = [f"{notebook.name} line {line}: not laid out as `make outputs` writes it. Run `make outputs`."]
    return found
