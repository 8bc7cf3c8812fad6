"""A link to the chapter as one PDF on the landing page, where there is one.

`make pdf` (_tools/pdf.py) prints the built site into it and then builds the
pages once more, with the link; `make book` removes it, since it may be old.
"""

from pathlib import Path

PDF = "the-same-network.pdf"


def offer(app, pagename, templatename, context, doctree):
    if pagename == app.config.root_doc and Path(app.outdir, PDF).exists():
        context["pdf"] = context["pathto"](PDF, 1)


def setup(app):
    app.connect("html-page-context", offer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
