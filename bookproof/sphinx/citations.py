"""Citations written as plain links: `[Glorot and Bengio (2010)](#glorot2010)`.

Such a link reads as text in Colab and on GitHub. Here it keeps its text and
leads to the entry of that key in the bibliography (sphinxcontrib-bibtex
alone would put its own label in place of the text). A key that is in no
bibliography is left to MyST, which warns with page, line and key.
"""

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.nodes import make_refnode


class ResolveCitations(SphinxPostTransform):
    """Turn links to `#key` into links to that entry."""

    default_priority = 8  # before MyST resolves what is left, at 9

    def run(self):
        entries = {entry.key: entry for entry in self.env.get_domain("cite").citations}
        for link in list(self.document.findall(addnodes.pending_xref)):
            entry = entries.get(link["reftarget"])
            if link["reftype"] != "myst" or entry is None:
                continue
            text = nodes.inline("", "", *link[0].children)
            page = entry.bibliography_key.docname
            link.replace_self(
                make_refnode(self.app.builder, link["refdoc"], page, entry.citation_id, text)
            )


def setup(app):
    app.add_post_transform(ResolveCitations)
