"""Numbers in prose: what proves one, how it is linked, how a fault is told."""

import json
import re

from bookproof import lint
from bookproof import plain_numbers
import pytest
from bookproof.cells import notebooks
from tests.conftest import ROOT, build
from bookproof.sphinx.proved import VALUE, whole

SHOWN = {
    "37": ["37 numbers", "(37,)", "[37]", "n=37.", "9-37", "37, 28", "37: yes", "28 + 9 = 37"],
    "0.159": ["std 0.159", "['0.159']", "0.159."],
    "-0.3057": ["y: [-0.3057  1.]", "x = -0.3057"],
    "2.2e-16": ["gap 2.2e-16, rest"],
    "37%": ["it is 37% of"],
    "1.": ["[1. 2.]"],
    "(5, 1)": ["y (5, 1)", "((5, 1), 2)"],
    "[2, 0]": ["Size([2, 0])"],
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
}


@pytest.mark.parametrize(("value", "line"), [(value, line) for value in SHOWN for line in SHOWN[value]])
def test_a_line_shows_a_whole_number(value, line):
    assert whole(value).search(line)


@pytest.mark.parametrize(("value", "line"), [(value, line) for value in HIDDEN for line in HIDDEN[value]])
def test_a_part_of_a_number_or_another_one_is_not_shown(value, line):
    assert not whole(value).search(line)


def test_what_is_a_number():
    for text in ("37", "-0.5", "2.2e-16", "37%", "1.", "(5, 1)", "(5,)", "[2.0, 3.0]", "[-0.5 1.0]"):
        assert VALUE.fullmatch(text), text
    for text in ("x", "float64", "0.weight", "2**-25", "(n, 2)", "f(1)", "1 / 3", "()", "True"):
        assert not VALUE.fullmatch(text), text


PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)
PAGE = [
    "# A page\n\nToo early: `74`.",
    ("print('a', [2, 4])", {"output_type": "stream", "name": "stdout", "text": "137\n37 numbers\n(5, 1) and 37.5\n"}),
    "Right: `37`, `(5, 1)`, and `[2, 4]` is in the code. Free: `x2`, `float64`. Wrong: `38`.",
    ("b", {"output_type": "stream", "name": "stdout", "text": "\nw=0.1587\n-0.3057, 74, 37.\n"}),
    "Right: `-0.3057`, `37`. Not `0.159`, nor `0.3057`, nor `(5, 2)`.",
    (
        "c",
        {
            "output_type": "display_data",
            "metadata": {},
            "data": {"image/png": PIXEL, "text/plain": "<Figure size 600x350>"},
        },
    ),
    "**Figure 1.1.** A caption, with `74` and `75`, and with `600`.",
    "<details><summary>Answer</summary>\n\nBelow stands `99`, and nowhere `98`.\n\n</details>",
    "<details><summary>Worked solution</summary>\n\nIt is `42`, or `99`.\n\n```python\nprint(42)\n```\n\n</details>\n\nHere `42`.",
    ("d", {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": {"text/plain": "99"}}),
]
RECAP = """# Recap

- It has `37` ([page](page.ipynb)), not `41` ([page](page.ipynb)).
- Nobody says where `37` is.

[The page](page.ipynb) has `-0.3057`, or [`74`](page.ipynb).

| page | number |
|---|---|
| [page](page.ipynb) | `99` |
"""
UNPROVED = [
    ("page.ipynb after In [0]", "74"),
    ("page.ipynb after In [1]", "38"),
    ("page.ipynb after In [2]", "0.159"),
    ("page.ipynb after In [2]", "0.3057"),
    ("page.ipynb after In [2]", "(5, 2)"),
    ("page.ipynb after In [3]", "75"),
    ("page.ipynb after In [3]", "600"),
    ("page.ipynb after In [3]", "98"),
    ("page.ipynb after In [3]", "42"),
    ("recap.md line 3", "41"),
    ("recap.md line 4", "37"),
]


def cell(entry):
    if isinstance(entry, str):
        return {"cell_type": "markdown", "metadata": {}, "source": entry}
    source, output = entry
    return {"cell_type": "code", "execution_count": 1, "metadata": {}, "source": source, "outputs": [output]}


def notebook(path, entries):
    text = {"cells": [cell(entry) for entry in entries], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    text["metadata"]["language_info"] = {"name": "python", "pygments_lexer": "ipython3"}
    path.write_text(json.dumps(text), encoding="utf-8")


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A book of two pages with many faults, built cold and then warm; its folder and both builds."""
    folder = tmp_path_factory.mktemp("small")
    (folder / "_config.yml").write_text(
        "title: Small\nexecute: {execute_notebooks: 'off'}\nsphinx:\n"
        f"  local_extensions: {{proved: {ROOT / '_ext'}}}\n"
    )
    (folder / "_toc.yml").write_text("format: jb-book\nroot: recap\nchapters:\n  - file: page\n")
    (folder / "recap.md").write_text(RECAP, encoding="utf-8")
    notebook(folder / "page.ipynb", PAGE)
    return folder, [build(folder, folder) for _ in range(2)]


@pytest.mark.parametrize("warm", [False, True], ids=["cold", "warm"])
def test_unproved_numbers_fail_the_build_in_a_line_each(small, warm):
    done = small[1][warm]
    assert done.returncode != 0
    told = re.findall(r"WARNING: (\S+ (?:after In \[\d+\]|line \d+)): `(.+?)`", done.stdout + done.stderr)
    assert told == UNPROVED
    assert (done.stdout + done.stderr).count("WARNING") == len(UNPROVED)


def test_a_fault_says_what_to_do(small):
    said = small[1][0].stdout + small[1][0].stderr
    assert (
        "page.ipynb after In [0]: `74` is printed by no output above it (In [2] prints it, below). Print it first, "
        "or mend the number; what went in stands without the marks."
    ) in said
    assert "recap.md line 3: `41` is printed by no output of page.ipynb." in said
    assert "recap.md line 4: `37` names no page that proves it. Write `37` ([its page](page.ipynb))." in said


def linked(folder, name):
    """(number, page and line that its link leads to) of each proved number of a built page."""
    html = (folder / f"_build/html/{name}.html").read_text(encoding="utf-8")
    pattern = r'<a [^>]*href="([^"]*)"[^>]*>(?:<span[^>]*>)?<code class="proved[^>]*>(.*?)</code>'
    return [(re.sub(r"<.*?>", "", text), href) for href, text in re.findall(pattern, html)]


def test_a_proved_number_leads_to_the_nearest_line_that_shows_it(small):
    folder, _ = small
    first, second, last = "#out-1-1-", "#out-2-1-", "#out-4-1-1"
    assert linked(folder, "page") == [
        ("37", first + "2"),
        ("(5, 1)", first + "3"),
        ("-0.3057", second + "2"),
        ("37", second + "2"),
        ("74", second + "2"),
        ("99", last),
        ("99", last),
    ]
    assert linked(folder, "recap") == [
        ("37", f"page.html{first}2"),
        ("-0.3057", f"page.html{second}2"),
        ("74", f"page.html{second}2"),
        ("99", f"page.html{last}"),
    ]


def test_each_link_of_a_number_leads_to_a_line_that_shows_it(small):
    folder, _ = small
    html = (folder / "_build/html/page.html").read_text(encoding="utf-8")
    for number, href in linked(folder, "page") + linked(folder, "recap"):
        (line,) = re.findall(rf'<span id="{href.split("#")[1]}">(.*?)\n', html)
        assert whole(number).search(re.sub(r"<.*?>", "", line)), (number, line)


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


def plain(folder, *texts, alt=""):
    """The findings on a notebook of one cell that prints 28, and these texts below it."""
    path = folder / "page.ipynb"
    notebook(
        path,
        [
            ("%config x\nstep, sizes, n, seed = 1e-2, [2, 4, 1], 10_000, 0\nprint(4 * 7)", PAGE[1][1] | {"text": "28\n"}),
            *texts,
        ],
    )
    text = json.loads(path.read_text())
    text["cells"][0]["metadata"]["mystnb"] = {"image": {"alt": alt}}
    path.write_text(json.dumps(text))
    return list(plain_numbers.of_notebook(lint.Cells(path)))


def test_inputs_words_and_mathematics_are_fine(tmp_path):
    assert plain(tmp_path, FINE, alt="Two axes from 0.01 to 28, page 3") == []


@pytest.mark.parametrize("text", PLAIN)
def test_a_result_in_plain_digits_is_found(tmp_path, text):
    assert plain(tmp_path, text) == [f"page.ipynb after In [1]: {PLAIN[text]}"]


def test_a_number_of_an_alt_text_is_in_code_or_output(tmp_path):
    (found,) = plain(tmp_path, alt="A curve that ends at 29.")
    assert found.startswith("page.ipynb In [1]: 29 in the alt text: ")


def test_a_page_without_cells_names_the_page_of_an_input(tmp_path):
    plain(tmp_path)
    page = tmp_path / "recap.md"
    page.write_text("# Recap\n\n- A step of 0.01 ([page](page.ipynb)).\n- A step of 0.01.\n")
    (found,) = lint.lint_page(page)
    assert found.startswith("recap.md line 4: 0.01 in plain digits")


@pytest.mark.parametrize("path", sorted(lint.CHAPTERS.glob("*.md")), ids=lambda path: path.stem)
def test_pages_without_cells_are_clean(path):
    assert lint.lint_page(path) == []


def test_the_book_has_proved_numbers_on_every_page(built):
    for path in notebooks():
        assert 'class="proved' in (built / f"chapters/{path.stem}.html").read_text(encoding="utf-8"), path.stem
