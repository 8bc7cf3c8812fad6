"""Only what a page uses: one stylesheet, few scripts, no idle markup.

Jupyter Book loads the styles and scripts of all its extensions on every
page, and sets options that only its own theme knows. Here the styles that
pages use become one file, since each file that blocks the first paint costs
a phone a round trip; scripts are deferred, so that no page waits for one,
and a live figure's script goes only to the pages that hold the figure. What
nobody sees goes: the settings of an extension that the book does not use,
the marks of names and punctuation, which have no colour of their own, and the
TeX source behind a formula, which is there as MathML and as drawn.
"""

import re
from functools import lru_cache
from hashlib import sha1
from pathlib import Path, PurePosixPath

import furo

STYLES = ("styles/furo.css", "copybutton.css", "katex/katex.min.css", "book.css")
SCRIPTS = [
    "documentation_options.js",
    "doctools.js",
    "sphinx_highlight.js",
    "clipboard.min.js",
    "copybutton.js",
    "book.js",
]
THEME_OPTIONS = {"light_css_variables", "dark_css_variables", "top_of_page_buttons"}
DARK_CODE = "github-dark"
IDLE = (
    (re.compile(r'<script type="text/x-thebe-config">.*?</script>\s*<script>.*?</script>', re.S), ""),
    (re.compile(r'<span class="(?:n|p|w)">([^<]*)</span>'), r"\1"),
    (re.compile(r"<annotation [^>]*>[^<]*</annotation>"), ""),
)


def drop_options(app, config):
    """Drop the options of Jupyter Book's default theme."""
    options = config.html_theme_options
    config.html_theme_options = {k: v for k, v in options.items() if k in THEME_OPTIONS}


def choose_dark_code(app):
    """Set what the theme defines too late for _config.yml."""
    app.config.pygments_dark_style = DARK_CODE


@lru_cache(maxsize=1)  # once a build: pages are written when static files are in place
def stylesheet(app):
    """Write the one stylesheet; returns its address, with a version for caches."""
    static = Path(app.outdir, "_static")
    parts = [furo.get_pygments_stylesheet()]
    for style in STYLES:
        text = (static / style).read_text(encoding="utf-8")
        text = re.sub(r"/\*# sourceMappingURL=.*?\*/", "", text)
        parts.append(re.sub(r"url\((?=fonts/)", f"url({PurePosixPath(style).parent}/", text))
    site = "\n".join(parts)
    (static / "site.css").write_text(site, encoding="utf-8")
    return f"_static/site.css?v={sha1(site.encode()).hexdigest()[:8]}"


def live(doctree):
    """The scripts that the live figures on a page need, in order; none without figures."""
    tags = {
        tag.removeprefix("tag_figure-")
        for node in (doctree.findall() if doctree else ())
        for tag in getattr(node, "attributes", {}).get("classes", ())
        if tag.startswith("tag_figure-")
    }
    return ["core.js", "figure.js", *(f"{tag}.js" for tag in sorted(tags))] if tags else []


def keep(app, pagename, templatename, context, doctree):
    """Keep what the page uses of its styles, scripts and markup."""
    context["css_files"] = [stylesheet(app)]
    scripts = {PurePosixPath(js.filename or "").name: js for js in context["script_files"]}
    context["script_files"] = [scripts[name] for name in SCRIPTS + live(doctree)]
    for script in context["script_files"]:
        script.attributes["defer"] = "defer"
    for pattern, instead in IDLE:
        context["body"] = pattern.sub(instead, context.get("body", ""))


def setup(app):
    app.connect("config-inited", drop_options, priority=100)
    app.connect("builder-inited", choose_dark_code, priority=400)
    app.connect("html-page-context", keep, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
