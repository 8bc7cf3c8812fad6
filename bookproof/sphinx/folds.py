"""Folds say what they hold.

A folded cell begins `#@title Figure 4.1: … (run this cell)`, which Colab shows as its name. Here the
fold is named after it too ("Code: Figure 4.1"): a list of twenty equal controls is of no use to those
who hear it. A folded output says "Show the output".

MyST-NB draws all folds alike, so its node gets a visitor of our own, by Sphinx's `add_node`.
"""

import re
from html import escape

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode  # since MyST-NB 0.17

TITLE = re.compile(r"#@title (?P<title>[^\n<:(]*)")


def summary(node):
    """The words on a fold."""
    if "above-input" not in node["classes"]:
        return "Show the output"
    code = next(node.findall(nodes.literal_block), None)
    named = TITLE.match(code.astext()) if code is not None else None
    return f"Code: {named['title'].strip()}" if named else "Show the code"


def visit(self, node):
    classes = " ".join(["hide", *node["classes"]])
    self.body.append(f'<details class="{classes}">\n<summary>{escape(summary(node))}</summary>\n')


def depart(self, node):
    self.body.append("</details>\n")


def setup(app):
    app.add_node(HideCodeCellNode, override=True, html=(visit, depart))
