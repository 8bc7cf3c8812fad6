"""What answers.js compares an answer with: the page's file of verdicts, put into the page.

chapters/verdicts/<page>.json is made by bookproof/verdicts.py (`make outputs`). An exercise that is not
in it gives a warning: the field would be missing, and nobody would know why.
"""

import json
import string
from itertools import permutations
from pathlib import Path

from docutils import nodes
from sphinx.util import logging

from bookproof.verdicts import file_of

LOG = logging.getLogger(__name__)
DIGITS = string.digits + string.ascii_lowercase


def exercises(doctree):
    """The numbers of the exercises of a page, as text."""
    for box in doctree.findall(nodes.admonition):
        if "exercise" in box["classes"]:
            yield box.next_node(nodes.title).astext().split()[-1]


def compact(entry):
    """An entry as answers.js reads it: verdicts of letters as a table, a digit for the place of the words."""
    if "verdicts" not in entry:
        return entry
    letters, verdicts = entry["letters"], entry["verdicts"]
    digit = {key: DIGITS[place] for place, (_, keys) in enumerate(verdicts) for key in keys}
    if entry["kind"] == "letters":  # a set of letters is a number, a bit for each
        sets = ({c for i, c in enumerate(letters) if n >> i & 1} for n in range(2 ** len(letters)))
        keys = ["".join(sorted(some)) for some in sets]
    else:  # all orders, as a dictionary has them, and no letter
        keys = [*map("".join, permutations(sorted(letters))), ""]
    table = {"words": [words for words, _ in verdicts], "table": "".join(digit[key] for key in keys)}
    return {key: value for key, value in entry.items() if key != "verdicts"} | table


def read(app, doctree):
    """Keep the verdicts of a page that was read, and warn where they lack an exercise."""
    docname = app.env.docname
    numbers = set(exercises(doctree))
    if not numbers:
        return
    notebook = Path(app.env.doc2path(docname))
    file = file_of(notebook)
    app.env.note_dependency(str(file))
    verdicts = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    missing = sorted(numbers - set(verdicts))
    if missing:
        LOG.warning("%s: verdicts/%s has no exercise %s; run `make outputs NOTEBOOKS=chapters/%s`",
                    notebook.name, file.name, ", ".join(missing), notebook.name)  # fmt: skip
    shown = {number: compact(entry) for number, entry in verdicts.items()}
    app.env.metadata[docname]["verdicts"] = json.dumps(shown, separators=(",", ":"), ensure_ascii=False)


def embed(app, pagename, templatename, context, doctree):
    verdicts = app.env.metadata.get(pagename, {}).get("verdicts")
    if verdicts:
        data = verdicts.replace("</", "<\\/")
        context["body"] += f'\n<script type="application/json" id="verdicts">{data}</script>\n'


def setup(app):
    app.connect("doctree-read", read)
    app.connect("html-page-context", embed)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
