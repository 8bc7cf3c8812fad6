"""The live figures: what they compute, in Node; what they show, in a browser, at every place in the book."""

import re
import shutil
import subprocess

import pytest
from playwright.sync_api import expect

from bookproof.notebook import Notebook
from bookproof.project import ROOT, notebooks
from tests.conftest import violations

# (figure, page) for each cell that is tagged figure-NAME, in the order of the book
PLACES = [
    (tag.removeprefix("figure-"), path.stem)
    for path in notebooks()
    for cell in Notebook(path).code
    for tag in cell.tags
    if tag.startswith("figure-")
]
FIRST = {name: stem for name, stem in reversed(PLACES)}  # the first place of each
COLOURS = "(e) => [getComputedStyle(e).color, getComputedStyle(e).backgroundColor]"
DESKTOP = {}
PHONE = {"has_touch": True, "is_mobile": True, "viewport": {"width": 375, "height": 800}}


class LiveFigure:
    """A live figure on a page."""

    def __init__(self, page, site, name, stem):
        self.page, self.errors = page, []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(f"{site}/chapters/{stem}.html")
        self.element = page.locator(f"figure-{name}").first
        self.picture = page.locator(f".tag_figure-{name} .cell_output img").first
        self.stage = self.find("#stage")

    def find(self, selector, **options):
        return self.element.locator(selector, **options)

    def button(self, name):
        return self.element.get_by_role("button", name=name)

    @property
    def words(self):
        """The state in words."""
        return self.find("#words").inner_text()

    def drawn(self):
        """Wait until a pending redraw is done."""
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")

    def do(self, selector, action, *arguments):
        """Do to a part what Playwright calls `action`; the words after it."""
        getattr(self.find(selector), action)(*arguments)
        self.drawn()
        return self.words

    def drag(self, part, start, end):
        """Drag over a part, by finger or mouse; start and end are shares of its width and height."""
        self.find(part).scroll_into_view_if_needed()
        box = self.find(part).bounding_box()
        shares = [[a + share * (b - a) for a, b in zip(start, end)] for share in (0, 0.3, 0.6, 1)]
        way = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in shares]
        if self.page.evaluate("navigator.maxTouchPoints"):
            session = self.page.context.new_cdp_session(self.page)
            touches = [*([{"x": x, "y": y}] for x, y in way), []]
            for kind, points in zip(["touchStart", *["touchMove"] * 3, "touchEnd"], touches):
                session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        else:
            self.page.mouse.move(*way[0])
            self.page.mouse.down()
            self.page.mouse.move(*way[-1], steps=5)
            self.page.mouse.up()
        self.drawn()


pointer = pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["mouse", "finger"])


@pytest.fixture
def figure(opened, site):
    """A live figure, opened: figure("tape"). Fails in the end if a script of its page did."""
    seen = []

    def show(name, stem=None, closed=False, **options):
        page = opened(1280, **options).new_page()
        seen.append(live := LiveFigure(page, site, name, stem or FIRST[name]))
        if not closed:
            live.button("Open").click()
            live.element.scroll_into_view_if_needed()
            live.find("#words:not(:empty)").wait_for(state="attached")
        return live

    yield show
    assert [error for live in seen for error in live.errors] == []


def test_the_core_equals_torch_bit_for_bit():
    node = shutil.which("node")
    assert node, "no node: `make test` installs one"
    command = [node, "--test", "tests/figures/core.test.js"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_figure_has_a_place():
    scripts = {path.stem for path in (ROOT / "_static" / "figures").glob("*.js")} - {"core", "figure"}
    assert set(FIRST) == scripts


@pytest.mark.parametrize(("name", "stem"), PLACES)
def test_it_opens_above_the_picture_which_stays_without_it(figure, name, stem):
    """Nothing is computed before; closed, printed, and without JavaScript the picture shows."""
    plain = figure(name, stem, closed=True, java_script_enabled=False)
    assert plain.picture.is_visible() and plain.element.count() == 0
    live = figure(name, stem, closed=True)
    assert live.words == live.stage.inner_html() == ""
    assert live.picture.is_visible()
    for button in ("Open", "Close", "Open"):
        live.button(button).click()
        assert live.picture.is_visible() and live.stage.is_visible() == (button == "Open")
    live.page.emulate_media(media="print")
    assert live.picture.is_visible() and not live.element.is_visible()


@pytest.mark.parametrize(("name", "stem"), PLACES)
def test_everyone_can_use_it(figure, name, stem):
    """Its state is announced, nothing moves by itself, axe is content, and a phone shows all of it."""
    live = figure(name, stem, reduced_motion="reduce")
    assert live.element.evaluate("(e) => e.shadowRoot.getAnimations().length") == 0
    before, slider = live.words, live.find("input[type=range]").first
    if slider.count():
        slider.press("ArrowRight")
        live.drawn()
        assert slider.get_attribute("aria-valuetext") == live.find("code").first.inner_text()
    else:
        live.do("#seed", "fill", "-1")
    assert live.words and live.words != before
    expect(live.element.get_by_role("status")).to_have_text(live.words)
    if name == "tape":
        live.find("summary").click()
    for theme in ("light", "dark"):
        live.page.evaluate("(theme) => { document.body.dataset.theme = theme }", theme)
        assert violations(live.page, f"figure-{name}") == []
        colours = live.find("section").evaluate(COLOURS)
        shades = [sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in colours]
        assert (shades[0] < shades[1]) == (theme == "light")
    for width in (375, 320):
        live.page.set_viewport_size({"width": width, "height": 700})
        live.drawn()
        live.drawn()  # the figure learns of its new width in the first
        assert live.page.evaluate("document.documentElement.scrollWidth") <= width
        for part in [live.element, *live.find("button:visible, input:visible, select:visible").all()]:
            box = part.bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= width


SEED = ("seed", ["abc", "", "1.5", "2**64", "9" * 5000], "seed")
NONSENSE = {
    "tape": [SEED, ("sizes", ["5", "5-0-5", "5-1000000-5", "abc", "5--5", "1" * 10000, "1-" * 5000], "size")],
    "network": [SEED],
    "depth": [SEED, ("width", ["0", "-1", "abc", "1000000", "2.5", ""], "from 1 to 64")],
}


@pytest.mark.parametrize("name", NONSENSE)
def test_nonsense_gets_a_message_and_a_seed_acts_as_in_torch(figure, name):
    live = figure(name)
    drawing, problem = live.find("#stage svg").first, live.element.get_by_role("alert")
    for field, texts, message in NONSENSE[name]:
        box = live.find(f"#{field}")
        good = box.input_value()
        for text in texts:
            live.do(f"#{field}", "fill", text)
            assert message in problem.inner_text()
            assert box.get_attribute("aria-invalid") == "true" and not drawing.is_visible()
            live.do(f"#{field}", "fill", good)
            assert problem.inner_text() == ""
            assert box.get_attribute("aria-invalid") is None and drawing.is_visible()
    for text, acts in (("-1", "4294967295"), ("2**40", "0"), ("1099511627777", "1")):
        state = live.do("#seed", "fill", text)
        assert f"acts as {acts}," in state
        assert live.do("#seed", "fill", acts) == re.sub(r"^Seed .*? bits\. ", "", state)


def test_the_tape_says_what_agrees(figure):
    tape = figure("tape")
    first = (
        "Each order takes 47 numbers. Layer 1: weights differ, biases identical. "
        "Layer 2: weights identical, biases differ."
    )
    assert tape.words == first
    assert tape.find("rect.join").count() == 3 and tape.find("rect.other").count() == 1
    assert "A: W1: 0 to 9, b1: 10 to 11, W2: 12 to 21" in tape.find("#tape svg").get_attribute("aria-label")
    for preset, words in (
        ("Decoder first", "Layer 1: weights differ, biases differ. Layer 2: weights differ, biases differ."),
        ("9-4-2-4-9", "Layer 2: weights differ, biases identical. Layer 3: weights identical"),
        ("The two of the text", first),
    ):
        tape.button(preset).click()
        tape.drawn()
        assert words in tape.words
    bias = tape.find("#weights pre", has_text="A, layer 1, b")
    assert not bias.is_visible()
    tape.find("summary").click()
    assert re.fullmatch(r"A, layer 1, b\n( +-?0\.\d{4}){2}\s*", bias.inner_text())
    tape.element.get_by_label("every digit").check()
    tape.drawn()
    assert re.fullmatch(r"A, layer 1, b\n( +-?0\.\d{9,}){2}\s*", bias.inner_text())
    before = tape.find("#weights").inner_text()
    tape.element.get_by_label("without fused multiply-add").check()
    tape.drawn()
    assert tape.find("#weights").inner_text() != before


def steps(tape, row):
    return tape.find(f"#{row} button").all_inner_texts()


def test_steps_move_by_keyboard_and_by_buttons(figure):
    tape = figure("tape")
    tape.find("#A button").nth(2).focus()
    tape.page.keyboard.press("ArrowLeft")
    tape.drawn()
    assert steps(tape, "A") == steps(tape, "B") == ["create 1", "Xavier 1", "create 2", "Xavier 2"]
    assert "differ" not in tape.words
    assert tape.find("#A button").nth(1).evaluate("(e) => e === e.getRootNode().activeElement")
    tape.page.keyboard.press("ArrowLeft")
    tape.drawn()
    assert "must be created before" in tape.words
    assert steps(tape, "A")[0] == "create 1"
    tape.button("The two of the text").click()
    tape.find("#A button").nth(2).click()
    tape.button("Move the chosen step of A earlier").click()
    tape.drawn()
    assert steps(tape, "A")[1] == "Xavier 1"


@pointer
def test_steps_move_by_pointer(figure, device):
    tape = figure("tape", **device)
    tape.drag("#B button >> nth=2", (0.5, 0.5), (-0.7, 0.5))
    assert steps(tape, "B") == ["create 1", "create 2", "Xavier 1", "Xavier 2"]
    assert "differ" not in tape.words


@pointer
def test_the_network_stands_beside_torch_and_its_point_moves(figure, device):
    network = figure("network", **device)
    for dtype, bound in [("float32", 1e-6), ("float64", 1e-14)]:
        network.do("#dtype", "select_option", dtype)
        for point in range(5):
            network.do("#point", "select_option", str(point))
            here, torch, difference = (float(text) for text in network.find("td").all_inner_texts())
            assert abs(here - torch) < bound and difference < bound
    words = network.do("#seed", "fill", "1")
    assert network.find("td").count() == 1 and "stored for seed 0" in words
    network.do("#x1", "press", "ArrowRight")
    assert network.find("#point").input_value() == "own"
    network.drag("#plane", (0.5, 0.5), (0.75, 0.25))
    for axis in ("#x1", "#x2"):
        assert float(network.find(axis).input_value()) == pytest.approx(1, abs=0.05)


def test_depth_tells_the_fate_of_the_signal(figure):
    depth = figure("depth")
    assert "the signal fades" in depth.words and "the gradient fades" in depth.words
    assert "the signal survives" in depth.do("#scheme", "select_option", "xavier")
    assert "the gradient explodes" in depth.do("#gain", "press", "End")
    for key, layers in (("End", 50), ("Home", 1)):
        depth.do("#depth", "press", key)
        assert depth.find("circle").count() == layers + 1


@pointer
def test_the_step_moves_and_names_the_error_that_rules(figure, device):
    step = figure("step", **device)
    assert re.search(r"float32 .* rounding rules.*float64 .* truncation rules", step.words)
    step.drag("#stage", (0.5, 0.4), (0.8, 0.4))
    assert float(step.find("#exponent").input_value()) == pytest.approx(-1.2, abs=0.1)
    assert step.words.count("truncation rules") == 2
    assert step.do("#exponent", "press", "Home").count("rounding rules") == 2
