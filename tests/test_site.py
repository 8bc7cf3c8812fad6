"""The built site in a real browser: every page, wide and narrow, light and dark.

A page is opened wide and light, and narrow and dark; then its width and theme are changed in place. All
that can be seen is checked at once, and what is found is listed, a line each. The budget (bytes,
requests, what blocks, layout shift) does not depend on the machine.
"""

import gzip
import re
from functools import cache
from itertools import cycle
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from bs4 import BeautifulSoup

from bookproof import numbers
from bookproof.project import pages

PATHS = {f"chapters/{path.stem}": path for path in pages()}
CHAPTERS = list(PATHS)
PAGES = [*CHAPTERS, "search", "404"]
OPENED = [(1280, "light"), (320, "dark")]
RESIZED = {1280: (768, 640), 320: (375,)}  # 640: text at 200 % on a screen of 1280
OTHER = {"light": "dark", "dark": "light"}
AXE = {"rules": {"target-size": {"enabled": True}}}
NARROW = {"runOnly": ["color-contrast", "target-size", "scrollable-region-focusable", "button-name"]}
CONTRAST = {"runOnly": ["color-contrast"]}

# bytes, compressed, without figures
FIRST_VISIT = 135_000
NEXT_PAGE = 40_000
SCRIPTS = 20_000  # of our own
FIGURE = 60_000
SHIFT = 0.05  # a tenth is good by the web's own measure

every_chapter = pytest.mark.parametrize("name", CHAPTERS)

BLOCK_STORAGE = """Object.defineProperty(window, "localStorage", { configurable: true, get() {
  throw new DOMException("denied", "SecurityError");
} })"""


class Visit:
    """A page opened in a context: what it asked for, and what went wrong."""

    def __init__(self, context, url):
        self.tab = context.new_page()
        self.faults, self.requests = [], []
        self.tab.on("console", lambda m: m.type in ("error", "warning") and self.faults.append(m.text))
        self.tab.on("pageerror", lambda error: self.faults.append(f"script: {error}"))
        self.tab.on("requestfailed", lambda request: self.faults.append(f"failed: {request.url}"))
        self.tab.on("request", lambda request: self.requests.append(request))
        self.tab.goto(url, wait_until="load")
        self.tab.wait_for_load_state("networkidle")
        outside = [r.url for r in self.requests if urlsplit(r.url).netloc != urlsplit(url).netloc]
        self.faults += [f"outside: {request}" for request in outside]

    def bytes(self):
        """{address: bytes} of what was asked for, compressed as a web server does (level 6)."""
        answers = filter(None, (request.response() for request in self.requests))
        return {answer.url: len(gzip.compress(answer.body(), 6)) for answer in answers}


@pytest.fixture
def opened(browser):
    """Open a context of a width, with the probes of site.js; all are closed in the end."""
    contexts = []

    def context(width, **options):
        contexts.append(browser.new_context(viewport={"width": width, "height": 800}, **options))
        contexts[-1].add_init_script(path=Path(__file__).with_name("site.js"))
        return contexts[-1]

    yield context
    for each in contexts:
        each.close()


@pytest.mark.parametrize("width, theme", OPENED)
@pytest.mark.parametrize("name", PAGES)
def test_page(opened, site, name, width, theme):
    context = opened(width, color_scheme=theme)
    visit = Visit(context, f"{site}/{name}.html")
    tab, found = visit.tab, visit.faults
    if (shift := tab.evaluate("probe.layoutShift()")) > SHIFT:
        found.append(f"layout shift {shift:.3f}")
    if raw := tab.evaluate("probe.rawMathematics()"):
        found.append(f"raw mathematics: {raw}")
    if tab.locator(".katex").count() != tab.locator(".katex-mathml math").count():
        found.append("mathematics without MathML")
    violations = Axe().run(tab, options=AXE if (width, theme) == OPENED[0] else NARROW).response["violations"]
    tab.emulate_media(color_scheme=OTHER[theme])
    tab.evaluate("probe.drawn()")
    violations += Axe().run(tab, options=CONTRAST).response["violations"]
    found += [f"axe {v['id']}: {v['nodes'][0]['html'][:120]}" for v in violations]
    for narrow in (width, *RESIZED[width]):
        tab.set_viewport_size({"width": narrow, "height": 800})
        if (wide := tab.evaluate("document.body.scrollWidth")) > narrow:
            found.append(f"at {narrow} px the page scrolls sideways: {wide} px")
    if (width, theme) == OPENED[0]:
        found += budget(visit)
    tab.set_viewport_size({"width": 320, "height": 800})
    tab.evaluate("document.documentElement.style.fontSize = '200%'")
    if (wide := tab.evaluate("document.body.scrollWidth")) > 320:
        found.append(f"with text twice as large the page scrolls sideways: {wide} px")
    assert found == []


def budget(visit):
    """What is above the budget of a first visit."""
    sizes = visit.bytes()
    first = sum(size for url, size in sizes.items() if "/_images/" not in url)
    if first > FIRST_VISIT:
        yield f"{first} bytes at a first visit"
    if (size := sizes[visit.requests[0].url]) > NEXT_PAGE:
        yield f"{size} bytes for the page itself"
    ours = sum(size for url, size in sizes.items() if re.search(r"/(book|answers)\.js|/figures/", url))
    if ours > SCRIPTS:
        yield f"{ours} bytes of scripts"
    visit.tab.evaluate("document.querySelectorAll('img').forEach((image) => { image.loading = 'eager' })")
    visit.tab.wait_for_load_state("networkidle")
    figures = {url: size for url, size in visit.bytes().items() if "/_images/" in url}
    yield from (f"figure of {size} bytes: {url}" for url, size in figures.items() if size > FIGURE)


@cache
def targets(path):
    """The ids of a page."""
    return {node["id"] for node in BeautifulSoup(path.read_bytes(), "html.parser").select("[id]")}


@pytest.mark.parametrize("name", [*PAGES, "index"])
def test_head_and_links_of_a_page(built, name):
    """Language, description, icon; each link leads somewhere."""
    page = BeautifulSoup((built / f"{name}.html").read_bytes(), "html.parser")
    if name in CHAPTERS:
        assert page.html["lang"] == "en" and len(page.select('meta[name="viewport"]')) == 1
        assert 50 <= len(page.select_one('meta[name="description"]')["content"]) <= 160
        assert page.select_one('link[rel*="icon"]')["href"].endswith("favicon.svg")
    dead = []
    for link in page.select("[href], [src]"):
        link = link.get("href") or link.get("src")
        if urlsplit(link).scheme or not link or link == "#":
            continue
        path, fragment = urldefrag(urljoin(f"/{name}.html", link))
        path, fragment = built / unquote(urlsplit(path).path).lstrip("/"), unquote(fragment)
        if not path.is_file() or (fragment and path.suffix == ".html" and fragment not in targets(path)):
            dead.append(link)
    assert dead == []


@every_chapter
def test_links_within_a_page_land(opened, site, name):
    """Each brings its target onto the screen, below the bar.

    Opened afresh, at one width or the other in turn; and clicked, twice and from elsewhere, at both.
    """
    tabs = {1280: opened(1280).new_page(), 390: opened(390, reduced_motion="reduce").new_page()}
    address, missed = f"{site}/{name}.html", []
    for tab in tabs.values():
        tab.goto(address)
        fragments = tab.evaluate("probe.fragments()")
        for hash in fragments:
            for place in ("here", "here", "elsewhere"):
                if place == "elsewhere":
                    tab.evaluate("scrollTo(0, document.body.scrollHeight)")
                tab.evaluate("(hash) => probe.click(hash)", hash)
                missed.append(tab.evaluate("(hash) => probe.missed(hash)", hash))
    for hash, tab in zip(fragments, cycle(tabs.values())):
        tab.goto("about:blank")
        tab.goto(address + hash)
        missed.append(tab.evaluate("(hash) => probe.missed(hash)", hash))
    assert [place for place in missed if place] == []


def test_a_link_into_a_fold_opens_it_and_lights_the_line(opened, small_site):
    tab = opened(1280).new_page()
    tab.goto(f"{small_site}/chapters/00_small.html")
    line = tab.locator("details.below-input span[id^='out-']").first
    assert not line.is_visible()
    before = line.evaluate("(line) => getComputedStyle(line).backgroundColor")
    tab.evaluate("(hash) => { location.hash = hash }", line.get_attribute("id"))
    line.wait_for(state="visible")
    assert line.evaluate("(line) => getComputedStyle(line).backgroundColor") != before


def test_copy_buttons_copy_code_only(opened, site):
    context = opened(1280, permissions=["clipboard-read", "clipboard-write"])
    for name, path in PATHS.items():
        sources = numbers.Page(path).sources
        if not sources:
            continue
        tab = Visit(context, f"{site}/{name}.html").tab
        assert tab.locator(".cell_output .copybtn").count() == 0
        assert tab.locator(".cell_input .copybtn").count() == len(sources)
        tab.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true })")
        for number in (0, len(sources) - 1):
            tab.locator(".cell_input .copybtn").nth(number).click()
            assert tab.evaluate("navigator.clipboard.readText()").rstrip("\n") == sources[number]
        tab.close()


def test_keyboard(opened, site):
    """The skip link comes first; each stop after it can be seen; a phone's menus open and close."""
    address = f"{site}/chapters/02_modules.html"
    tab = Visit(opened(1400), address).tab
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.hash") == "#furo-main-content"
    for _ in range(60):
        tab.keyboard.press("Tab")
        assert tab.evaluate("probe.unseenFocus()") is None
    tab = Visit(opened(375), address).tab
    for menu, inside in {"Pages": ".sidebar-drawer", "On this page": ".toc-drawer"}.items():
        assert not tab.locator(inside).is_visible()
        tab.locator(f"button[aria-label='{menu}']:visible").press("Enter")
        assert tab.evaluate("(inside) => !!document.activeElement.closest(inside)", inside)
        tab.keyboard.press("Escape")
        tab.locator(inside).wait_for(state="hidden")


@pytest.mark.parametrize("name", ["chapters/00_by_hand", "search"])
def test_where_storage_is_blocked(opened, site, name):
    """No script stops at it, and the first click on the theme changes it."""
    context = opened(1280)
    context.add_init_script(BLOCK_STORAGE)
    visit = Visit(context, f"{site}/{name}.html")
    before = visit.tab.evaluate("getComputedStyle(document.body).backgroundColor")
    visit.tab.locator(".theme-toggle:visible").click()
    assert visit.tab.evaluate("getComputedStyle(document.body).backgroundColor") != before
    assert visit.faults == []


def test_search_leads_to_the_section_that_has_the_word(opened, small_site):
    context = opened(1280)
    for word, section in {"rule": "a-number", "halve": "exercises"}.items():
        visit = Visit(context, f"{small_site}/search.html?q={word}")
        link = visit.tab.locator("ul.search li:has(p) > a").first
        link.wait_for()
        address, _, fragment = link.get_attribute("href").partition("#")
        assert "00_small.html" in address and fragment == section
        excerpt = link.locator("..").inner_text()
        assert word in excerpt.lower() and "Run this page" not in excerpt
        assert visit.faults == []
    tab = Visit(context, f"{small_site}/search.html?q=sample").tab
    tab.locator("ul.search li p").first.wait_for()
    assert tab.locator("ul.search").inner_text().count("120") <= 1  # a formula is shown once


@every_chapter
def test_without_a_network_or_scripts(opened, built, name):
    """From a file, offline, scripts off: every word of the sources and every printed line is there."""
    tab, failed = opened(1280, offline=True, java_script_enabled=False).new_page(), []
    tab.on("requestfailed", lambda request: failed.append(request.url))
    tab.goto((built / f"{name}.html").as_uri())
    assert tab.locator("h1").is_visible() and failed == []
    shown = tab.locator("article").text_content()
    page = numbers.Page(PATHS[name])
    prose = " ".join(block.words for _, block in page.blocks)
    lines = [line for source in page.sources for line in source.splitlines()]
    lines += [line.text for cell in page.printed for line in cell]
    assert sorted(set(re.findall(r"\w{3,}", prose)) - set(re.findall(r"\w+", shown))) == []
    assert [line for line in lines if line.strip() not in shown] == []
