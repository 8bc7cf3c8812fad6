"""The built site in a real browser: every page, wide and narrow, light and dark.

A page is opened wide and light, and narrow and dark; then its width and theme are changed in place. All
that can be seen is checked at once, and what is found is listed, a line each. The budget (bytes,
requests, what blocks, layout shift) does not depend on the machine.
"""

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
from tests.conftest import build
from tests.small_book import lay

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

every_page = pytest.mark.parametrize("name", PAGES)
every_chapter = pytest.mark.parametrize("name", CHAPTERS)

LAYOUT_SHIFT = """() => new Promise((done) => {
  let sum = 0;
  const add = (list) => { for (const entry of list) sum += entry.hadRecentInput ? 0 : entry.value; };
  new PerformanceObserver((list) => add(list.getEntries())).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(sum), 100);
})"""
RAW_MATHEMATICS = """() => {
  const text = document.querySelector("main, article").cloneNode(true);
  for (const code of text.querySelectorAll("pre, code, math, script")) code.remove();
  return text.textContent.match(/\\$[^$]*\\$|\\\\(frac|text|sqrt|tanh)\\b/)?.[0] ?? null;
}"""
UNSEEN_FOCUS = """() => {
  let stop = document.activeElement;
  while (stop.shadowRoot?.activeElement) stop = stop.shadowRoot.activeElement; // inside a live figure
  const style = getComputedStyle(stop);
  const seen = parseFloat(style.outlineWidth) > 0 && style.outlineStyle !== "none";
  return seen ? null : stop.outerHTML.slice(0, 120);
}"""
FRAGMENTS = """() => [...new Set([...document.querySelectorAll('a[href^="#"]')].map((link) => link.hash))]
  .filter((hash) => hash.length > 1)"""
MISSED = """(hash) => { // how far above or below the screen the target is, or null
  const target = document.getElementById(decodeURIComponent(hash.slice(1)));
  const bar = document.querySelector(".mobile-header").getBoundingClientRect();
  const top = (target.getClientRects()[0] ?? target.getBoundingClientRect()).top;
  return top > bar.bottom - 1 && top < innerHeight - 10 ? null : `${hash} at ${Math.round(top)} px`;
}"""
CLICK = """(hash) => {
  const link = [...document.querySelectorAll("a")].find((link) => link.getAttribute("href") === hash);
  link.click();
  return new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}"""
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
        """{address: bytes} that came over the network."""
        return {r.url: r.sizes()["responseBodySize"] if r.response() else 0 for r in self.requests}


def opened(browser, width, **options):
    return browser.new_context(viewport={"width": width, "height": 800}, **options)


@pytest.mark.parametrize("width, theme", OPENED)
@every_page
def test_page(browser, site, name, width, theme):
    context = opened(browser, width, color_scheme=theme)
    visit = Visit(context, f"{site}/{name}.html")
    tab, found = visit.tab, visit.faults
    if (shift := tab.evaluate(LAYOUT_SHIFT)) > SHIFT:
        found.append(f"layout shift {shift:.3f}")
    if raw := tab.evaluate(RAW_MATHEMATICS):
        found.append(f"raw mathematics: {raw}")
    if tab.locator(".katex").count() != tab.locator(".katex-mathml math").count():
        found.append("mathematics without MathML")
    violations = Axe().run(tab, options=AXE if (width, theme) == OPENED[0] else NARROW).response["violations"]
    tab.emulate_media(color_scheme=OTHER[theme])
    tab.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))")
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
    context.close()
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


@every_chapter
def test_head_of_a_page(built, name):
    """Language, description, icon."""
    page = BeautifulSoup((built / f"{name}.html").read_text(encoding="utf-8"), "html.parser")
    assert page.html["lang"] == "en"
    assert 50 <= len(page.select_one('meta[name="description"]')["content"]) <= 160
    assert len(page.select('meta[name="viewport"]')) == 1
    assert page.select_one('link[rel*="icon"]')["href"].endswith("favicon.svg")


@cache
def targets(path):
    """The ids of a page."""
    return {node["id"] for node in BeautifulSoup(path.read_bytes(), "html.parser").select("[id]")}


@pytest.mark.parametrize("name", [*PAGES, "index"])
def test_links_lead_somewhere(built, name):
    page = BeautifulSoup((built / f"{name}.html").read_text(encoding="utf-8"), "html.parser")
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
def test_links_within_a_page_land(browser, site, name):
    """Each brings its target onto the screen, below the bar.

    Opened afresh, at one width or the other in turn; and clicked, twice and from elsewhere, at both.
    """
    contexts = {1280: opened(browser, 1280), 390: opened(browser, 390, reduced_motion="reduce")}
    tabs = {width: context.new_page() for width, context in contexts.items()}
    address, missed = f"{site}/{name}.html", []
    for width, tab in tabs.items():
        tab.goto(address)
        for hash in tab.evaluate(FRAGMENTS):
            for _ in range(2):
                tab.evaluate(CLICK, hash)
                missed.append(tab.evaluate(MISSED, hash))
            tab.evaluate("scrollTo(0, document.body.scrollHeight)")
            tab.evaluate(CLICK, hash)  # once more, from elsewhere
            missed.append(tab.evaluate(MISSED, hash))
    for hash, width in zip(tab.evaluate(FRAGMENTS), cycle(tabs)):
        tabs[width].goto("about:blank")
        tabs[width].goto(address + hash)
        missed.append(tabs[width].evaluate(MISSED, hash))
    for context in contexts.values():
        context.close()
    assert [place for place in missed if place] == []


def test_a_link_into_a_fold_opens_it_and_lights_the_line(browser, small_site):
    tab = opened(browser, 1280).new_page()
    tab.goto(f"{small_site}/chapters/00_small.html")
    line = tab.locator("details.below-input span[id^='out-']").first
    assert not line.is_visible()
    before = line.evaluate("(line) => getComputedStyle(line).backgroundColor")
    tab.evaluate("(hash) => { location.hash = hash }", line.get_attribute("id"))
    line.wait_for(state="visible")
    assert line.evaluate("(line) => getComputedStyle(line).backgroundColor") != before
    tab.context.close()


def test_copy_buttons_copy_code_only(browser, site):
    context = opened(browser, 1280, permissions=["clipboard-read", "clipboard-write"])
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
    context.close()


def test_keyboard(browser, site):
    """The skip link comes first; each stop after it can be seen."""
    context = opened(browser, 1400)
    tab = Visit(context, f"{site}/chapters/02_modules.html").tab
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.hash") == "#furo-main-content"
    unseen = []
    for _ in range(60):
        tab.keyboard.press("Tab")
        unseen.append(tab.evaluate(UNSEEN_FOCUS))
    assert [stop for stop in unseen if stop] == []
    context.close()


@pytest.mark.parametrize("menu, inside", [("Pages", ".sidebar-drawer"), ("On this page", ".toc-drawer")])
def test_menus_of_a_phone_by_keyboard(browser, site, menu, inside):
    context = opened(browser, 375)
    tab = Visit(context, f"{site}/chapters/02_modules.html").tab
    assert not tab.locator(inside).is_visible()
    tab.locator(f"button[aria-label='{menu}']:visible").press("Enter")
    assert tab.evaluate("(inside) => !!document.activeElement.closest(inside)", inside)
    tab.keyboard.press("Escape")
    assert not tab.locator(inside).is_visible()
    context.close()


@pytest.mark.parametrize("name", ["chapters/00_by_hand", "search"])
def test_where_storage_is_blocked(browser, site, name):
    """No script stops at it, and the first click on the theme changes it."""
    context = opened(browser, 1280)
    context.add_init_script(BLOCK_STORAGE)
    visit = Visit(context, f"{site}/{name}.html")
    before = visit.tab.evaluate("getComputedStyle(document.body).backgroundColor")
    visit.tab.locator(".theme-toggle:visible").click()
    assert visit.tab.evaluate("getComputedStyle(document.body).backgroundColor") != before
    assert visit.faults == []
    context.close()


def test_search_leads_to_the_section_that_has_the_word(browser, small_site):
    context = opened(browser, 1280)
    for word, section in {"rule": "a-number", "halve": "exercises"}.items():
        visit = Visit(context, f"{small_site}/search.html?q={word}")
        link = visit.tab.locator("ul.search li:has(p) > a").first
        link.wait_for()
        visit.tab.wait_for_function("(link) => link.parentNode.querySelector('p')", arg=link.element_handle())
        address, _, fragment = link.get_attribute("href").partition("#")
        assert "00_small.html" in address and fragment == section
        excerpt = link.locator("..").inner_text()
        assert word in excerpt.lower() and "Run this page" not in excerpt
        assert visit.faults == []
    context.close()


def test_search_shows_a_formula_once(browser, small_site):
    context = opened(browser, 1280)
    visit = Visit(context, f"{small_site}/search.html?q=sample")
    visit.tab.locator("ul.search li p").first.wait_for()
    assert visit.tab.locator("ul.search").inner_text().count("120") <= 1
    context.close()


@every_chapter
def test_without_a_network_or_scripts(browser, built, name):
    """From a file, offline, scripts off: every word of the sources and every printed line is there."""
    context = browser.new_context(offline=True, java_script_enabled=False)
    tab, failed = context.new_page(), []
    tab.on("requestfailed", lambda request: failed.append(request.url))
    tab.goto((built / f"{name}.html").as_uri())
    assert tab.locator("h1").is_visible() and failed == []
    shown = tab.locator("article").text_content()
    context.close()
    page = numbers.Page(PATHS[name])
    prose = " ".join(block.words for _, block in page.blocks)
    lines = [line for source in page.sources for line in source.splitlines()]
    lines += [line.text for cell in page.printed for line in cell]
    assert sorted(set(re.findall(r"\w{3,}", prose)) - set(re.findall(r"\w+", shown))) == []
    assert [line for line in lines if line.strip() not in shown] == []


def test_a_fork_s_site_knows_its_address(tmp_path, monkeypatch):
    """Canonical address, card and sitemap of a fork are the fork's own."""
    monkeypatch.setenv("GITHUB_REPOSITORY", "owner/fork")
    done = build(lay(tmp_path / "book"), tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    folder = tmp_path / "_build/html"
    home = "https://owner.github.io/fork/"
    page = BeautifulSoup((folder / "chapters/intro.html").read_text(encoding="utf-8"), "html.parser")
    assert page.select_one('link[rel="canonical"]')["href"] == f"{home}chapters/intro.html"
    card = page.select_one('meta[property="og:image"]')["content"]
    assert card.startswith(home) and (folder / card.removeprefix(home)).stat().st_size <= FIGURE
    places = re.findall(r"<loc>(.*?)</loc>", (folder / "sitemap.xml").read_text())
    assert sorted(Path(place).stem for place in places) == ["00_small", "a_deeper", "intro", "recap"]
    assert all((folder / place.removeprefix(home)).is_file() for place in places)
