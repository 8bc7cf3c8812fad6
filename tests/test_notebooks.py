"""The notebooks pass the lint, hold what the course quotes, and the lint bites.

The faults are those of `make faults` that the lint must catch; the other
checks take minutes and are left to that command.
"""

import shutil

import pytest
from bookproof.cells import notebooks
from bookproof.commands.faults import caught_by, lint_findings, planted
from bookproof.lint import CHAPTERS, Cells, lint, shared_definitions
from bookproof.commands.planted import FAULTS

PAGES = notebooks()
QUOTED = {  # printed to the letter, since readers meet these lines elsewhere in the course
    "01_tensors": [
        "tensor([[1., 2.],\n        [3., 4.]], dtype=torch.float64)\n"
        "dtype : torch.float64\nmatmul: [[7.0, 10.0], [15.0, 22.0]]\n",
        "a tensor made from scratch: torch.float32\n",
    ],
    "02_modules": [
        "MLP(\n  (layers): ModuleList(\n"
        "    (0): Linear(in_features=2, out_features=4, bias=True)\n"
        "    (1): Linear(in_features=4, out_features=4, bias=True)\n"
        "    (2): Linear(in_features=4, out_features=1, bias=True)\n  )\n)\n",
        "parameters: 37\n"
        "  layers.0.weight  (4, 2)\n  layers.0.bias    (4,)\n"
        "  layers.1.weight  (4, 4)\n  layers.1.bias    (4,)\n"
        "  layers.2.weight  (1, 4)\n  layers.2.bias    (1,)\n",
    ],
    "04_initialisation": ["sample std of weights: 0.159\nformula               : 0.158\n"],
    "05_requires_grad": ["requires_grad: True\n", "gradient before any backward pass: None\n"],
}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_notebook_is_clean(path):
    assert lint(path) == []


def test_shared_definitions_are_one_text():
    assert shared_definitions(PAGES) == []


@pytest.mark.parametrize(("name", "block"), [(name, block) for name in QUOTED for block in QUOTED[name]])
def test_a_quoted_block_is_printed_to_the_letter(name, block):
    code = Cells(CHAPTERS / f"{name}.ipynb").of("code")
    printed = ["".join("".join(output.get("text", "")) for output in cell["outputs"]) for _, cell, _ in code]
    assert any(f"\n{block}" in f"\n{text}" for text in printed), f"to be printed to the letter: {block!r}"


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """A folder with the chapters alone, all that the lint reads."""
    folder = tmp_path_factory.mktemp("book")
    shutil.copytree(CHAPTERS, folder / "chapters")
    return folder


@pytest.mark.parametrize("fault", [f for f in FAULTS if f.check == "lint"], ids=lambda fault: fault.what)
def test_the_lint_bites(fault, root, tmp_path):
    book, (place,) = planted(root, tmp_path / "book", [fault])
    found = lint_findings(book)
    assert caught_by(fault, place, found), (place, found)
