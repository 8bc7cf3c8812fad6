"""What stands under a page's title: how long it takes, and where it can be run.

A notebook opens in Colab, in Binder, or is downloaded: from the repository, the branch and the folder
that the book is built from (repository.py). Where none is known only the download is offered. The
landing page leads to the chapter as one PDF, where there is one: `make pdf` prints the built site into
it and builds the pages once more; `make book` removes it, since it may be old.
"""

import sys
from pathlib import Path
from urllib.parse import quote

from docutils import nodes
from sphinx.util.osutil import relative_uri

from bookproof import clock
from bookproof.notebook import Notebook
from bookproof.sphinx.repository import source

PDF = "the-same-network.pdf"


class UnderTitle(nodes.Element):
    """HTML under the title of a page, which search does not find."""


def visit(self, node):
    self.body.append(node["html"])
    raise nodes.SkipNode


def links(where, path):
    """(name, address, explanation) of each service that can open a notebook.

    where: a repository.Source or None; path: of the notebook in the book.
    """
    if where is None:
        return []
    repository, path = f"{where.owner}/{where.name}", quote(where.folder + path)
    colab = f"https://colab.research.google.com/github/{repository}/blob/{quote(where.branch)}/{path}"
    branch = quote(where.branch, safe="")
    binder = f"https://mybinder.org/v2/gh/{repository}/{branch}?urlpath=lab/tree/{path}"
    return [
        ("Colab", colab, "Run this page in Google Colab"),
        ("Binder", binder, "Run this page in JupyterLab, on Binder"),
    ]


def find_source(app):
    app.env.book_source = source(app.srcdir)
    if app.env.book_source is None:
        print("launch: no Colab or Binder links, since no repository on GitHub is known", file=sys.stderr)


def show(app, doctree, docname):
    """Put it under the title of the page."""
    path = Path(app.env.doc2path(docname))
    here = app.builder.get_target_uri(docname)
    context = {}
    if path.suffix == ".ipynb":
        download = relative_uri(here, f"_sources/{docname}.ipynb")
        context["time"] = clock.told(Notebook(path))
        context["links"] = [
            *links(app.env.book_source, app.env.doc2path(docname, base=False)),
            ("Download", download, "This page as a notebook, to run on your own machine"),
        ]
    elif docname == app.config.root_doc and Path(app.outdir, PDF).exists():
        context["pdf"] = relative_uri(here, PDF)
    title = next(doctree.findall(nodes.title), None)
    if context and title is not None:
        html = app.builder.templates.render("under_title.html", context)
        title.parent.insert(title.parent.index(title) + 1, UnderTitle(html=html))


def setup(app):
    app.add_node(UnderTitle, html=(visit, None))
    app.connect("builder-inited", find_source)
    app.connect("doctree-resolved", show)
