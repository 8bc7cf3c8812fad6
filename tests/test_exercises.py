"""Each exercise's check, fed its worked solution, wrong answers and nonsense."""

import numbers
import re

import pytest
from bookproof.project import notebooks
from bookproof.run import Page
from bookproof.numbers import VALUE, whole
from tests.wrong_answers import WRONG_ANSWERS

NONSENSE = ["None", "'abc'", "b''", "[]", "object()", "float('nan')", "[[1, 2], [3]]", "len", "1j", "{}"]
SOLUTION = re.compile(r"<summary>Worked solution</summary>(?:(?!</details>).)*?```python\n(.*?)```", re.S)
PAGES = {path.stem: path for path in notebooks()}


@pytest.fixture(scope="module")
def pages():
    """Pages already run, by name; each is run once, when first asked for."""
    ready = {}

    def get(name):
        if name not in ready:
            ready[name] = Page(PAGES[name]).run()
        return ready[name]

    return get


def exercises(path):
    """The numbers of a page's exercises."""
    text = path.read_text(encoding="utf-8")
    return sorted({int(n) for n in re.findall(r"def check_(\d+)\(", text)})


CASES = [(name, number) for name, path in PAGES.items() for number in exercises(path)]


def solution(page, number):
    """The worked solution of an exercise, as code."""
    cells = iter(page.notebook.cells)
    for cell in cells:
        if cell.kind == "markdown" and cell.source.startswith(f"> **Exercise {number}.**"):
            break
    for cell in cells:
        if cell.source.startswith("> **Exercise"):
            break
        if cell.kind == "markdown" and (found := SOLUTION.search(cell.source)):
            return found.group(1)
    raise AssertionError(f"{page.notebook.name}: exercise {number} has no worked solution")


def call(page, number):
    """The call of the check in the exercise's answer cell, as code."""
    found = [
        match.group()
        for cell in page.notebook.code
        if (match := re.search(rf"(?m)^check_{number}\(.*\)$", cell.source))
    ]
    (line,) = found
    return line


def verdict(page, number, code):
    """What the check prints of the answer that `code` sets."""
    said = page.execute(f"{code}\n{call(page, number)}")
    return [line for line in said.splitlines() if line.startswith(f"Exercise {number}:")][-1]


@pytest.mark.parametrize(("name", "number"), CASES)
def test_worked_solution_is_right(pages, name, number):
    page = pages(name)
    assert verdict(page, number, solution(page, number)) == f"Exercise {number}: right."


@pytest.mark.parametrize(("name", "number"), CASES)
def test_wrong_answers_are_told_what_is_wrong(pages, name, number):
    page = pages(name)
    wrong = WRONG_ANSWERS[name][number]
    assert len(wrong) >= 2
    for code, word in wrong:
        said = verdict(page, number, code)
        assert said.startswith(f"Exercise {number}: not yet: "), (code, said)
        assert word in said, (code, said)


@pytest.mark.parametrize(("name", "number"), CASES)
def test_nonsense_gets_one_line_and_no_traceback(pages, name, number):
    page = pages(name)
    for nonsense in NONSENSE:
        said = page.execute(f"check_{number}({nonsense})").strip()
        assert len(said.splitlines()) == 1, (nonsense, said)
        assert re.match(rf"Exercise {number}: (not yet: |no answer yet)", said), (nonsense, said)


def gives_away(said, answer):
    """Whether a verdict shows the right answer: a number of two digits or more, or what it prints as."""
    if isinstance(answer, numbers.Real) and not isinstance(answer, bool):
        shown = [float(number) for number in re.findall(r"-?\d+\.?\d*(?:e[-+]?\d+)?", said)]
        return (abs(answer) >= 10 or answer % 1 != 0) and any(abs(n - answer) <= 1e-3 * abs(answer) for n in shown)
    return not callable(answer) and str(answer) in said


@pytest.mark.parametrize(("name", "number"), CASES)
def test_no_verdict_gives_the_answer_away(pages, name, number):
    page = pages(name)
    page.execute(solution(page, number))
    answer = page.namespace[f"answer_{number}"]
    for code in [code for code, _ in WRONG_ANSWERS[name][number]] + [f"answer_{number} = {text}" for text in NONSENSE]:
        said = verdict(page, number, code)
        assert not gives_away(said.partition(":")[2], answer), (code, said)


@pytest.mark.parametrize("name", PAGES)
def test_every_page_has_two_to_four_exercises_with_hints(name):
    text = PAGES[name].read_text(encoding="utf-8")
    count = len(exercises(PAGES[name]))
    assert 2 <= count <= 4
    assert text.count("<summary>Hint</summary>") == count
    assert text.count("<summary>Worked solution</summary>") == count
    for number in exercises(PAGES[name]):
        assert f"Exercise {number}: no answer yet." in text


@pytest.mark.parametrize(("name", "number"), CASES)
def test_worked_solutions_print_the_numbers_of_their_text(pages, name, number):
    page = pages(name)
    code = solution(page, number)
    text = next(cell.source for cell in page.notebook.markdown if f"```python\n{code}```" in cell.source)
    said = page.execute(code) + "\n".join(cell.printed for cell in page.notebook.code)
    for value in re.findall(r"(?<!`)`([^`\n]+)`(?!`)", text.split("Worked solution</summary>")[1]):
        if VALUE.fullmatch(value):
            assert whole(value).search(said) or whole(value).search(code), f"`{value}` is printed by no solution"
