"""The tables of the landing page: what each page asks, and how long it takes by the clock.

`<!-- the path: core -->` gives way to the numbered pages (`04_…`) with their sum, `<!-- the path:
deeper -->` to the lettered ones (`b_…`), each with the numbered page that leads to it. All of it is
read from the notebooks in the order of _toc.yml, so that no number is written by hand.
"""

import re

from bookproof.clock import EXERCISE, minutes, rounded
from bookproof.notebook import Notebook
from bookproof.numbers import LABEL, VALUE
from bookproof.project import notebooks

MARK = re.compile(r"<!-- the path: (core|deeper) -->")
SENTENCE = re.compile(r"(?s).*?[.?!](?=\s|$)")


def is_core(notebook):
    return notebook.name[0].isdigit()


def opening(notebook):
    """(title, question) of a page: the first question above its first section, or else the first sentence."""
    text = notebook.cells[0].source.replace("**", "")
    title, _, rest = text.removeprefix("# ").partition("\n")
    before = " ".join(re.split(r"(?m)^## ", rest)[0].split())
    sentences = [found.group().strip() for found in SENTENCE.finditer(before)] or [before]
    question = next((text for text in sentences if text.endswith("?")), sentences[0])
    question = re.sub(LABEL.pattern, "", question)
    plain = re.sub(r"`([^`]+)`", lambda code: code[1] if VALUE.fullmatch(code[1]) else code[0], question)
    return title.strip(), plain.replace("|", r"\|")


def table(heads, rows):
    """A Markdown table, whose last columns are numbers."""
    lines = [heads, ["--:" if head.startswith("min") else "---" for head in heads], *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def core(pages):
    """The table of the numbered pages, with the sum of what it says."""
    rows, reading, exercising = [], 0, 0
    for page in filter(is_core, pages):
        title, question = opening(page)
        time, exercises = minutes(page)
        reading, exercising = reading + rounded(time), exercising + rounded(EXERCISE * exercises)
        rows.append([f"[{title}]({page.name})<br>{question}", rounded(time), rounded(EXERCISE * exercises)])
    return table(["page", "min to read", "min for exercises"], [*rows, ["together", reading, exercising]])


def deeper(pages):
    """The table of the lettered pages; empty if there are none."""
    rows = []
    for page in pages:
        if not is_core(page):
            leads = [other for other in pages if is_core(other) and f"]({page.name})" in other.text]
            link = f"[{opening(leads[0])[0]}]({leads[0].name})" if leads else ""
            rows.append([f"[{opening(page)[0]}]({page.name})", rounded(minutes(page)[0]), link])
    return table(["page", "min to read", "from"], rows) if rows else ""


def fill(app, docname, source):
    """Put the tables into the page that asks for them."""
    if not MARK.search(source[0]):
        return
    paths = notebooks(app.srcdir)
    for path in paths:
        app.env.note_dependency(str(path))
    pages = [Notebook(path) for path in paths]
    source[0] = MARK.sub(lambda mark: {"core": core, "deeper": deeper}[mark[1]](pages), source[0])


def setup(app):
    app.connect("source-read", fill)
