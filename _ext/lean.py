"""Only the styles and scripts that the pages use.

Jupyter Book loads the styles and scripts of all its extensions on every
page, and sets options that only its own theme knows. Here a page keeps what
is named below, and a live figure's script goes to the pages that hold the
figure. Scripts are deferred: no page waits for one.
"""

from pathlib import PurePosixPath

STYLES = {
    "pygments.css",
    "furo.css",
    "furo-extensions.css",
    "copybutton.css",
    "katex.min.css",
    "book.css",
}
SCRIPTS = {
    "documentation_options.js",
    "doctools.js",
    "sphinx_highlight.js",
    "furo.js",
    "clipboard.min.js",
    "copybutton.js",
}
THEME_OPTIONS = {"light_css_variables", "dark_css_variables", "top_of_page_buttons"}


def name(asset):
    """The file name of a style or script, empty for one written in the page."""
    return PurePosixPath(getattr(asset, "filename", None) or "").name


def drop_options(app, config):
    """Drop the options of Jupyter Book's default theme."""
    options = config.html_theme_options
    config.html_theme_options = {k: v for k, v in options.items() if k in THEME_OPTIONS}


def live(doctree):
    """The scripts that the live figures on a page need, none without figures."""
    tags = {
        tag.removeprefix("tag_figure-")
        for node in (doctree.findall() if doctree else ())
        for tag in getattr(node, "attributes", {}).get("classes", ())
        if tag.startswith("tag_figure-")
    }
    return {f"{tag}.js" for tag in tags} | {"core.js", "figure.js"} if tags else set()


def keep(app, pagename, templatename, context, doctree):
    context["css_files"] = [css for css in context["css_files"] if name(css) in STYLES]
    wanted = SCRIPTS | live(doctree)
    context["script_files"] = [js for js in context["script_files"] if name(js) in wanted]
    for script in context["script_files"]:
        script.attributes["defer"] = "defer"


def setup(app):
    app.connect("config-inited", drop_options, priority=100)
    app.connect("html-page-context", keep, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
