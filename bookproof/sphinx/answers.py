"""What answers.js compares an answer with: the page's file of verdicts, put into the page.

chapters/verdicts/<page>.json is made by bookproof/verdicts.py (`make outputs`). An exercise that is not
in it gives a warning: the field would be missing, and nobody would know why.
"""

import json
from pathlib import Path

from docutils import nodes
from sphinx.util import logging

from bookproof.verdicts import file_of

LOG = logging.getLogger(__name__)


def exercises(doctree):
    """The numbers of the exercises of a page, as text."""
    for box in doctree.findall(nodes.admonition):
        if "exercise" in box["classes"]:
            yield box.next_node(nodes.title).astext().split()[-1]


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
    app.env.metadata[docname]["verdicts"] = json.dumps(verdicts, separators=(",", ":"), ensure_ascii=False)


def embed(app, pagename, templatename, context, doctree):
    verdicts = app.env.metadata.get(pagename, {}).get("verdicts")
    if verdicts:
        data = verdicts.replace("</", "<\\/")
        context["body"] += f'\n<script type="application/json" id="verdicts">{data}</script>\n'


def setup(app):
    app.connect("doctree-read", read)
    app.connect("html-page-context", embed)
