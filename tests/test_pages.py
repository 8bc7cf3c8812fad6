"""The built site in a real browser: every page, wide and narrow, light and dark.

A page is opened wide and light, and narrow and dark; then its width and theme are changed in place. All
that can be seen is checked at once, and what is found is listed, a line each. The budget (bytes,
requests, what blocks, layout shift) does not depend on the machine.
"""

import gzip
import re
from urllib.parse import urlsplit

import pytest

from bookproof import numbers
from bookproof.project import pages
from tests.conftest import violations

PATHS = {f"chapters/{path.stem}": path for path in pages()}
WIDE, NARROW = (1280, "light"), (320, "dark")
RESIZED = {1280: (768, 640), 320: (375,)}  # 640: text at 200 % on a screen of 1280
OTHER = {"light": "dark", "dark": "light"}
EVERY_RULE = {"rules": {"target-size": {"enabled": True}}}
PHONE_RULES = {"runOnly": ["color-contrast", "target-size", "scrollable-region-focusable", "button-name"]}
CLIPBOARD = ["clipboard-read", "clipboard-write"]

# bytes, compressed, without figures
FIRST_VISIT = 135_000
NEXT_PAGE = 40_000
SCRIPTS = 20_000  # of our own
FIGURE = 60_000
SHIFT = 0.05  # a tenth is good by the web's own measure

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


@pytest.mark.parametrize("kind", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("name", [*PATHS, "search", "404"])
def test_page(opened, site, name, kind):
    (width, theme), wide, text = kind, kind == WIDE, name in PATHS
    visit = Visit(opened(width, color_scheme=theme, permissions=CLIPBOARD), f"{site}/{name}.html")
    tab, found = visit.tab, visit.faults
    if (shift := tab.evaluate("probe.layoutShift()")) > SHIFT:
        found.append(f"layout shift {shift:.3f}")
    if raw := tab.evaluate("probe.rawMathematics()"):
        found.append(f"raw mathematics: {raw}")
    if tab.locator(".katex").count() != tab.locator(".katex-mathml math").count():
        found.append("mathematics without MathML")
    found += violations(tab, **(EVERY_RULE if wide else PHONE_RULES))
    tab.emulate_media(color_scheme=OTHER[theme])
    tab.evaluate("probe.drawn()")
    found += violations(tab, runOnly=["color-contrast"])
    for narrow in (width, *RESIZED[width]):
        tab.set_viewport_size({"width": narrow, "height": 800})
        if (across := tab.evaluate("document.body.scrollWidth")) > narrow:
            found.append(f"at {narrow} px the page scrolls sideways: {across} px")
    if wide:
        found += budget(visit)
        found += copied(tab, numbers.Page(PATHS[name]).sources if text else [])
    tab.set_viewport_size({"width": 320, "height": 800})
    tab.evaluate("document.documentElement.style.fontSize = '200%'")
    if (across := tab.evaluate("document.body.scrollWidth")) > 320:
        found.append(f"with text twice as large the page scrolls sideways: {across} px")
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


def copied(tab, sources):
    """What is wrong with the copy buttons: one for each cell, none for outputs; they copy code only."""
    buttons = tab.locator(".cell_input .copybtn")
    if buttons.count() != len(sources) or tab.locator(".cell_output .copybtn").count():
        yield f"{buttons.count()} copy buttons for {len(sources)} cells, or some for outputs"
        return
    tab.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true })")
    for number in {0, len(sources) - 1} if sources else ():
        buttons.nth(number).click()
        if (text := tab.evaluate("navigator.clipboard.readText()").rstrip("\n")) != sources[number]:
            yield f"copied: {text}"


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
