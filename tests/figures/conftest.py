"""Where the live figures stand, and how a test opens and moves one."""

import pytest
from playwright.sync_api import expect

from bookproof.notebook import Notebook
from bookproof.project import notebooks

# (figure, page) for each cell that is tagged figure-NAME, in the order of the book
PLACES = [
    (tag.removeprefix("figure-"), path.stem)
    for path in notebooks()
    for cell in Notebook(path).code
    for tag in cell.tags
    if tag.startswith("figure-")
]


class LiveFigure:
    """A live figure on a page, opened and drawn."""

    def __init__(self, page, site, name, stem=None):
        self.page, self.name = page, name
        stem = stem or next(where for figure, where in PLACES if figure == name)
        self.errors = []  # what went wrong in the page's scripts
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(f"{site}/chapters/{stem}.html")
        self.element = page.locator(f"figure-{name}").first
        self.picture = page.locator(f".tag_figure-{name} .cell_output img").first
        self.stage = self.find("#stage")

    def open(self):
        # sections far from the screen are not laid out, and move what is on it when they are
        self.page.add_style_tag(content="section { content-visibility: visible !important }")
        self.button("Open").click()
        self.element.scroll_into_view_if_needed()
        self.find("#words:not(:empty)").wait_for(state="attached")
        return self

    def find(self, selector, **options):
        return self.element.locator(selector, **options)

    def button(self, name):
        return self.element.get_by_role("button", name=name)

    @property
    def words(self):
        """The state in words."""
        return self.find("#words").inner_text()

    @property
    def problem(self):
        return self.element.get_by_role("alert").inner_text()

    def drawn(self):
        """Wait until a pending redraw is done."""
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")

    def fill(self, field, value):
        self.find(f"#{field}").fill(value)
        self.drawn()

    def choose(self, field, value):
        self.find(f"#{field}").select_option(value)
        self.drawn()

    def press(self, field, *keys):
        self.find(f"#{field}").focus()
        for key in keys:
            self.page.keyboard.press(key)
        self.drawn()

    def value(self, field):
        return float(self.find(f"#{field}").input_value())

    def rests(self):
        """Wait until the state in words is announced."""
        expect(self.element.get_by_role("status")).to_have_text(self.words)

    def point(self, locator, across=0.5, down=0.5):
        """A point of an element, on the screen: shares of its width and height to pixels."""
        locator.scroll_into_view_if_needed()
        box = locator.bounding_box()
        return box["x"] + across * box["width"], box["y"] + down * box["height"]

    def drag(self, start, end):
        """Drag from one point to another: by touch where the page has it, otherwise by mouse."""
        way = [[a + share * (b - a) for a, b in zip(start, end)] for share in (0, 0.3, 0.6, 1)]
        if self.page.evaluate("navigator.maxTouchPoints"):
            session = self.page.context.new_cdp_session(self.page)
            touches = [[{"x": x, "y": y}] for x, y in way] + [[]]
            for kind, points in zip(["touchStart", *["touchMove"] * 3, "touchEnd"], touches):
                session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        else:
            self.page.mouse.move(*start)
            self.page.mouse.down()
            self.page.mouse.move(*end, steps=5)
            self.page.mouse.up()
        self.drawn()


@pytest.fixture(params=["mouse", "touch"])
def pointer_page(request, browser):
    """A page on a desktop, and on a phone."""
    phone = {"has_touch": True, "is_mobile": True, "viewport": {"width": 375, "height": 800}}
    context = browser.new_context(**(phone if request.param == "touch" else {}))
    yield context.new_page()
    context.close()


@pytest.fixture
def figure(page, site):
    """A live figure, opened: figure("tape"). Fails in the end if a script of its page did."""
    seen = []

    def show(name, stem=None, on=page, opened=True):
        seen.append(LiveFigure(on, site, name, stem))
        return seen[-1].open() if opened else seen[-1]

    yield show
    assert [error for live in seen for error in live.errors] == []
