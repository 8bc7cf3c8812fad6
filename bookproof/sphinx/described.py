"""Each page's description, for search engines and for those who share a link.

The description is the beginning of the page's first paragraph. The card's picture needs an absolute
address, so it is named only where the address of the site is known (repository.py). Templates get
that address as `site`, empty where it is not known.
"""

from html import escape
from textwrap import shorten

from docutils import nodes

LENGTH = 155
CARD = {"og:image": "_static/card.png", "og:image:width": "1200", "og:image:height": "630"}


def describe(app, pagename, templatename, context, doctree):
    site = context["site"] = app.config.html_baseurl
    context["metatags"] = ""  # the theme has its own viewport
    if not doctree:
        return
    paragraph = next(doctree.findall(nodes.paragraph), nodes.paragraph())
    about = shorten(paragraph.astext(), LENGTH, placeholder=" …")
    title = app.env.titles[pagename].astext()
    named = {"description": about}
    properties = {"og:title": title, "og:description": about, "og:type": "article"}
    properties["og:site_name"] = app.config.project
    if site:
        properties |= {"og:url": site + app.builder.get_target_uri(pagename)} | CARD
        properties["og:image"] = site + CARD["og:image"]
        named["twitter:card"] = "summary_large_image"
    found = [("name", *tag) for tag in named.items()] + [("property", *tag) for tag in properties.items()]
    context["metatags"] = "".join(
        f'\n    <meta {kind}="{name}" content="{escape(content)}">' for kind, name, content in found
    )


def setup(app):
    app.connect("html-page-context", describe)
