"""The live figures: what they compute, in Node; what they show, in a browser, at every place in the book."""

import re
import shutil
import subprocess

import pytest
from axe_playwright_python.sync_playwright import Axe

from bookproof.project import ROOT
from tests.figures.conftest import PLACES, LiveFigure

every_place = pytest.mark.parametrize(("name", "stem"), PLACES)


def test_the_core_equals_torch_bit_for_bit():
    node = shutil.which("node")
    assert node, "no node: `make test` installs one"
    command = [node, "--test", "tests/figures/core.test.js"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_figure_has_a_place():
    scripts = {path.stem for path in (ROOT / "_static" / "figures").glob("*.js")} - {"core", "figure"}
    assert {name for name, _ in PLACES} == scripts


# At every place


@every_place
def test_it_opens_above_the_picture_which_stays_without_it(browser, figure, site, name, stem):
    """Nothing is computed before; closed, printed, and without JavaScript the picture shows."""
    context = browser.new_context(java_script_enabled=False)
    plain = LiveFigure(context.new_page(), site, name, stem)
    assert plain.picture.is_visible() and plain.element.count() == 0
    context.close()
    live = figure(name, stem, opened=False)
    assert live.words == live.stage.inner_html() == ""
    assert live.picture.is_visible()
    live.open()
    assert live.stage.is_visible() and live.picture.is_visible()
    live.button("Close").click()
    assert live.picture.is_visible() and not live.stage.is_visible()
    live.button("Open").click()
    assert live.stage.is_visible()
    live.page.emulate_media(media="print")
    assert live.picture.is_visible() and not live.element.is_visible()


@every_place
def test_everyone_can_use_it(page, figure, name, stem):
    """Its state is announced, nothing moves by itself, axe is content, and a phone shows all of it."""
    page.emulate_media(reduced_motion="reduce")
    live = figure(name, stem)
    live.rests()
    assert live.element.evaluate("(e) => e.shadowRoot.getAnimations().length") == 0
    named = "(e) => (e.labels?.[0]?.textContent || e.getAttribute('aria-label') || e.textContent).trim()"
    assert all(control.evaluate(named) for control in live.find("input, select, button").all())
    before, slider = live.words, live.find("input[type=range]").first
    if slider.count():
        slider.press("ArrowRight")
        live.drawn()
        assert slider.get_attribute("aria-valuetext") == live.find("code").first.inner_text()
    else:
        live.fill("seed", "-1")
    assert live.words and live.words != before
    live.rests()
    if name == "tape":
        live.find("summary").click()
    colours = "(e) => [getComputedStyle(e).color, getComputedStyle(e).backgroundColor]"
    for theme in ("light", "dark"):
        page.evaluate("(theme) => { document.body.dataset.theme = theme }", theme)
        found = Axe().run(page, context=f"figure-{name}")
        assert found.response["violations"] == [], found.generate_report()
        assert found.response["passes"]
        colour, ground = live.find("section").evaluate(colours)
        shades = [sum(map(int, re.findall(r"\d+", c)[:3])) for c in (colour, ground)]
        assert (shades[0] < shades[1]) == (theme == "light")
    for width in (375, 320):
        page.set_viewport_size({"width": width, "height": 700})
        live.drawn()
        live.drawn()  # the figure learns of its new width in the first
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for part in [live.element, *live.find("button:visible, input:visible, select:visible").all()]:
            box = part.bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= width


# Nonsense, and seeds

NO_SEED = ["abc", "", "1.5", "2**64", "9" * 5000]
NONSENSE = [
    *((name, "seed", NO_SEED, "seed") for name in ("tape", "network", "depth")),
    ("depth", "width", ["0", "-1", "abc", "1000000", "2.5", ""], "from 1 to 64"),
    ("tape", "sizes", ["5", "5-0-5", "5-1000000-5", "abc", "5--5", "1" * 10000, "1-" * 5000], "size"),
]


@pytest.mark.parametrize(("name", "field", "texts", "message"), NONSENSE)
def test_nonsense_gets_a_message(figure, name, field, texts, message):
    opened = figure(name)
    box, drawing = opened.find(f"#{field}"), opened.find("#stage svg").first
    good = box.input_value()
    for text in texts:
        opened.fill(field, text)
        assert message in opened.problem
        assert box.get_attribute("aria-invalid") == "true" and not drawing.is_visible()
        opened.fill(field, good)
        assert opened.problem == ""
        assert box.get_attribute("aria-invalid") is None and drawing.is_visible()


@pytest.mark.parametrize("name", ["tape", "network", "depth"])
def test_a_seed_acts_as_in_torch(figure, name):
    opened = figure(name)
    for text, acts in (("-1", "4294967295"), ("2**40", "0"), ("1099511627777", "1")):
        opened.fill("seed", text)
        state = opened.words
        assert f"acts as {acts}," in state
        opened.fill("seed", acts)
        assert opened.words == re.sub(r"^Seed .*? bits\. ", "", state)


# The tape


def steps(opened, row):
    return opened.find(f"#{row} button").all_inner_texts()


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


def test_steps_move_by_keyboard(figure):
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


def test_steps_move_by_pointer(pointer_page, figure):
    tape = figure("tape", on=pointer_page)
    tape.find("#B").scroll_into_view_if_needed()
    start, end = (tape.point(tape.find("#B button").nth(place)) for place in (2, 1))
    tape.drag(start, end)
    assert steps(tape, "B") == ["create 1", "create 2", "Xavier 1", "Xavier 2"]
    assert "differ" not in tape.words


def test_steps_move_by_buttons_alone(figure):
    tape = figure("tape")
    tape.find("#A button").nth(2).click()
    tape.button("Move the chosen step of A earlier").click()
    tape.drawn()
    assert steps(tape, "A")[1] == "Xavier 1"


def test_weights_to_four_decimals_and_in_full(figure):
    tape = figure("tape")
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


# The network


def test_the_network_stands_beside_torch(figure):
    network = figure("network")
    for dtype, bound in [("float32", 1e-6), ("float64", 1e-14)]:
        network.choose("dtype", dtype)
        for point in range(5):
            network.choose("point", str(point))
            here, torch, difference = (float(text) for text in network.find("td").all_inner_texts())
            assert abs(here - torch) < bound and difference < bound
    network.fill("seed", "1")
    assert network.find("td").count() == 1 and "stored for seed 0" in network.words


def test_the_point_moves_by_keyboard_and_pointer(pointer_page, figure):
    network = figure("network", on=pointer_page)
    network.press("x1", "ArrowRight")
    assert network.find("#point").input_value() == "own"
    plane = network.find("#plane")
    network.drag(network.point(plane), network.point(plane, 0.75, 0.25))
    assert network.value("x1") == pytest.approx(1, abs=0.05)
    assert network.value("x2") == pytest.approx(1, abs=0.05)


# Depth


def test_depth_tells_the_fate_of_the_signal(figure):
    depth = figure("depth")
    assert "the signal fades" in depth.words and "the gradient fades" in depth.words
    depth.choose("scheme", "xavier")
    assert "the signal survives" in depth.words
    depth.press("gain", "End")
    assert "the gradient explodes" in depth.words
    for key, layers in (("End", 50), ("Home", 1)):
        depth.press("depth", key)
        assert depth.find("circle").count() == layers + 1
    depth.fill("width", "1")
    assert depth.problem == ""


# The step


def test_the_step_moves_and_names_the_error_that_rules(pointer_page, figure):
    step = figure("step", on=pointer_page)
    assert re.search(r"float32 .* rounding rules.*float64 .* truncation rules", step.words)
    step.drag(step.point(step.stage, 0.5, 0.4), step.point(step.stage, 0.8, 0.4))
    assert step.value("exponent") == pytest.approx(-1.2, abs=0.1)
    assert step.words.count("truncation rules") == 2
    step.press("exponent", "Home")
    assert step.words.count("rounding rules") == 2
