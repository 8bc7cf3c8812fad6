"""The book passes its lints and holds what the course quotes; `make outputs` stores what cells print."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor

import pytest
import yaml

from bookproof import lint, settings
from bookproof.commands import check, outputs
from bookproof.kernels import Kernels
from bookproof.notebook import Notebook
from bookproof.project import CHAPTERS, ROOT
from tests.small_book import HERE

QUOTED = yaml.safe_load((ROOT / "tests" / "quoted.yml").read_text(encoding="utf-8"))
SMALL = HERE / "chapters" / "a_deeper.ipynb"


def test_the_book_is_clean():
    assert settings.lint() + lint.lint_book() == []


@pytest.mark.parametrize(("name", "block"), [(name, block) for name in QUOTED for block in QUOTED[name]])
def test_a_quoted_block_is_printed_to_the_letter(name, block):
    printed = [cell.printed for cell in Notebook(CHAPTERS / f"{name}.ipynb").code]
    assert any(f"\n{block}" in f"\n{text}\n" for text in printed), f"to be printed to the letter: {block!r}"


def stored(path, first=None):
    """(what `make outputs` says of the small notebook, its outputs cut; its text). first: its first code."""
    data = json.loads(SMALL.read_text(encoding="utf-8"))
    code = [cell for cell in data["cells"] if cell["cell_type"] == "code"]
    for cell in code:
        cell |= {"outputs": [], "execution_count": None}
    code[0]["source"] = first or code[0]["source"]
    path.write_text(text := json.dumps(data), encoding="utf-8")
    with ThreadPoolExecutor() as apart:  # a browser's loop may run in this thread
        return apart.submit(lambda: asyncio.run(outputs.run(path, [], asyncio.Semaphore()))).result(), text


def test_outputs_are_stored_and_stay(tmp_path):
    """A notebook that was stripped is as it was; one that fails is left alone and its cell is named."""
    path = tmp_path / SMALL.name
    with Kernels(plain=True):
        assert stored(path)[0] is None
        assert path.read_text(encoding="utf-8") == SMALL.read_text(encoding="utf-8")
        said, before = stored(path, ["1 / 0"])
    assert said == f"{path.name} In [1]: ZeroDivisionError: division by zero (file left as it was)"
    assert path.read_text(encoding="utf-8") == before


def test_a_change_of_prose_leaves_a_notebook_proved(tmp_path):
    path, text = tmp_path / SMALL.name, SMALL.read_text(encoding="utf-8")

    def after(old, new):
        path.write_text(text.replace(old, new), encoding="utf-8")
        assert path.read_text(encoding="utf-8") != text
        return check.digest(path)

    assert after("# A", "# Another A") == check.digest(SMALL)
    changed = after("import", "import  "), after('"name": "stdout"', '"name": "stderr"')
    assert len({check.digest(SMALL), *changed}) == 3


def test_check_knows_no_page_that_is_not_there():
    said = check.main(["chapters/nothing.ipynb"])
    assert said.endswith("nothing.ipynb is no notebook that _toc.yml names.")
