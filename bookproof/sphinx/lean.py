"""Only what a page uses: one stylesheet, few scripts, no idle markup.

Jupyter Book loads the styles and scripts of all its extensions on every page. Here the styles that
pages use become one file, since each file that blocks the first paint costs a phone a round trip;
scripts are deferred, so that no page waits for one, and those of live figures and of answers go only
to the pages that hold them. What nobody sees goes: the comments of our own scripts, the settings of an
extension that the book does not use, and the marks of names and punctuation, which have no colour of
their own.
"""

import re
from functools import lru_cache
from hashlib import sha1
from pathlib import Path, PurePosixPath

import furo
from docutils import nodes
from pygments.lexers import PythonLexer
from pygments.token import Name, Punctuation, Text, Whitespace
from sphinx.util import logging

LOG = logging.getLogger(__name__)
STYLES = ("styles/furo.css", "copybutton.css", "katex/katex.min.css", "book.css")
SCRIPTS = (
    "documentation_options.js", "doctools.js", "sphinx_highlight.js",
    "clipboard.min.js", "copybutton.js", "book.js",
)
DARK_CODE = "github-dark"
COMMENT = re.compile(r"(?ms)^ *(?:/\*\*.*?\*/|//[^\n]*)\n")  # on lines of its own


class PlainPython(PythonLexer):
    """Python without marks on what has no colour of its own: a tenth of a page."""

    def get_tokens_unprocessed(self, text):
        for place, token, value in super().get_tokens_unprocessed(text):
            yield place, Text if token in (Name, Punctuation, Whitespace) else token, value


def choose_dark_code(app):
    """Set what the theme defines too late for _config.yml (Furo since 2020)."""
    assert "pygments_dark_style" in app.config, "Furo no longer has pygments_dark_style"
    app.config.pygments_dark_style = DARK_CODE


def drop_idle(app, doctree, docname):
    """Drop what sphinx-thebe, which Jupyter Book always loads, adds to each page."""
    for node in list(doctree.findall(nodes.raw)):
        if "text/x-thebe-config" in node.astext() or node.astext().startswith("<script>kernelName"):
            node.parent.remove(node)


@lru_cache(maxsize=1)  # once a build: pages are written when static files are in place
def stylesheet(app):
    """Write the one stylesheet; returns its address, with a version for caches."""
    static = Path(app.outdir, "_static")
    parts = [furo.get_pygments_stylesheet()]  # since Furo 2020; the file itself is written when all pages are
    for style in STYLES:
        text = (static / style).read_text(encoding="utf-8")
        text = re.sub(r"/\*# sourceMappingURL=.*?\*/", "", text)
        parts.append(re.sub(r"url\((?=fonts/)", f"url({PurePosixPath(style).parent}/", text))
    site = "\n".join(parts)
    (static / "site.css").write_text(site, encoding="utf-8")
    return f"_static/site.css?v={sha1(site.encode()).hexdigest()[:8]}"


def needed(doctree):
    """The names of the scripts that a page needs, in order."""
    elements = doctree.findall(nodes.Element) if doctree else ()
    classes = {name for node in elements for name in node.get("classes", ())}
    figures = sorted(name.removeprefix("tag_figure-") for name in classes if name.startswith("tag_figure-"))
    yield from SCRIPTS
    if figures:
        yield from ("core.js", "figure.js", *(f"{name}.js" for name in figures))
    if classes & {"exercise", "predict"}:
        yield "answers.js"


def keep(app, pagename, templatename, context, doctree):
    """Keep what the page uses of its styles and scripts."""
    scripts = {PurePosixPath(js.filename or "").name: js for js in context["script_files"]}
    context["css_files"] = [stylesheet(app)]
    names = list(needed(doctree))
    for name in set(names) - set(scripts):
        LOG.warning("no script %s in _static, which the page needs", name, location=pagename)
    context["script_files"] = [scripts[name] for name in names if name in scripts]
    for script in context["script_files"]:
        script.attributes["defer"] = "defer"


def shorten(app, exception):
    """Take the comments out of our own scripts, as they are served."""
    source, static = Path(app.srcdir, "_static"), Path(app.outdir, "_static")
    for script in [*source.glob("*.js"), *source.glob("figures/*.js")]:
        served = static / script.relative_to(source)
        if served.exists():
            served.write_text(COMMENT.sub("", script.read_text(encoding="utf-8")), encoding="utf-8")


def setup(app):
    app.add_lexer("python", PlainPython)
    app.add_lexer("ipython3", PlainPython)
    app.connect("builder-inited", choose_dark_code, priority=400)
    app.connect("doctree-resolved", drop_idle, priority=900)
    app.connect("html-page-context", keep, priority=900)
    app.connect("build-finished", shorten)
