"""Print the built site as one PDF, with contents, bookmarks, page numbers and links that work.

    python -m bookproof.commands.pdf [FOLDER]        (default: _build/html)

The pages are joined here, from the built site, in the order of its "next"
links. Sphinx's own builder of a single page gives the lines of several
notebooks one and the same id, so that a link may lead to another page's line. Here
each page's ids and the links to them begin with the name of the page. The
joined page is printed twice: the first print tells on which page each heading
stands, the second has these numbers in its contents.
"""

import sys
from copy import copy
from pathlib import Path
from urllib.parse import urldefrag

from bs4 import BeautifulSoup
from playwright.sync_api import sync_playwright
from pypdf import PdfReader

from bookproof import browser
from bookproof.project import ROOT
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


def parts(soup):
    """{name of a page: caption of the part that begins with it}, from the sidebar."""
    captions = soup.select(".sidebar-tree p.caption")
    return {Path(caption.find_next("a")["href"]).stem: caption.get_text() for caption in captions}


def contents(soup, articles, numbers):
    """The list of all parts, pages and sections; numbers: page of each id, if known."""
    box = soup.new_tag("nav", attrs={"class": "contents-page"})
    begins = parts(soup)
    for heading in [h for article in articles for h in article.select("h1, h2")][1:]:
        target = heading.find_parent("article" if heading.name == "h1" else True, id=True)["id"]
        if target in begins:
            part = soup.new_tag("p", attrs={"class": "contents-part"})
            part.append(begins[target])
            box.append(part)
        line = soup.new_tag("a", href=f"#{target}", attrs={"class": f"contents-{heading.name}"})
        line.append(heading.get_text())
        number = soup.new_tag("span")
        number.append(str(numbers.get(target, "")))
        line.append(number)
        box.append(line)
    return box


def joined(pages, numbers):
    """The whole book as one page of HTML."""
    soup = copy(pages[0][1])
    articles = [rename(copy(page.article), name) for name, page in pages]
    articles[0].h1.insert_after(contents(soup, articles, numbers))
    soup.body.clear()
    soup.body["data-theme"] = "light"
    soup.body.extend(articles)
    return str(soup)


def print_page(tab, file, output):
    """Print a page of HTML; returns the page number of each target of a link."""
    tab.goto(file.as_uri())
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
    printed = PdfReader(output)
    return {
        name.removeprefix("/"): printed.get_destination_page_number(target) + 1
        for name, target in printed.named_destinations.items()
    }


def print_twice(tab, pages, scratch, output):
    """Print the joined pages, the second time with the page numbers of the first."""
    numbers = {}
    try:
        for _ in range(2):
            scratch.write_text(joined(pages, numbers), encoding="utf-8")
            numbers = print_page(tab, scratch, output)
    finally:
        scratch.unlink(missing_ok=True)
    return numbers


def main(site=ROOT / "_build" / "html"):
    site = Path(site).resolve()
    pages = list(read(site / "chapters"))
    with sync_playwright() as playwright:
        tab = browser.launch(playwright).new_page()
        print_twice(tab, pages, site / "chapters" / "print.html", site / PDF)
    print(f"{site / PDF}: {len(PdfReader(site / PDF).pages)} pages")


if __name__ == "__main__":
    main(*sys.argv[1:])
