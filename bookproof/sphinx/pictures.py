"""Figures as they are served: small, lazily loaded, with their size known.

Stored pictures have twice the density of the page. Each is shown at half its
pixels, with width and height given so that nothing moves as it loads, and
is reduced to at most 64 colours in the built site (the stored output, which
the tests compare, keeps all of them).
"""

import re
from pathlib import Path

from PIL import Image

DENSITY = 2
COLOURS = 64
IMAGE = re.compile(r'<img (?P<rest>[^>]*?src="[^"]*_images/(?P<name>[^"/]+\.png)"[^>]*?)\s*/?>')


def size(path):
    """(width, height) in CSS pixels of the stored picture at `path`."""
    with Image.open(path) as picture:
        return [round(length / DENSITY) for length in picture.size]


def add_sizes(app, pagename, templatename, context, doctree):
    if "body" not in context:
        return
    sources = {name: Path(app.srcdir, path) for path, (_, name) in app.env.images.items()}

    def sized(match):
        width, height = size(sources[match["name"]])
        rest = re.sub(r'\s*style="[^"]*"', "", match["rest"])
        return f'<img {rest} width="{width}" height="{height}" loading="lazy" decoding="async">'

    context["body"] = IMAGE.sub(sized, context["body"])


def shrink(app, exception):
    if exception is not None or app.builder.format != "html":
        return
    for path in Path(app.outdir, "_images").glob("*.png"):
        with Image.open(path) as picture:
            small = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        small.save(path, optimize=True)


def setup(app):
    app.connect("html-page-context", add_sizes)
    app.connect("build-finished", shrink)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
