"""What nbval lets through, closed by the lint; and the lint shown to bite."""

import copy
import json

import pytest
from cells import notebooks
from lint import lint, shared_definitions

PAGES = notebooks()


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_notebook_is_clean(path):
    assert lint(path) == []


def test_shared_definitions_are_one_text():
    assert shared_definitions(PAGES) == []


def first(cells, wanted):
    return next(cell for cell in cells if wanted("".join(cell["source"]), cell))


def code(source, cell):
    return cell["cell_type"] == "code"


def figure(source, cell):
    return code(source, cell) and "plt.show()" in source


def markdown(source, cell):
    return cell["cell_type"] == "markdown"


FAULTS = {
    "no execution count": lambda c: first(c, code).update(execution_count=None),
    "without its picture": lambda c: first(c, figure).update(outputs=[]),
    "no output is stored": lambda c: first(c, lambda s, x: code(s, x) and s.startswith("print(")).update(outputs=[]),
    "a raw cell": lambda c: first(c, code).update(cell_type="raw"),
    "hides it from a check": lambda c: first(c, code)["metadata"].update(tags=["nbval-skip"]),
    "it imports scipy": lambda c: first(c, code).update(source="import scipy"),
    "line 1: 80 characters": lambda c: first(c, code).update(source="x" * 80),
    "a directive": lambda c: first(c, markdown).update(source="```{note}\nText\n```"),
    "a role": lambda c: first(c, markdown).update(source="{ref}`here`"),
    "a label": lambda c: first(c, markdown).update(source="(here)=\n# Title"),
    "an attachment": lambda c: first(c, markdown).update(source="![](attachment:a.png)"),
    "alt text": lambda c: first(c, figure)["metadata"].pop("mystnb"),
    "a warning or an error": lambda c: first(c, code).update(
        outputs=[{"output_type": "stream", "name": "stderr", "text": "careful"}]
    ),
    "not closed": lambda c: first(c, markdown).update(source="<details><summary>Hint</summary>\n\nText"),
}


@pytest.mark.parametrize("says", FAULTS)
def test_lint_bites(says, tmp_path):
    notebook = json.loads(PAGES[0].read_text(encoding="utf-8"))
    FAULTS[says](notebook["cells"])
    path = tmp_path / PAGES[0].name
    path.write_text(json.dumps(notebook), encoding="utf-8")
    found = lint(path)
    assert any(says in line for line in found), found
    assert all(line.startswith(f"{path.name} ") for line in found)


def test_lint_tells_a_file_that_is_not_json(tmp_path):
    path = tmp_path / "broken.ipynb"
    path.write_text("{ not json")
    (line,) = lint(path)
    assert line.startswith("broken.ipynb: not a notebook")


def test_a_changed_shared_definition_is_found(tmp_path):
    paths = []
    for page in (path for path in PAGES if "def forward(params" in path.read_text(encoding="utf-8")):
        notebook = json.loads(page.read_text(encoding="utf-8"))
        for cell in copy.copy(notebook["cells"]):
            if paths and "def forward(params" in "".join(cell["source"]):
                cell["source"] = "".join(cell["source"]).replace("np.tanh(z)", "np.tanh( z)")
        paths.append(tmp_path / page.name)
        paths[-1].write_text(json.dumps(notebook), encoding="utf-8")
    found = shared_definitions(paths)
    assert len(found) == len(paths) - 1
    assert "forward differs from that of 00_by_hand.ipynb" in found[0]
