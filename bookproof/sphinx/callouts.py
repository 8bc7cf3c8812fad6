"""Callouts, exercises and captions from plain Markdown.

A blockquote that begins with a bold word and a full stop, as in
`> **Note.** …`, becomes an admonition of that kind; `> **Exercise 2.** …`
becomes one that takes in what follows while it belongs to the exercise: the
cells tagged `exercise` and whole `<details>` groups. A paragraph that begins
`**Figure 4.2.** ` becomes the caption of the figure above it. Every other
reader of the notebook shows the same text as a quotation or a paragraph.
"""

import re

from docutils import nodes
from sphinx.transforms import SphinxTransform

KINDS = {"Note": "note", "Predict": "predict", "Asked": "asked"}
EXERCISE = re.compile(r"Exercise \d+\.")
FIGURE = re.compile(r"Figure \d+\.\d+\.")


def lead(node):
    """The bold words that `node` begins with, as a node, or None."""
    for child in node.children:
        if isinstance(child, nodes.strong):
            return child
        if not isinstance(child, nodes.Text) or child.strip():
            return None  # MyST puts an empty text before the bold one
    return None


def belongs(node, inside):
    """Whether `node` is part of the exercise above it.

    inside: whether a `<details>` is open; returns (belongs, inside after it).
    """
    if isinstance(node, nodes.raw):
        text = node.astext()
        depth = int(inside) + text.count("<details") - text.count("</details>")
        return inside or "<details" in text or "</details>" in text, depth > 0
    return inside or "tag_exercise" in node.get("classes", []), inside


class Callouts(SphinxTransform):
    """Upgrade blockquotes, exercises and captions of one document."""

    default_priority = 300

    def apply(self):
        for quote in list(self.document.findall(nodes.block_quote)):
            self.upgrade(quote)
        for paragraph in list(self.document.findall(nodes.paragraph)):
            strong = lead(paragraph)
            if strong is not None and FIGURE.fullmatch(strong.astext()):
                paragraph["classes"].append("caption")

    def upgrade(self, quote):
        """Replace `quote` by an admonition if it begins as a callout does."""
        if not quote.children or not isinstance(quote[0], nodes.paragraph):
            return
        strong = lead(quote[0])
        words = strong.astext() if strong is not None else ""
        exercise = EXERCISE.fullmatch(words)
        kind = "exercise" if exercise else KINDS.get(words.rstrip("."))
        if kind is None or not words.endswith("."):
            return
        quote[0].remove(strong)
        box = nodes.admonition("", classes=["callout", kind])
        box += nodes.title("", words.rstrip("."))
        box.extend(quote.children)
        parent, place = quote.parent, quote.parent.index(quote)
        if exercise:
            inside = False
            while place + 1 < len(parent):
                follows, inside = belongs(parent[place + 1], inside)
                if not follows:
                    break
                box += parent.pop(place + 1)
        parent[place] = box


def setup(app):
    app.add_transform(Callouts)
