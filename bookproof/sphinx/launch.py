"""Links that open a page in Colab, in Binder, or as a downloaded notebook.

They lead to the repository that the book is built from. Where none is known
only the download is offered. The page template gets them as `launch_links`, a list of (name, address, explanation).
"""

from bookproof.sphinx.repository import repository
from sphinx.util import logging

LOG = logging.getLogger(__name__)
BRANCH = "main"
BINDER = {"github.com": "gh/{owner}/{name}", "gitlab.com": "gl/{owner}%2F{name}"}


def links(where, path):
    """(name, address, explanation) of each service that can open `path`.

    where: (host, owner, name) or None; path: the notebook in the repository.
    """
    if where is None or where[0] not in BINDER:
        return []
    host, owner, name = where
    place = BINDER[host].format(owner=owner, name=name)
    found = []
    if host == "github.com":
        colab = f"https://colab.research.google.com/github/{owner}/{name}/blob/{BRANCH}/{path}"
        found.append(("Colab", colab, "Run this page in Google Colab"))
    binder = f"https://mybinder.org/v2/{place}/{BRANCH}?urlpath=lab/tree/{path}"
    return [*found, ("Binder", binder, "Run this page in JupyterLab, on Binder")]


def find_repository(app):
    app.env.book_repository = repository(app.srcdir)
    if not links(app.env.book_repository, ""):
        LOG.info("launch: no Colab or Binder links, since no public repository is known")


def add_links(app, pagename, templatename, context, doctree):
    path = str(app.env.doc2path(pagename, base=False)) if doctree else ""
    if not path.endswith(".ipynb"):
        return
    source = context["pathto"](f"_sources/{context['sourcename']}", 1)
    context["launch_links"] = [
        *links(app.env.book_repository, path),
        ("Download", source, "This page as a notebook, to run on your own machine"),
    ]


def setup(app):
    app.connect("builder-inited", find_repository)
    app.connect("html-page-context", add_links)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
