"""The notebooks pass the lint, hold what the course quotes, and come home clean from every editor."""

import asyncio
import json

import pytest
import yaml

from bookproof import lint
from bookproof.commands import outputs
from bookproof.kernels import Kernels
from bookproof.notebook import Notebook, normal, written
from bookproof.project import CHAPTERS, ROOT
from tests.small_book import HERE

QUOTED = yaml.safe_load((ROOT / "tests" / "quoted.yml").read_text(encoding="utf-8"))
SMALL = HERE / "chapters" / "a_deeper.ipynb"
PERSON = "Ada, 12345"


def test_the_book_is_clean():
    assert lint.lint_book() == []


@pytest.mark.parametrize(("name", "block"), [(name, block) for name in QUOTED for block in QUOTED[name]])
def test_a_quoted_block_is_printed_to_the_letter(name, block):
    printed = [cell.printed for cell in Notebook(CHAPTERS / f"{name}.ipynb").code]
    assert any(f"\n{block}" in f"\n{text}\n" for text in printed), f"to be printed to the letter: {block!r}"


def edited(change):
    """The small book's notebook as data, each cell and the whole changed by `change(data, cell or None)`."""
    data = json.loads(SMALL.read_text(encoding="utf-8"))
    for cell in data["cells"]:
        change(data, cell)
    change(data, None)
    return data


def colab(data, cell):
    if cell is None:
        data["metadata"] |= {"accelerator": "GPU", "colab": {"name": PERSON, "provenance": []}, "widgets": {}}
        data["nbformat_minor"] = 0
        return
    user = {"displayName": PERSON, "userId": PERSON, "photoUrl": PERSON}
    ran = {"elapsed": 9, "status": "ok", "timestamp": 1, "user": user, "user_tz": -60}
    cell["metadata"] = {"id": cell.pop("id"), "outputId": PERSON, "colab": {"base_uri": PERSON}, "executionInfo": ran} | {
        key: cell["metadata"][key] for key in ("tags", "mystnb") if key in cell["metadata"]
    }
    for output in cell.get("outputs", []):
        if "data" in output:
            output["data"]["application/vnd.google.colaboratory.intrinsic+json"] = {"type": PERSON}
            output["metadata"] = {"tags": [], "needs_background": "light"} | output["metadata"]


def jupyterlab(data, cell):
    if cell is None:
        data["metadata"]["language_info"] |= {"version": "3.12.1", "pygments_lexer": "ipython3"}
        data["metadata"]["kernelspec"] = {"display_name": "Python 3 (ipykernel)", "name": "conda-env-x-py"}
        return
    cell["metadata"] |= {"execution": {"iopub.status.busy": PERSON}, "scrolled": True, "editable": True, "slideshow": {}}
    cell["metadata"].setdefault("tags", [])
    cell["metadata"].pop("jupyter", None)  # opened, then saved


def code(data, cell):
    if cell is None:
        data["metadata"]["vscode"] = {"interpreter": {"hash": PERSON}}
    else:
        cell["metadata"] |= {"vscode": {"languageId": "python"}, "pycharm": {"name": PERSON}, "collapsed": False}


def kaggle(data, cell):
    if cell is None:
        data["metadata"] |= {"kaggle": {"dataSources": [PERSON]}, "papermill": {"duration": 1}, "toc": {}, "varInspector": {}}
    else:
        cell["metadata"] |= {"_uuid": PERSON, "_kg_hide-input": True, "ExecuteTime": {"end_time": PERSON}, "hide_input": True}


def nbstripout(data, cell):
    if cell and cell["cell_type"] == "code":
        cell |= {"outputs": [], "execution_count": None}


def one_more_cell(data, cell):
    if cell is None:
        data["cells"].insert(1, dict(data["cells"][-1], id="new") | {"cell_type": "code", "outputs": [], "execution_count": None})


@pytest.mark.parametrize("editor", [colab, jupyterlab, code, kaggle, nbstripout, one_more_cell])
def test_what_an_editor_left_is_one_line_and_is_removed(tmp_path, editor):
    path = tmp_path / SMALL.name
    path.write_text(json.dumps(edited(editor), indent=2), encoding="utf-8")
    (line,) = lint.form.faults(Notebook(path))
    assert "Run `make outputs`" in line
    clean = normal(Notebook(path))
    path.write_text(written(clean), encoding="utf-8")
    assert PERSON not in path.read_text(encoding="utf-8")
    if editor in (colab, jupyterlab, code, kaggle):
        assert list(lint.form.faults(Notebook(path))) == []
        assert [cell["metadata"] for cell in clean["cells"]] == [cell.data["metadata"] for cell in Notebook(SMALL).cells]


def test_a_layout_of_another_editor_is_told(tmp_path):
    path = tmp_path / SMALL.name
    path.write_text(SMALL.read_text(encoding="utf-8").replace("\n ", "\n  "), encoding="utf-8")
    (line,) = lint.form.faults(Notebook(path))
    assert "not laid out" in line


def stored(path):
    """What `make outputs` says of one notebook."""
    return asyncio.run(outputs.run(path, [], asyncio.Semaphore()))


def test_outputs_are_stored_and_stay(tmp_path):
    """A notebook that came from Colab is as it was before; one that fails is left alone and its cell is named."""
    path = tmp_path / SMALL.name
    path.write_text(json.dumps(edited(nbstripout)), encoding="utf-8")
    with Kernels(plain=True):
        assert stored(path) is None
        assert path.read_text(encoding="utf-8") == SMALL.read_text(encoding="utf-8")
        data = edited(nbstripout)
        next(cell for cell in data["cells"] if cell["cell_type"] == "code")["source"] = ["1 / 0"]
        path.write_text(broken := json.dumps(data), encoding="utf-8")
        assert stored(path) == f"{path.name} In [1]: ZeroDivisionError: division by zero (file left as it was)"
        assert path.read_text(encoding="utf-8") == broken
