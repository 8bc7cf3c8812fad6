"""Print the built site as one PDF, with bookmarks, page numbers and links that work.

    python -m bookproof.commands.pdf        (`make pdf`)

The pages are joined here, from the built site, in the order of its "next"
links. Sphinx's own builder of a single page gives the lines of several
notebooks one and the same id, so that a link may lead to another page's line. Here
each page's ids and the links to them begin with the name of the page. The
tables of the landing page, whose titles are links, are its contents.
"""

import subprocess
import sys
from copy import copy
from pathlib import Path
from urllib.parse import urldefrag

from bs4 import BeautifulSoup
from playwright.sync_api import sync_playwright

from bookproof import browser
from bookproof.project import ROOT, build_command
from bookproof.sphinx.launch import PDF

FIRST = "intro.html"
FOOTER = '<p style="width:100%;font:8pt sans-serif;text-align:center"><span class="pageNumber"></span></p>'


def read(folder):
    """(name, parsed page) of each page, from the first by the "next" links."""
    file = FIRST
    while file:
        page = BeautifulSoup((folder / file).read_text(encoding="utf-8"), "html.parser")
        yield Path(file).stem, page
        following = page.select_one('link[rel="next"]')
        file = following["href"] if following else None


def rename(article, name):
    """Make the ids of a page, and the links within the book, right for the joined one."""
    for node in article.select(".launch, a.headerlink, script"):
        node.decompose()
    for node in article.select("[id]"):
        node["id"] = f"{name}--{node['id']}"
    for link in article.select("a[href]"):
        address, fragment = urldefrag(link["href"])
        if ":" in address:
            continue
        if address and not address.endswith(".html"):
            link.unwrap()  # a picture in full size
        else:
            page = Path(address).stem or name
            link["href"] = f"#{page}--{fragment}" if fragment else f"#{page}"
    for image in article.select("img[loading]"):
        del image["loading"]
    article["id"] = name
    return article


def joined(pages):
    """The whole book as one page of HTML."""
    soup = copy(pages[0][1])
    soup.body.clear()
    soup.body["data-theme"] = "light"
    soup.body.extend(rename(copy(page.article), name) for name, page in pages)
    return str(soup)


def print_book(tab, chapters, output):
    """Print the pages in the folder `chapters` of a built site; `tab`: of a browser."""
    scratch = chapters / "print.html"  # beside them, for their pictures and styles
    scratch.write_text(joined(list(read(chapters))), encoding="utf-8")
    tab.goto(scratch.as_uri())
    scratch.unlink()
    tab.evaluate("document.fonts.ready")
    tab.pdf(
        path=output,
        format="A4",
        outline=True,
        tagged=True,
        display_header_footer=True,
        header_template="<span></span>",
        footer_template=FOOTER,
        margin={"top": "18mm", "bottom": "18mm", "left": "16mm", "right": "16mm"},
    )


if __name__ == "__main__":
    SITE = ROOT / "_build" / "html"
    with sync_playwright() as playwright:
        print_book(browser.launch(playwright).new_page(), SITE / "chapters", SITE / PDF)
    print(SITE / PDF, flush=True)
    sys.exit(subprocess.call(build_command()))  # once more, since the first page leads to it
