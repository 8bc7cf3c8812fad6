"""Figures as they are served: small, lazily loaded, with their size known.

Stored pictures have twice the density of the page. Each is shown at half its pixels, with width and
height given so that nothing moves as it loads, and is reduced to at most 64 colours in the built site
(the stored output, which the tests compare, keeps all of them).
"""

from html import escape
from pathlib import Path
from urllib.parse import quote

from docutils import nodes
from PIL import Image

DENSITY = 2
COLOURS = 64


def size(path):
    """(width, height) in CSS pixels of the stored picture at `path`."""
    with Image.open(path) as picture:
        return [round(length / DENSITY) for length in picture.size]


def visit(self, node):
    """Docutils writes sizes as styles, which would hold on a narrow screen, too: these are attributes."""
    name = self.builder.images.get(node["uri"])
    if name is None:  # no such file, as a warning says
        return
    width, height = size(Path(self.builder.srcdir, node["uri"]))
    self.body.append(
        f'<img alt="{escape(node.get("alt", ""))}" src="{self.builder.imgpath}/{quote(name)}" '
        f'width="{width}" height="{height}" loading="lazy" decoding="async">\n'
    )


def depart(self, node):
    pass


def shrink(app, exception):
    if exception is not None or app.builder.format != "html":
        return
    for path in Path(app.outdir, "_images").glob("*.png"):
        with Image.open(path) as picture:
            small = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        small.save(path, optimize=True)


def setup(app):
    app.add_node(nodes.image, override=True, html=(visit, depart))
    app.connect("build-finished", shrink)
