"""Predictions that the page takes before it shows what happens.

A `> **Predict.** …` box that ends in a list offers choices, and the answer, in the `<details>` after
it, begins with the right one in bold, word for word. Where there is no list and the answer begins with a
bold number, the page asks for a number. Here the right choice, and the box that asks for a number, get a
class; answers.js does the rest, so that every other reader sees a question, a list and a fold.
"""

import re

from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

from bookproof.sphinx.callouts import lead

LOG = logging.getLogger(__name__)
NUMBER = re.compile(r"[-−]?\d[\d,]*(\.\d+)?(e-?\d+)?")


def words(node):
    """The text of a choice or an answer, to be compared: without its full stop, its first letter small."""
    text = " ".join(node.astext().split()).removesuffix(".")
    return text[:1].lower() + text[1:]


def answer_after(box):
    """The bold beginning of the first paragraph in the fold after a box; None if it does not begin bold."""
    after = box.parent[box.parent.index(box) + 1 :]
    if not after or not isinstance(after[0], nodes.raw) or "<details" not in after[0].astext():
        return None
    paragraph = next((node for node in after[1:] if not isinstance(node, nodes.raw)), None)
    return lead(paragraph) if isinstance(paragraph, nodes.paragraph) else None


class Predictions(SphinxTransform):
    """Mark what a page can ask for in each Predict box of a document."""

    default_priority = 310  # after the boxes are made

    def apply(self):
        for box in self.document.findall(nodes.admonition):
            if "predict" in box["classes"]:
                self.mark(box)

    def mark(self, box):
        bold = answer_after(box)
        lists = [node for node in box.children if isinstance(node, nodes.bullet_list)]
        if not lists:
            if bold is not None and NUMBER.fullmatch(words(bold)):
                box["classes"].append("number")
            return
        choices = lists[-1]
        texts = [words(item) for item in choices]
        right = bold is not None and words(bold)
        if right in texts:
            choices["classes"].append("choices")
            choices[texts.index(right)]["classes"].append("right")
        else:
            told = "the answer of this Predict box begins with none of its choices in bold, word for word: %s"
            LOG.warning(told, "; ".join(item.astext() for item in choices), location=choices)


def setup(app):
    app.add_transform(Predictions)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
