"""Each page's description, for search engines and for those who share a link.

The description is the beginning of the page's first paragraph, cut at a word.
The card's picture needs an absolute address, so it is named only where the
address of the site is known (repository.py). Templates get that address as
`site`, empty where it is not known.
"""

from html import escape

from docutils import nodes

LENGTH = 155
CARD = "_static/card.png"
WIDTH, HEIGHT = 1200, 630


def description(doctree):
    """The first paragraph of a page, at most LENGTH characters, no word cut."""
    paragraph = next(doctree.findall(nodes.paragraph), None)
    words = paragraph.astext().split() if paragraph else []
    text = " ".join(words)
    while len(text) >= LENGTH:
        words.pop()
        text = " ".join(words) + " …"
    return text


def tags(title, about, project, site, page):
    """(attribute, name, content) of each tag; site: the address, or empty."""
    yield "name", "description", about
    yield "property", "og:title", title
    yield "property", "og:description", about
    yield "property", "og:type", "article"
    yield "property", "og:site_name", project
    if site:
        yield "property", "og:url", site + page
        yield "property", "og:image", site + CARD
        yield "property", "og:image:width", str(WIDTH)
        yield "property", "og:image:height", str(HEIGHT)
        yield "name", "twitter:card", "summary_large_image"


def describe(app, pagename, templatename, context, doctree):
    context["metatags"] = ""  # the theme has its own viewport
    context["site"] = app.config.html_baseurl
    if doctree:
        title = nodes.Text(app.env.titles[pagename].astext())
        page = app.builder.get_target_uri(pagename)
        found = tags(title, description(doctree), app.config.project, app.config.html_baseurl, page)
        context["metatags"] = "".join(
            f'\n    <meta {kind}="{name}" content="{escape(content)}">' for kind, name, content in found
        )


def setup(app):
    app.connect("html-page-context", describe)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
