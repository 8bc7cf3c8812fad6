"""A figure of another page, where a comment asks for it.

`<!-- figure: 06_init_order tape -->` in a page of plain Markdown is replaced by
the picture in the output of the cell tagged `figure-tape` of that notebook,
which leads to its page. So the landing page shows what a cell drew, and no
picture is stored twice.
"""

import re
from pathlib import PurePosixPath

from docutils import nodes
from sphinx.util import logging

LOG = logging.getLogger(__name__)
ASKED = re.compile(r"<!-- figure: (?P<page>\w+) (?P<name>\w+) -->")


def picture(app, page, name):
    """A copy of the picture that the cell tagged `figure-name` of a page drew, or None."""
    if page not in app.env.found_docs:
        return None
    for cell in app.env.get_doctree(page).findall(nodes.container):
        if f"tag_figure-{name}" in cell["classes"]:
            for image in cell.findall(nodes.image):
                return nodes.image(uri=image["uri"], candidates={"*": image["uri"]}, alt=image.get("alt", ""))
    return None


def show(app, doctree, docname):
    for comment in list(doctree.findall(nodes.raw)):
        asked = ASKED.fullmatch(comment.astext().strip())
        if asked:
            page = str(PurePosixPath(docname).parent / asked["page"])
            shown = picture(app, page, asked["name"])
            if shown is None:
                what = "no page %s with a picture in a cell tagged figure-%s"
                LOG.warning(what, page, asked["name"], location=comment)
                continue
            address = app.builder.get_relative_uri(docname, page)
            link = nodes.reference("", "", shown, internal=True, refuri=address)
            comment.replace_self(nodes.container("", link, classes=["cover"]))


def setup(app):
    app.connect("doctree-resolved", show)
