"""Numbers in prose: what is one, which line it quotes, what is wrong with it."""

import json

import pytest
import yaml

from bookproof import numbers, plain_numbers
from bookproof.project import ROOT, pages

CASES = yaml.safe_load((ROOT / "tests/numbers.yml").read_text(encoding="utf-8"))


def test_what_is_a_number_and_which_lines_show_it():
    for kind in ("shown", "hidden"):
        for value, lines in CASES[kind].items():
            shows = numbers.whole(value).search
            assert [line for line in lines if bool(shows(line)) != (kind == "shown")] == [], value
    assert [text for text in [*CASES["shown"], *CASES["numbers"]] if not numbers.VALUE.fullmatch(text)] == []
    assert [text for text in CASES["names"] if numbers.VALUE.fullmatch(text)] == []


def write(path, *cells):
    """A notebook of these cells: a text is Markdown; (source, what it printed, more metadata) is code."""
    made = []
    for cell in cells:
        if isinstance(cell, str):
            made.append({"cell_type": "markdown", "metadata": {}, "source": cell})
            continue
        source, text, *metadata = cell
        output = {"output_type": "stream", "name": "stdout", "text": text}
        code = {"source": source, "outputs": [output] * bool(text), "execution_count": 1}
        made.append({"cell_type": "code", "metadata": metadata[0] if metadata else {}, **code})
    text = {"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    path.write_text(json.dumps(text), encoding="utf-8")
    return path


def findings(path, check=numbers):
    return list(check.faults(numbers.Page(path), numbers.beside(path)))


def told(folder, prose):
    """The findings on `prose` between the cells of CASES."""
    *above, below = [(cell["source"], cell["printed"]) for cell in CASES["page"]]
    return findings(write(folder / "page.ipynb", *above, prose, below))


@pytest.mark.parametrize("prose", CASES["proved"])
def test_a_proved_number_is_not_found_fault_with(tmp_path, prose):
    assert told(tmp_path, prose) == []


@pytest.mark.parametrize("prose", CASES["unproved"])
def test_an_unproved_number_is_told_in_one_line_with_what_would_mend_it(tmp_path, prose):
    (line,) = told(tmp_path, prose)
    assert line.startswith("page.ipynb after In [2]: " + CASES["unproved"][prose])


def test_exercises_and_cells_without_digits_are_passed_over(tmp_path):
    exercise = ("check_1(answer_1)", "Exercise 1: no answer yet.", {"tags": ["exercise"]})
    cells = [("a", "it is 28"), ("b", "equal: True"), exercise, "So `28`."]
    assert findings(write(tmp_path / "page.ipynb", *cells)) == []


def test_pictures_prove_nothing():
    data = {"image/png": "", "text/plain": "<Figure size 600x350>"}
    assert numbers.printed(1, [{"output_type": "display_data", "data": data, "metadata": {}}]) == []


# The book's own pages


@pytest.fixture(scope="module")
def book():
    """Every page of the book, with the function that gives the notebooks beside it."""
    return [(numbers.Page(path), numbers.beside(path)) for path in pages()]


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
                ((_, _, fault),) = numbers.proofs(page, beside, only=number)
                passed += [] if fault else [f"{page.place(number.cell, number.line)}: {slip} for {true}"]
            number.value = true
    assert passed == []
    assert planted > 1000


def test_no_number_lights_an_ambiguous_line(book):
    for page, beside in book:
        for number, line, _ in numbers.proofs(page, beside):
            shows = numbers.whole(number.value).search
            assert line is None or shows(line.text)
            if line is not None and not number.label and page.sources:
                assert [other for other in page.printed[line.cell - 1] if shows(other.text)] == [line]


# Results in plain digits


def plain(folder, *texts, alt=""):
    """The findings on a notebook of one cell that prints 28, and these texts below it."""
    code = (CASES["code"], "28\n", {"mystnb": {"image": {"alt": alt}}})
    return findings(write(folder / "page.ipynb", code, *texts), plain_numbers)


def test_what_may_be_plain(tmp_path):
    """Inputs, words, mathematics; a number of an alt text that code or output holds; a printed prediction."""
    assert plain(tmp_path, CASES["fine"], alt="Two axes from 0.01 to 28, page 3") == []
    (found,) = plain(tmp_path, alt="A curve that ends at 29.")
    assert found.startswith("page.ipynb In [1]: 29 in the alt text: ")
    for number in (3, 4):
        answer = f"<details><summary>Answer</summary>\n\n**{number}.** A number.\n\n</details>"
        path = write(tmp_path / "page.ipynb", ("a = 1", ""), answer, ("b", "it is 3"))
        assert (findings(path, plain_numbers) == []) == (number == 3)


@pytest.mark.parametrize("text", CASES["plain"])
def test_a_result_in_plain_digits_is_found(tmp_path, text):
    (line,) = plain(tmp_path, text)
    assert line.startswith(f"page.ipynb after In [1]: {CASES['plain'][text]}")
