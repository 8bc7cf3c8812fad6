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
TYPED = (ROOT / "tests/typed.txt").read_text(encoding="utf-8").splitlines()


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
    """What the check prints of the answer that `code` sets, which may print something itself before it."""
    with names_kept(page):
        said = page.execute(f"{code}\ncheck_{number}(answer_{number})").strip()
    return said[said.rindex(f"Exercise {number}: ") :]


def solution(page, number):
    """(the worked solution as code, the Markdown cell that holds it)."""
    cells = dict(exercises(page.notebook))[number]
    return next((found[1], cell.source) for cell in cells if (found := SOLUTION.search(cell.source)))


def gives_away(said, answer):
    """Whether a verdict shows the right answer: a number of two digits or more, or what it prints as."""
    if isinstance(answer, numbers.Real) and not isinstance(answer, bool):
        if answer % 1 == 0 and abs(answer) < 10:
            return False
        shown = [float(number) for number in re.findall(r"-?\d+\.?\d*(?:e[-+]?\d+)?", said)]
        return any(abs(number - answer) <= 1e-3 * abs(answer) for number in shown)
    return not callable(answer) and re.search(rf"\b{re.escape(str(answer))}\b", said)


@pytest.mark.parametrize(("stem", "number"), CASES)
def test_every_answer_gets_its_verdict_in_one_line_that_does_not_give_it_away(pages, stem, number):
    page, answers = pages(stem), listed(stem, number)
    code, _ = solution(page, number)
    with names_kept(page):
        page.execute(code)
        right = page.namespace[f"answer_{number}"]
    assert len(answers) >= 5 and any(says == "right" for _, says in answers), f"{stem}.yml: too few"
    for answer, says in [(code, "right"), *answers, *((nonsense, "") for nonsense in NONSENSE)]:
        said = verdict(page, number, as_code(number, answer))
        if says == "right":
            assert said == f"Exercise {number}: right.", answer
        else:
            line = re.fullmatch(rf"Exercise {number}: (not yet: .*|no answer yet)\.", said)
            assert line and says in said, (answer, said)
            assert not gives_away(line[1], right), (answer, said)


@pytest.mark.parametrize(("stem", "number"), CASES)
def test_worked_solutions_print_the_numbers_of_their_text(pages, stem, number):
    page = pages(stem)
    code, text = solution(page, number)
    with names_kept(page):
        known = code + page.execute(code) + "\n".join(cell.printed for cell in page.notebook.code)
    for value in re.findall(r"(?<!`)`([^`\n]+)`(?!`)", text.split("Worked solution</summary>")[1]):
        printed = not VALUE.fullmatch(value) or whole(value).search(known)
        assert printed, f"`{value}` is printed by no solution"


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


def plain(text):
    """One number as Python writes it: 10,000 and 10 000 without their gaps, a decimal comma as a point."""
    text = re.sub(r"([0-9])\s(?=[0-9]{3}(?![0-9]))", r"\1", text)
    if re.fullmatch(r"[-+]?[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]+)?", text):
        return text.replace(",", "")
    return re.sub(r"^([-+]?[0-9]*),([0-9]+)$", r"\1.\2", text)


def field_value(text, entry):
    """What the check is given for a text in the page's field: a literal of a few types, else the text."""
    text = re.sub("[‘’]", "'", re.sub("[“”]", '"', text.strip().replace("−", "-")))
    if not entry.get("wanted", "[").startswith("["):
        text = plain(text)
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
    keys = [key for found in entry["verdicts"].values() for key in found.split()]
    mixed = ["".join(rng.sample(key, len(key))) for key in keys]
    spaced = [", ".join(key).upper() for key in rng.sample(keys, min(len(keys), 20))]
    return texts + mixed + spaced + [key.lower() + rng.choice("xX9,.! ") for key in spaced]


def test_a_field_for_one_number_reads_it_as_people_write_it():
    one, several = {"wanted": "16777217"}, {"wanted": "[1, 2]"}
    thin = "16\u2009777\u2009217", "16\u202f777\xa0217"
    for text in ("16777217", "16,777,217", "16 777 217", *thin, "16_777_217"):
        assert field_value(text, one) == 16777217
    assert field_value("0,5232", one) == field_value("0.5232", one) == 0.5232
    assert field_value("−1 234,5", one) == -1234.5 and field_value("1,234.5", one) == 1234.5
    assert field_value("1, 2", one) == (1, 2) and field_value("[1,200]", one) == [1, 200]
    assert field_value("1,200", several) == (1, 200) and field_value("1 200", several) == "1 200"


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
            assert box.locator("form.answer").count() == 0
            assert "in a notebook" in box.locator(".elsewhere").inner_text()
            continue
        texts = typed(notebook, int(number), entry)
        for text, shown in zip(texts, box.evaluate(SUBMIT, texts)):
            notebook.namespace["_given"] = field_value(text, entry)
            assert shown == notebook.execute(f"check_{number}(_given)").strip(), text
