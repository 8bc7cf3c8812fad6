"""The built site in a real browser: every page, wide and narrow, light and dark.

A page is opened wide and light, and narrow and dark; then its width and theme
are changed in place. All that can be seen is checked at once, and what is
found is listed, a line each. The budget (bytes, requests, what blocks, layout
shift) does not depend on the machine; it is printed as one table at the end
of the run (conftest.py).
"""

import json
import re
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from bs4 import BeautifulSoup
from tests.conftest import ROOT, build

PAGES = [path.stem for path in sorted((ROOT / "chapters").glob("*.*")) if path.suffix in (".ipynb", ".md")]
NOTEBOOKS = [path.stem for path in sorted((ROOT / "chapters").glob("*.ipynb"))]
OPENED = [(1280, "light"), (320, "dark")]
RESIZED = {1280: (768, 640), 320: (375,)}  # 640: text at 200 % on a screen of 1280
OTHER = {"light": "dark", "dark": "light"}
CONTRAST = {"runOnly": ["color-contrast"]}

# bytes, compressed, without figures
FIRST_VISIT = 250_000
NEXT_PAGE = 40_000
FIGURE = 60_000
SHIFT = 0.02

every_page = pytest.mark.parametrize("name", PAGES)
every_notebook = pytest.mark.parametrize("name", NOTEBOOKS)

LAYOUT_SHIFT = """() => new Promise((done) => {
  let sum = 0;
  const add = (list) => { for (const entry of list) sum += entry.hadRecentInput ? 0 : entry.value; };
  new PerformanceObserver((list) => add(list.getEntries())).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(sum), 100);
})"""
RAW_MATHEMATICS = """() => {
  const text = document.querySelector("article").cloneNode(true);
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


def address(site, name):
    return f"{site}/chapters/{name}.html"


class Visit:
    """A page opened in a context: what it asked for, and what went wrong."""

    def __init__(self, context, url):
        self.tab = context.new_page()
        self.faults, self.requests = [], []
        self.tab.on("console", lambda m: m.type in ("error", "warning") and self.faults.append(f"console: {m.text}"))
        self.tab.on("pageerror", lambda error: self.faults.append(f"script: {error}"))
        self.tab.on("requestfailed", lambda request: self.faults.append(f"failed: {request.url}"))
        self.tab.on("request", lambda request: self.requests.append(request))
        self.tab.goto(url, wait_until="load")
        self.tab.wait_for_load_state("networkidle")
        self.outside = [r.url for r in self.requests if urlsplit(r.url).netloc != urlsplit(url).netloc]
        self.faults += [f"outside: {request}" for request in self.outside]

    def bytes(self):
        """(bytes without figures, figures by address) that came over the network."""
        page, figures = 0, {}
        for request in self.requests:
            size = request.sizes()["responseBodySize"] if request.response() else 0
            if "/_images/" in request.url:
                figures[request.url] = size
            else:
                page += size
        return page, figures


@pytest.mark.parametrize("width, theme", OPENED)
@every_page
def test_page(browser, site, summary, name, width, theme):
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=theme)
    visit = Visit(context, address(site, name))
    tab, found = visit.tab, visit.faults
    if (shift := tab.evaluate(LAYOUT_SHIFT)) > SHIFT:
        found.append(f"layout shift {shift:.3f}")
    if raw := tab.evaluate(RAW_MATHEMATICS):
        found.append(f"raw mathematics: {raw}")
    if tab.locator(".katex").count() != tab.locator(".katex-mathml math").count():
        found.append("mathematics without MathML")
    violations = Axe().run(tab).response["violations"]
    tab.emulate_media(color_scheme=OTHER[theme])
    tab.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))")
    violations += Axe().run(tab, options=CONTRAST).response["violations"]
    found += [f"axe {v['id']}: {v['nodes'][0]['html'][:120]}" for v in violations]
    for narrow in (width, *RESIZED[width]):
        tab.set_viewport_size({"width": narrow, "height": 800})
        if (wide := tab.evaluate("document.body.scrollWidth")) > narrow:
            found.append(f"at {narrow} px the page scrolls sideways: {wide} px")
    row = summary.setdefault(name, {"axe": 0})
    row["axe"] += len(violations)
    if (width, theme) == OPENED[0]:
        found += budget(visit, row)
    context.close()
    assert found == []


def budget(visit, row):
    """Measure a first visit into `row` of the summary; what is above the budget."""
    row["first"] = visit.bytes()[0]
    row["next"] = visit.requests[0].sizes()["responseBodySize"]
    row["requests"], row["outside"] = len(visit.requests), len(visit.outside)
    if row["first"] > FIRST_VISIT:
        yield f"{row['first']} bytes at a first visit"
    if row["next"] > NEXT_PAGE:
        yield f"{row['next']} bytes for the page itself"
    visit.tab.evaluate("document.querySelectorAll('img').forEach((image) => { image.loading = 'eager' })")
    visit.tab.wait_for_load_state("networkidle")
    yield from (f"figure of {size} bytes: {url}" for url, size in visit.bytes()[1].items() if size > FIGURE)


@every_page
def test_head_of_a_page(built, name):
    """Language, description, one style that blocks, no script that does."""
    page = BeautifulSoup((built / f"chapters/{name}.html").read_text(encoding="utf-8"), "html.parser")
    assert page.html["lang"] == "en"
    assert 50 <= len(page.select_one('meta[name="description"]')["content"]) <= 160
    assert len(page.select('meta[name="viewport"]')) == 1
    assert len(page.select('link[rel="stylesheet"]')) == 1
    assert [script["src"] for script in page.select("script[src]:not([defer])")] == []
    assert page.select_one('link[rel*="icon"]')["href"].endswith("favicon.svg")
    assert [image["src"] for image in page.select("article img:not([alt])")] == []
    assert [image["src"] for image in page.select('article img:not([loading="lazy"][width][height])')] == []


@cache
def targets(path):
    """The ids of a page."""
    return {node["id"] for node in BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser").select("[id]")}


@pytest.mark.parametrize("file", [*(f"chapters/{name}.html" for name in PAGES), "index.html", "404.html", "search.html"])
def test_links_lead_somewhere(built, file):
    page = BeautifulSoup((built / file).read_text(encoding="utf-8"), "html.parser")
    dead = []
    for link in page.select("[href], [src]"):
        link = link.get("href") or link.get("src")
        if urlsplit(link).scheme or not link or link == "#":
            continue
        path, fragment = urldefrag(urljoin(f"/{file}", link))
        path = built / unquote(urlsplit(path).path).lstrip("/")
        if not path.is_file() or (fragment and path.suffix == ".html" and unquote(fragment) not in targets(path)):
            dead.append(link)
    assert dead == []


@every_notebook
def test_copy_buttons_copy_code_only(browser, site, name):
    cells = json.loads((ROOT / f"chapters/{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    tab = Visit(context, address(site, name)).tab
    assert tab.locator(".cell_output .copybtn").count() == 0
    assert tab.locator(".cell_input .copybtn").count() == len(sources)
    tab.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true })")
    for number in (0, len(sources) // 2, len(sources) - 1):
        tab.locator(".cell_input .copybtn").nth(number).click()
        assert tab.evaluate("navigator.clipboard.readText()").rstrip("\n") == sources[number]
    context.close()


def test_keyboard(browser, site):
    """The skip link comes first; each stop after it can be seen."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    tab = Visit(context, address(site, "02_modules")).tab
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
    context = browser.new_context(viewport={"width": 375, "height": 700})
    tab = Visit(context, address(site, "02_modules")).tab
    assert not tab.locator(inside).is_visible()
    tab.locator(f"button[aria-label='{menu}']:visible").press("Enter")
    assert tab.evaluate("(inside) => !!document.activeElement.closest(inside)", inside)
    tab.keyboard.press("Escape")
    assert not tab.locator(inside).is_visible()
    context.close()


@pytest.mark.parametrize("word, page", [("register_buffer", "02_modules"), ("in_features", "02_modules"), ("NotImplementedError", "02_modules")])
def test_search_finds_words_in_code_and_output(browser, site, word, page):
    context = browser.new_context()
    visit = Visit(context, f"{site}/search.html?q={word}")
    visit.tab.wait_for_selector("ul.search li a")
    found = visit.tab.locator("ul.search li a").evaluate_all("(links) => links.map((link) => link.href)")
    assert any(page in link for link in found)
    assert visit.faults == []
    context.close()


@every_page
def test_without_a_network(browser, built, name):
    """From a file, offline: complete, mathematics too."""
    context = browser.new_context(offline=True)
    visit = Visit(context, (built / f"chapters/{name}.html").as_uri())
    assert visit.faults == []
    fonts = visit.tab.evaluate("document.fonts.ready.then((fonts) => [...fonts].filter((f) => f.status === 'error').length)")
    assert fonts == 0
    context.close()


@every_page
def test_without_javascript(browser, site, name):
    """All text, pictures and mathematics are in the page itself."""
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(address(site, name))
    page = BeautifulSoup(tab.content(), "html.parser")
    stored = BeautifulSoup(tab.request.get(address(site, name)).text(), "html.parser")
    assert page.article.get_text().split() == stored.article.get_text().split()
    assert tab.locator("h1").is_visible()
    assert tab.locator("article img").count() == len(stored.select("article img"))
    context.close()


def test_a_fork_s_site_knows_its_address(tmp_path, monkeypatch):
    """Canonical address, card and sitemap of a fork are the fork's own."""
    monkeypatch.setenv("GITHUB_REPOSITORY", "owner/fork")
    done = build(ROOT, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    folder = tmp_path / "_build/html"
    home = "https://owner.github.io/fork/"
    page = BeautifulSoup((folder / "chapters/intro.html").read_text(encoding="utf-8"), "html.parser")
    assert page.select_one('link[rel="canonical"]')["href"] == f"{home}chapters/intro.html"
    card = page.select_one('meta[property="og:image"]')["content"]
    assert card.startswith(home) and (folder / card.removeprefix(home)).stat().st_size <= FIGURE
    places = re.findall(r"<loc>(.*?)</loc>", (folder / "sitemap.xml").read_text())
    assert sorted(Path(place).stem for place in places) == sorted(PAGES)
    assert all((folder / place.removeprefix(home)).is_file() for place in places)
