"""What readers of such books met, by public reports: each is tried on the small book, in a browser."""

import pytest

PAGE = "chapters/00_small.html"
PHONE = {"viewport": {"width": 390, "height": 700}, "has_touch": True, "is_mobile": True}

UNDER_THE_BAR = """() => {
  const bottom = (element) => element.getBoundingClientRect().bottom;
  const stop = document.activeElement;
  return Boolean(stop.closest("article")) && bottom(stop) <= bottom(document.querySelector(".mobile-header"));
}"""


@pytest.fixture
def visit(browser, small_site):
    """Open an address of the small book in a context of its own; a script that fails fails the test."""
    contexts, errors = [], []

    def open_page(address=PAGE, theme=None, **options):
        contexts.append(browser.new_context(**options))
        tab = contexts[-1].new_page()
        tab.on("pageerror", lambda error: errors.append(str(error)))
        if theme:
            tab.add_init_script(f"localStorage.theme = {theme!r}")
        tab.goto(address if "://" in address else f"{small_site}/{address}")
        return tab

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []


@pytest.mark.parametrize("word", ["constructor", "__proto__"])
def test_a_word_that_every_object_has_is_searched(visit, word):
    tab = visit(f"search.html?q={word}%20seed")
    tab.locator("ul.search li").first.wait_for()
    assert "undefined" not in tab.locator("#search-results").inner_html()


def test_search_says_that_numbers_are_not_found(visit):
    assert "numbers alone are not" in visit("search.html").locator("article").inner_text()


def test_search_works_from_a_file(visit, small):
    tab = visit(f"{(small / 'search.html').as_uri()}?q=seed")
    tab.locator("ul.search li").first.wait_for()
    tab.wait_for_load_state("networkidle")


def test_a_translation_leaves_code_and_formulas(visit):
    """Neither changed nor, in a language that runs from right to left, turned."""
    tab = visit()
    changed = "(all) => all.filter((e) => !e.closest('[translate=no], .notranslate')).map((e) => e.outerHTML)"
    parts = tab.locator("article :is(pre, code, .math)")
    assert parts.evaluate_all(changed) == [] and parts.count() > 20
    tab.evaluate("document.documentElement.dir = 'rtl'")
    ways = parts.evaluate_all("(all) => all.map((e) => getComputedStyle(e).direction)")
    assert set(ways) == {"ltr"}


def test_a_formula_is_copied_as_it_is_written(visit):
    tab = visit(permissions=["clipboard-read", "clipboard-write"])
    tab.locator("p:has(.math)").first.evaluate("(p) => getSelection().selectAllChildren(p)")
    tab.keyboard.press("Control+C")
    assert r": $\sqrt{1/120}$." in tab.evaluate("navigator.clipboard.readText()")


@pytest.mark.parametrize(("theme", "system"), [("light", "dark"), ("dark", "light")])
def test_in_a_contrast_theme_icons_and_the_lit_line_are_seen(visit, theme, system):
    tab = visit(theme=theme, forced_colors="active", color_scheme=system)
    icon = tab.locator(".theme-toggle:visible svg:visible").first
    shade = "(e) => getComputedStyle(e).color"
    assert icon.evaluate(shade) == tab.locator("article p").first.evaluate(shade)
    tab.locator("a:has(> code.proved)").first.click()
    line = tab.locator("span[id^='out-']:target")
    assert line.evaluate("(e) => getComputedStyle(e).outlineStyle") == "solid"


@pytest.mark.parametrize(("theme", "system"), [("light", "dark"), ("dark", "light")])
def test_the_browser_s_own_parts_follow_the_theme(visit, theme, system):
    tab = visit(theme=theme, color_scheme=system)
    assert tab.evaluate("getComputedStyle(document.documentElement).colorScheme") == theme


def test_what_has_the_focus_is_not_under_the_bar_of_a_phone(visit):
    tab = visit(**PHONE)
    tab.locator(".related-pages a").last.focus()
    for _ in range(30):
        tab.keyboard.press("Shift+Tab")
        assert not tab.evaluate(UNDER_THE_BAR)


@pytest.mark.parametrize("name", [PAGE, "search.html"])
def test_a_phone_does_not_zoom_into_a_field(visit, name):
    fields = visit(name, **PHONE).locator("input:not([type=checkbox])")
    sizes = fields.evaluate_all("(all) => all.map((e) => parseFloat(getComputedStyle(e).fontSize))")
    assert sizes and min(sizes) >= 16


def test_a_published_branch_keeps_the_folders_that_begin_with_a_dash(small):
    assert (small / ".nojekyll").exists()


def test_the_page_for_what_does_not_exist_needs_no_other_file(visit):
    tab = visit("404.html")
    addresses = tab.locator("[href], [src]").evaluate_all("(all) => all.map((e) => e.href || e.src)")
    assert addresses == ["data:,", "https://owner.github.io/fork/chapters/intro.html"]
