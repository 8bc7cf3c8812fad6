"""Each exercise: its check, fed the worked solution, listed answers, nonsense; and the page's own verdicts.

tests/answers/<page>.yml lists, by exercise, answers (an expression, or code that sets answer_n) and what the
verdict on each says: `right`, or a word of it.
"""

import ast
import contextlib
import json
import numbers
import random
import re

import pytest
import yaml

from bookproof import verdicts
from bookproof.lint.boxes import SOLUTION, exercises
from bookproof.notebook import Notebook
from bookproof.numbers import VALUE, whole
from bookproof.project import ROOT, notebooks
from bookproof.run import Page

PAGES = {path.stem: path for path in notebooks()}
CASES = [(stem, number) for stem, path in PAGES.items() for number, _ in exercises(Notebook(path))]
NONSENSE = ["None", "'no #?'", "b''", "[]", "object()", "float('nan')", "[[1, 2], [3]]", "len", "1j", "{}"]

# what people type into a field, thought of without any check in view
TYPED = (
    """
abc|'abc'|"ab"|None|...|True|False|0|-0|-1|- 1|+1|--1|1.|.5|-.5|1e3|1E-3|1e400|-1e400|1_000|007|1,5|1.5.2|1 2
3*20|2**24|1/2|x|nan|inf|[]|()|[[]]|[1]|(1,)|1,|(1)|[1, 2|[1, 2]]|[1, 2]|[[1, 2], [3]]|[[1, 2], [3, 4]]|[1, 'a']
[None]|[True]|[True, 1]|[1, 2.5]|[1e400, 1]|99999999999999999999|[99999999999999999999]|9007199254740993|{}|1j|b''
a|A|ab|ba|a, b|a; b|AB.|abcd|DCBA|abc abc|z|zz|é|?|a?|answer|no idea|I don't know|yes|the same|−1|‘a’|“ab”|#|1a
a and b|B und A|BACD|[['a', 'b'], 'c']|{'a'}|(1, [2, 3])|[1, 2, 3, 4]|1.0|16777217.0|-9223372036854775808
""".replace("\n", "|")
    .strip("|")
    .split("|")
)


@pytest.fixture(scope="module")
def pages():
    """Pages already run, by name; each is run once, when first asked for."""
    ready = {}

    def get(stem):
        if stem not in ready:
            ready[stem] = Page(PAGES[stem]).run()
        return ready[stem]

    return get


def listed(stem, number):
    """(answer, what the verdict says) of tests/answers; a page without its list has none."""
    path = ROOT / "tests/answers" / f"{stem}.yml"
    lists = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader) if path.exists() else {}
    return [(entry["answer"], entry["says"]) for entry in lists.get(str(number), [])]


def as_code(number, answer):
    """An answer of a list as code that sets it."""
    try:
        compile(answer.strip(), "answer", "eval")
    except SyntaxError:
        return answer
    return f"answer_{number} = {answer}"


@contextlib.contextmanager
def names_kept(page):
    """Within it a page's names may change; after it they are as before."""
    kept = dict(page.namespace)
    try:
        yield
    finally:
        page.namespace.clear()
        page.namespace.update(kept)


def verdict(page, number, code):
    """What the check prints of the answer that `code` sets."""
    with names_kept(page):
        said = page.execute(f"{code}\ncheck_{number}(answer_{number})")
    return re.findall(rf"Exercise {number}: .*", said)[-1]


def solution(page, number):
    """(the worked solution as code, the Markdown cell that holds it)."""
    cells = dict(exercises(page.notebook))[number]
    return next((found[1], cell.source) for cell in cells if (found := SOLUTION.search(cell.source)))


@pytest.mark.parametrize(("stem", "number"), CASES)
def test_every_answer_gets_its_verdict(pages, stem, number):
    page, right = pages(stem), f"Exercise {number}: right."
    assert verdict(page, number, solution(page, number)[0]) == right
    answers = listed(stem, number)
    assert len(answers) >= 5 and any(says == "right" for _, says in answers), (
        f"tests/answers/{stem}.yml: too few"
    )
    for answer, says in answers:
        said = verdict(page, number, as_code(number, answer))
        if says == "right":
            assert said == right, answer
        else:
            assert re.match(rf"Exercise {number}: (not yet: |no answer yet)", said) and says in said, (
                answer,
                said,
            )


@pytest.mark.parametrize(("stem", "number"), CASES)
def test_nonsense_gets_one_line_and_no_traceback(pages, stem, number):
    page = pages(stem)
    for nonsense in NONSENSE:
        said = page.execute(f"check_{number}({nonsense})").strip()
        assert re.fullmatch(rf"Exercise {number}: (not yet: .*|no answer yet)\.", said), (nonsense, said)


def gives_away(said, answer):
    """Whether a verdict shows the right answer: a number of two digits or more, or what it prints as."""
    if isinstance(answer, numbers.Real) and not isinstance(answer, bool):
        shown = [float(number) for number in re.findall(r"-?\d+\.?\d*(?:e[-+]?\d+)?", said)]
        return (abs(answer) >= 10 or answer % 1 != 0) and any(
            abs(n - answer) <= 1e-3 * abs(answer) for n in shown
        )
    return not callable(answer) and re.search(rf"\b{re.escape(str(answer))}\b", said)


@pytest.mark.parametrize(("stem", "number"), CASES)
def test_no_verdict_gives_the_answer_away(pages, stem, number):
    page = pages(stem)
    with names_kept(page):
        page.execute(solution(page, number)[0])
        right = page.namespace[f"answer_{number}"]
    for answer in [answer for answer, _ in listed(stem, number)] + NONSENSE:
        said = verdict(page, number, as_code(number, answer))
        assert not gives_away(said.partition(":")[2], right), (answer, said)


@pytest.mark.parametrize(("stem", "number"), CASES)
def test_worked_solutions_print_the_numbers_of_their_text(pages, stem, number):
    page = pages(stem)
    code, text = solution(page, number)
    with names_kept(page):
        known = code + page.execute(code) + "\n".join(cell.printed for cell in page.notebook.code)
    for value in re.findall(r"(?<!`)`([^`\n]+)`(?!`)", text.split("Worked solution</summary>")[1]):
        assert not VALUE.fullmatch(value) or whole(value).search(known), (
            f"`{value}` is printed by no solution"
        )


# The page's own verdicts


@pytest.mark.parametrize("stem", PAGES)
def test_stored_verdicts_are_those_of_the_checks(pages, stem):
    made, file = verdicts.written(verdicts.record(pages(stem))), verdicts.file_of(PAGES[stem])
    stored = file.read_text(encoding="utf-8") if file.exists() else ""
    assert made == stored, f"{file.name} is stale: run `make outputs NOTEBOOKS=chapters/{stem}.ipynb`"


def is_plain(value):
    if isinstance(value, (list, tuple)):
        return all(map(is_plain, value))
    return value is None or value is ... or isinstance(value, (bool, int, float, str))


def field_value(text):
    """What the check is given for a text in the page's field: a literal of a few types, else the text."""
    text = re.sub("[‘’]", "'", re.sub("[“”]", '"', text.strip().replace("−", "-")))
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text or None
    return value if is_plain(value) else text


def typed(page, number, entry):
    """Texts to type into the field of an exercise: nonsense, listed answers, all that its check knows of."""
    texts = [*TYPED, *(answer for answer, _ in listed(page.notebook.path.stem, number) if "\n" not in answer)]
    for text in list(texts):  # what an expression stands for
        try:
            value = eval(text, dict(page.namespace))
        except Exception:
            continue
        value = value.tolist() if hasattr(value, "tolist") else value
        texts += [repr(value)] if is_plain(value) and "nan" not in repr(value) else []
    if entry["kind"] == "numbers":
        known = [entry["wanted"], *(value for value, _ in entry["mistakes"])]
        return texts + known + [f"-{value}" for value in known] + [f"[{value}]" for value in known]
    rng = random.Random(number)
    keys = [key for _, found in entry["verdicts"] for key in found]
    mixed = ["".join(rng.sample(key, len(key))) for key in keys]
    spaced = [", ".join(key).upper() for key in rng.sample(keys, min(len(keys), 20))]
    return texts + mixed + spaced + [key.lower() + rng.choice("xX9,.! ") for key in spaced]


SUBMIT = """(box, texts) => texts.map((text) => {
  box.querySelector("[name=answer]").value = text;
  box.querySelector("form.answer").requestSubmit();
  return box.querySelector("output").textContent;
})"""


@pytest.mark.parametrize("stem", PAGES)
def test_the_page_says_what_the_check_says_word_for_word(pages, page, site, stem):
    notebook = pages(stem)
    page.goto(f"{site}/chapters/{stem}.html")
    entries = json.loads(verdicts.file_of(PAGES[stem]).read_text(encoding="utf-8"))
    boxes = page.locator(".exercise")
    assert boxes.count() == len(entries)
    for number, entry in entries.items():
        box = boxes.nth(int(number) - 1)
        if entry["kind"] == "code":
            assert (
                box.locator("form.answer").count() == 0
                and "in a notebook" in box.locator(".elsewhere").inner_text()
            )
            continue
        texts = typed(notebook, int(number), entry)
        for text, shown in zip(texts, box.evaluate(SUBMIT, texts)):
            notebook.namespace["_given"] = field_value(text)
            assert shown == notebook.execute(f"check_{number}(_given)").strip(), text
