"""Every link of the site: it leads somewhere, and brings its target on the screen; all words are there."""

import re
from functools import cache
from itertools import cycle
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest
from bs4 import BeautifulSoup

from bookproof import numbers
from bookproof.project import pages

PATHS = {f"chapters/{path.stem}": path for path in pages()}

every_chapter = pytest.mark.parametrize("name", PATHS)


@cache
def parsed(path):
    return BeautifulSoup(path.read_bytes(), "html.parser")


@cache
def targets(path):
    """The ids of a page."""
    return {node["id"] for node in parsed(path).select("[id]")}


@pytest.mark.parametrize("name", [*PATHS, "search", "404", "index"])
def test_every_link_leads_somewhere(built, name):
    dead = []
    for link in parsed(built / f"{name}.html").select("[href], [src]"):
        link = link.get("href") or link.get("src")
        if urlsplit(link).scheme or not link or link == "#":
            continue
        path, fragment = urldefrag(urljoin(f"/{name}.html", link))
        path, fragment = built / unquote(urlsplit(path).path).lstrip("/"), unquote(fragment)
        if not path.is_file() or (fragment and path.suffix == ".html" and fragment not in targets(path)):
            dead.append(link)
    assert dead == []


@every_chapter
def test_head_and_words_of_a_page(built, name):
    """Language, description, icon; every word of the sources and every printed line, without scripts."""
    soup, page = parsed(built / f"{name}.html"), numbers.Page(PATHS[name])
    assert soup.html["lang"] == "en" and len(soup.select('meta[name="viewport"]')) == 1
    assert 50 <= len(soup.select_one('meta[name="description"]')["content"]) <= 160
    assert soup.select_one('link[rel*="icon"]')["href"].endswith("favicon.svg")
    shown = soup.article.get_text()
    prose = " ".join(block.words for _, block in page.blocks)
    lines = [line for source in page.sources for line in source.splitlines()]
    lines += [line.text for cell in page.printed for line in cell]
    assert sorted(set(re.findall(r"\w{3,}", prose)) - set(re.findall(r"\w+", shown))) == []
    assert [line for line in lines if line.strip() not in shown] == []


@every_chapter
def test_without_a_network_or_scripts(opened, built, name):
    """From a file, offline, scripts off: nothing is missed, and the text shows."""
    tab, failed = opened(1280, offline=True, java_script_enabled=False).new_page(), []
    tab.on("requestfailed", lambda request: failed.append(request.url))
    tab.goto((built / f"{name}.html").as_uri())
    assert tab.locator("h1").is_visible() and failed == []


@every_chapter
def test_links_within_a_page_land(opened, site, name):
    """Each brings its target onto the screen, below the bar.

    Clicked, twice and from elsewhere, at both widths; and opened afresh, at one width or the other in turn.
    """
    tabs = [opened(1280).new_page(), opened(390, reduced_motion="reduce").new_page()]
    address, missed = f"{site}/{name}.html", []
    for tab in tabs:
        tab.goto(address)
        fragments = tab.evaluate("probe.fragments()")
        missed += tab.evaluate("probe.clicked()")
    for hash, tab in zip(fragments, cycle(tabs)):
        tab.goto(f"{address}?{hash[1:]}{hash}")  # another address: a fragment alone would not open it afresh
        missed.append(tab.evaluate("(hash) => probe.missed(hash)", hash))
    assert [place for place in missed if place] == []
    assert fragments


def test_a_link_into_a_fold_opens_it_and_lights_the_line(opened, small_site):
    tab = opened(1280).new_page()
    tab.goto(f"{small_site}/chapters/00_small.html")
    line = tab.locator("details.below-input span[id^='out-']").first
    assert not line.is_visible()
    before = line.evaluate("(line) => getComputedStyle(line).backgroundColor")
    tab.evaluate("(hash) => { location.hash = hash }", line.get_attribute("id"))
    line.wait_for(state="visible")
    assert line.evaluate("(line) => getComputedStyle(line).backgroundColor") != before
