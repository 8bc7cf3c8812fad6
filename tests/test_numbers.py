"""Numbers in prose: what is one, which line it quotes, what is wrong with it; on small pages, then on the book's."""

import json

import pytest

from bookproof import numbers, plain_numbers
from bookproof.project import pages

SHOWN = {
    "37": ["37 numbers", "(37,)", "[37]", "n=37.", "9-37", "37, 28", "37: yes", "28 + 9 = 37"],
    "0.159": ["std 0.159", "['0.159']", "0.159."],
    "-0.3057": ["y: [-0.3057  1.]", "x = -0.3057"],
    "2.2e-16": ["gap 2.2e-16, rest"],
    "37%": ["it is 37% of"],
    "1.": ["[1. 2.]"],
    "(5, 1)": ["y (5, 1)", "((5, 1), 2)"],
    "[2, 0]": ["Size([2, 0])"],
    "10,000": ["of 10,000 draws"],
    "0.159 s": ["it took 0.159 s."],
    "1/7": ["p = 1/7"],
}
HIDDEN = {
    "37": ["137", "37.5", "0.37", "-37", "+37", "1e-37", "1,037", "37,000", "x37", "37x", "2^37", "2**37", "37%", "2^-37"],
    "037": ["1,037"],
    "0.159": ["0.1587", "-0.159", "10.159", "0.159e-3"],
    "-0.3057": ["0.3057", "--0.30571", "1-0.3057", "2^-0.3057"],
    "16": ["2.2e-16"],
    "2.2e-16": ["2.2e-160", "12.2e-16"],
    "1.": ["1.5", "11."],
    "(5, 1)": ["f(5, 1)", "(5, 1, 2)", "(15, 1)", "(5,1)"],
    "10,000": ["110,000", "10,000,000", "10000"],
    "0.159 s": ["0.159 ms", "0.159 steps"],
}


@pytest.mark.parametrize(("value", "line"), [(value, line) for value in SHOWN for line in SHOWN[value]])
def test_a_line_shows_a_whole_number(value, line):
    assert numbers.whole(value).search(line)


@pytest.mark.parametrize(("value", "line"), [(value, line) for value in HIDDEN for line in HIDDEN[value]])
def test_a_part_of_a_number_or_another_one_is_not_shown(value, line):
    assert not numbers.whole(value).search(line)


def test_what_is_a_number():
    for text in [*SHOWN, "-0.5", "(5,)", "[2.0, 3.0]", "[-0.5 1.0]", "[[1.0, 2.0], [3.0, 4.0]]", "13 of 28", "37 numbers"]:
        assert numbers.VALUE.fullmatch(text), text
    for text in ("x", "float64", "0.weight", "2**-25", "(n, 2)", "f(1)", "1 / 3", "()", "True"):
        assert not numbers.VALUE.fullmatch(text), text


PRINTED = "weights: 28\nbiases : 61\ntotal 37 of 39\nstd 0.159 beside 0.158\nsame 5.0\nalso 5.0\n(4, 2)"
ABOVE = "parameters 74\nand 600"


def write(path, *cells):
    """A notebook of these cells: a text is Markdown; (source, what it printed, more metadata) is code."""
    made = []
    for cell in cells:
        if isinstance(cell, str):
            made.append({"cell_type": "markdown", "metadata": {}, "source": cell})
            continue
        source, text, *metadata = cell
        outputs = [{"output_type": "stream", "name": "stdout", "text": text}] if text else []
        metadata = metadata[0] if metadata else {}
        made.append({"cell_type": "code", "metadata": metadata, "source": source, "outputs": outputs, "execution_count": 1})
    path.write_text(json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}), encoding="utf-8")
    return path


def told(folder, prose):
    """The findings on `prose` below two cells, of which the nearer printed PRINTED and the other ABOVE."""
    path = write(folder / "page.ipynb", ("shape = (4, 2)\nsizes = [2, 4, 1]", ABOVE), ("b", PRINTED), prose, ("c", "later 470"))
    return list(numbers.faults(numbers.Page(path), numbers.beside(path)))


RIGHT = [
    "`28` and `61`, by the line.",
    "`0.159`<!-- std --> and `0.158`<!-- beside -->.",
    "`37`<!-- total --> and `39`<!-- of -->, also **`37`<!-- total -->**.",
    "`5.0`<!-- also -->",
    "Further up: `74`<!-- parameters -->.",
    "`[2, 4, 1]` is code, `float64` is a name.",
    "> A quotation with `28`.\n\n| a | b |\n|---|---|\n| `61` | `74`<!-- parameters --> |",
    "<details><summary>Answer</summary>\n\nIt prints `470`, and `74`<!-- parameters -->.\n\n</details>",
    "<details><summary>Worked solution</summary>\n\nIt is `123`.\n\n```python\nprint(123)\n```\n\n</details>",
]
WRONG = {
    "`27`": "`27`: no output above it prints it. Print it",
    "`470`": "`470`: no output above it prints it.",
    "`0.159`": "`0.159`: In [2] prints 0.158 beside it. Name its line: `0.159`<!-- std --> (In [2]: std 0.159 beside 0.158).",
    "`5.0`": "`5.0`: In [2] prints it on 2 lines. Name its line: `5.0`<!-- same --> (In [2]: same 5.0); or `5.0`<!-- also -->",
    "`74`": "`74`: In [2], the nearest above, does not print it. Name its line: `74`<!-- parameters --> (In [1]: parameters 74).",
    "`39`<!-- total -->": "`39`: it is not the first number after `total` in In [2] (total 37 of 39). Mend the number or the label.",
    "`37`<!-- sum -->": "`37`: no line that may prove it holds its label `sum`.",
    "`(4, 3)`": "`(4, 3)`: no output above it prints it.",
    "`10,000`": "`10,000`: no output above it prints it.",
    "`0.159 s`": "`0.159 s`: no output above it prints it.",
    "<details><summary>Answer</summary>\n\nIt prints `471`.\n\n</details>": "`471`: no output above it prints it.",
    "`37`<!-- -->": "`37`: In [2] prints 39 beside it.",
}


@pytest.mark.parametrize("prose", RIGHT)
def test_a_proved_number_is_not_found_fault_with(tmp_path, prose):
    assert told(tmp_path, prose) == []


@pytest.mark.parametrize("prose", WRONG)
def test_an_unproved_number_is_told_in_one_line_with_what_would_mend_it(tmp_path, prose):
    (line,) = told(tmp_path, prose)
    assert line.startswith("page.ipynb after In [2]: " + WRONG[prose])


def test_exercises_and_cells_without_digits_are_passed_over(tmp_path):
    exercise = ("check_1(answer_1)", "Exercise 1: no answer yet.", {"tags": ["exercise"]})
    path = write(tmp_path / "page.ipynb", ("a", "it is 28"), ("b", "equal: True"), exercise, "So `28`.")
    assert list(numbers.faults(numbers.Page(path), numbers.beside(path))) == []


def test_pictures_prove_nothing(tmp_path):
    output = {"output_type": "display_data", "data": {"image/png": "", "text/plain": "<Figure size 600x350>"}, "metadata": {}}
    assert numbers.printed(1, [output]) == []


def test_a_page_without_cells_names_the_notebook(tmp_path):
    write(tmp_path / "page.ipynb", ("a", ABOVE), ("b", PRINTED))
    path = tmp_path / "recap.md"
    path.write_text(
        "# Recap\n\n- It has `28` ([page](page.ipynb)), not `41` ([page](page.ipynb)).\n- Nobody says where `28` is.\n\n"
        "[The page](page.ipynb) has `61`, or [`74`](page.ipynb), or `37`.\n\n"
        "| page | number |\n|---|---|\n| [page](page.ipynb) | `600` |\n"
    )
    assert [line.split(":")[0:2] for line in numbers.faults(numbers.Page(path), numbers.beside(path))] == [
        ["recap.md line 3", " `41`"], ["recap.md line 4", " `28`"], ["recap.md line 6", " `37`"]
    ]


# The book's own pages


@pytest.fixture(scope="module")
def book():
    """Every page of the book, with the function that gives the notebooks beside it."""
    return [(numbers.Page(path), numbers.beside(path)) for path in pages()]


def test_every_number_of_the_book_is_proved(book):
    assert [line for page, beside in book for line in numbers.faults(page, beside)] == []
    assert [line for page, beside in book for line in plain_numbers.faults(page, beside)] == []


def test_few_numbers_need_a_label(book):
    found = [number for page, _ in book for number in page.numbers]
    assert sum(number.label is not None for number in found) <= 0.4 * len(found)


def test_no_slip_of_one_digit_passes(book):
    """All nine other digits in the place of each digit; solutions are held against their code elsewhere."""
    passed, planted = [], 0
    for page, beside in book:
        for number in page.numbers:
            true = number.value
            for slip in [] if number.solved else numbers.slips(true):
                planted += 1
                number.value = slip
                (fault,) = [fault for other, _, fault in numbers.proofs(page, beside, only=number)]
                passed += [] if fault else [f"{page.place(number.cell, number.line)}: {slip} for {true}"]
            number.value = true
    assert passed == []
    assert planted > 100


def test_no_number_lights_an_ambiguous_line(book):
    for page, beside in book:
        for number, line, _ in numbers.proofs(page, beside):
            assert line is None or numbers.whole(number.value).search(line.text)
            if line is not None and not number.label and page.sources:
                same = [other for other in page.printed[line.cell - 1] if numbers.whole(number.value).search(other.text)]
                assert same == [line]


# Results in plain digits

FINE = """# 3 pages, 28 numbers

Three layers, `28` numbers, $28$ or $W_{28}$, a step of 0.01, sizes 2-4-1 and `[2, 4, 1]`, page 3, Chapters 3 and 5, seed 0,
Figure 4.1. [Page 12](12_x.ipynb), in 2010 ([pytorch#715](https://x.org/715)), float64, MT19937, torch 2.13.0, 10,000 points.

$$
x = 28
$$

```python
28
```
"""
PLAIN = {
    "3 layers": "3 in plain digits (… 3 layers …): a single digit. Write the word, or mathematics.",
    "it has 28 numbers": "28 in plain digits (… it has 28 numbers …): an output above shows it. Write `28`.",
    "it has 29 numbers": "29 in plain digits (… it has 29 numbers …): no code holds it. "
    "Print it and write it as code, or use words or mathematics.",
    "a std of 0.0101.": "0.0101 in plain digits (… a std of 0.0101. …): no code holds it. "
    "Print it and write it as code, or use words or mathematics.",
    "from seed 5.": "5 in plain digits (… from seed 5. …): a seed that no code holds.",
    "shape (4, 2)": "(4, 2) in plain digits (… shape (4, 2) …): a list. Write `(4, 2)`.",
    "a 2-4-2 network": "2-4-2 in plain digits (… a 2-4-2 network …): no list in the code holds these sizes.",
}
CODE = "%config x\nstep, sizes, n, seed = 1e-2, [2, 4, 1], 10_000, 0\nprint(4 * 7)"


def plain(folder, *texts, alt=""):
    """The findings on a notebook of one cell that prints 28, and these texts below it."""
    path = write(folder / "page.ipynb", (CODE, "28\n", {"mystnb": {"image": {"alt": alt}}}), *texts)
    return list(plain_numbers.faults(numbers.Page(path), numbers.beside(path)))


def test_inputs_words_and_mathematics_are_fine(tmp_path):
    assert plain(tmp_path, FINE, alt="Two axes from 0.01 to 28, page 3") == []


@pytest.mark.parametrize("text", PLAIN)
def test_a_result_in_plain_digits_is_found(tmp_path, text):
    assert plain(tmp_path, text) == [f"page.ipynb after In [1]: {PLAIN[text]}"]


def test_a_predicted_number_is_printed_by_the_cell_below(tmp_path):
    answer = "<details><summary>Answer</summary>\n\n**{}.** A number.\n\n</details>"
    for number, right in ((3, True), (4, False)):
        path = write(tmp_path / "page.ipynb", ("a = 1", ""), answer.format(number), ("b", "it is 3"))
        assert right == (not list(plain_numbers.faults(numbers.Page(path), numbers.beside(path))))


def test_a_number_of_an_alt_text_is_in_code_or_output(tmp_path):
    (found,) = plain(tmp_path, alt="A curve that ends at 29.")
    assert found.startswith("page.ipynb In [1]: 29 in the alt text: ")


def test_a_page_without_cells_names_the_page_of_an_input(tmp_path):
    plain(tmp_path)
    page = tmp_path / "recap.md"
    page.write_text("# Recap\n\n- A step of 0.01 ([page](page.ipynb)).\n- A step of 0.01.\n")
    (found,) = plain_numbers.faults(numbers.Page(page), numbers.beside(page))
    assert found.startswith("recap.md line 4: 0.01 in plain digits")
