"""The live figures in a real browser: mouse, touch, keyboard, words, nonsense, themes, phones, print, no JavaScript."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from tests.figures.places import PLACES, next_frame, open_figure, words
from playwright.sync_api import expect

NAMES = list(PLACES)

every_figure = pytest.mark.parametrize("name", NAMES)
every_theme = pytest.mark.parametrize("theme", ["light", "dark"])


def fill(figure, field, value):
    figure.locator(f"#{field}").fill(value)
    next_frame(figure.page)


def steps(figure, row):
    return figure.locator(f"#{row} button").all_inner_texts()


def centre(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def set_theme(page, theme):
    page.evaluate("(theme) => { document.documentElement.dataset.theme = document.body.dataset.theme = theme }", theme)


@pytest.fixture
def errors(page):
    """What went wrong in the page's scripts; a test that asks for it fails if there is any."""
    found = []
    page.on("pageerror", lambda error: found.append(str(error)))
    yield found
    assert found == []


# The place of a figure


@every_figure
def test_opens_and_closes_above_the_picture(page, site, name, errors):
    figure = open_figure(page, site, name)
    picture = page.locator(f".tag_figure-{name} .cell_output img").first
    assert figure.locator("#stage").is_visible() and picture.is_visible()
    figure.get_by_role("button", name="Close").click()
    assert picture.is_visible() and not figure.locator("#stage").is_visible()
    figure.get_by_role("button", name="Open").click()
    assert figure.locator("#stage").is_visible()


@every_figure
def test_computes_nothing_before_it_is_opened(page, site, name, errors):
    page.goto(f"{site}/{PLACES[name]}")
    figure = page.locator(f"figure-{name}").first
    assert figure.locator("#words").inner_text() == ""
    assert figure.locator("#stage").inner_html() == ""


@every_figure
def test_prints_the_picture(page, site, name):
    figure = open_figure(page, site, name)
    page.emulate_media(media="print")
    assert page.locator(f".tag_figure-{name} .cell_output img").first.is_visible()
    assert not figure.is_visible()


@every_figure
def test_without_javascript_the_picture_shows(page, site, name):
    context = page.context.browser.new_context(java_script_enabled=False)
    plain = context.new_page()
    plain.goto(f"{site}/{PLACES[name]}")
    assert plain.locator(f".tag_figure-{name} .cell_output img").first.is_visible()
    assert plain.locator(f"figure-{name}").count() == 0
    context.close()


# Who can use it


@every_theme
@every_figure
def test_axe_finds_nothing(page, site, name, theme):
    figure = open_figure(page, site, name)
    set_theme(page, theme)
    if name == "tape":
        figure.locator("summary").click()
    found = Axe().run(page, context=f"figure-{name}")
    assert found.response["violations"] == [], found.generate_report()
    assert found.response["passes"]


@every_figure
def test_colours_follow_the_theme(page, site, name):
    figure = open_figure(page, site, name)
    shade = {}
    for theme in ("light", "dark"):
        set_theme(page, theme)
        style = figure.locator("section").evaluate("(e) => [getComputedStyle(e).color, getComputedStyle(e).backgroundColor]")
        shade[theme] = [sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in style]
    assert shade["light"][0] < shade["light"][1] and shade["dark"][0] > shade["dark"][1]


@every_figure
def test_fits_a_phone(page, site, name):
    figure = open_figure(page, site, name)
    for width in (375, 320):
        page.set_viewport_size({"width": width, "height": 700})
        next_frame(page)
        next_frame(page)  # the figure learns of its new width in the first
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for part in [figure, *figure.locator("button:visible, input:visible, select:visible").all()]:
            box = part.bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= width


@every_figure
def test_nothing_moves_by_itself(page, site, name):
    page.emulate_media(reduced_motion="reduce")
    figure = open_figure(page, site, name)
    assert figure.evaluate("(e) => e.shadowRoot.getAnimations().length") == 0


@every_figure
def test_every_control_has_a_name(page, site, name):
    figure = open_figure(page, site, name)
    for control in figure.locator("input, select, button").all():
        assert control.evaluate("(e) => (e.labels?.[0]?.textContent || e.getAttribute('aria-label') || e.textContent).trim()")


@every_figure
def test_the_state_is_announced_once_it_rests(page, site, name):
    figure = open_figure(page, site, name)
    status = figure.get_by_role("status")
    expect(status).to_have_text(words(figure))
    if name == "tape":
        fill(figure, "seed", "-1")
    else:
        slider = figure.locator("input[type=range]").first
        slider.press("ArrowRight")
        next_frame(page)
        assert slider.get_attribute("aria-valuetext") == figure.locator("code").first.inner_text()
    assert words(figure)
    expect(status).to_have_text(words(figure))


# Nonsense


NONSENSE = [
    ("tape", "seed", ["abc", "", "1.5", "2**64", "9" * 5000], "seed"),
    ("network", "seed", ["abc", "", "1.5", "2**64", "9" * 5000], "seed"),
    ("depth", "seed", ["abc", "", "1.5", "2**64", "9" * 5000], "seed"),
    ("depth", "width", ["0", "-1", "abc", "1000000", "2.5", ""], "from 1 to 64"),
    ("tape", "sizes", ["5", "5-0-5", "5-1000000-5", "abc", "5--5", "1" * 10000, "1-" * 5000], "size"),
]


@pytest.mark.parametrize("name, field, texts, message", NONSENSE)
def test_nonsense_gets_a_message(page, site, name, field, texts, message, errors):
    figure = open_figure(page, site, name)
    good = figure.locator(f"#{field}").input_value()
    for text in texts:
        fill(figure, field, text)
        assert message in figure.get_by_role("alert").inner_text()
        assert figure.locator(f"#{field}").get_attribute("aria-invalid") == "true"
        assert not figure.locator("#stage svg").first.is_visible()
        fill(figure, field, good)
        assert figure.get_by_role("alert").inner_text() == ""
        assert figure.locator(f"#{field}").get_attribute("aria-invalid") is None
        assert figure.locator("#stage svg").first.is_visible()


@pytest.mark.parametrize("name", ["tape", "network", "depth"])
def test_a_seed_acts_as_in_torch(page, site, name, errors):
    figure = open_figure(page, site, name)
    for text, acts in (("-1", "4294967295"), ("2**40", "0"), ("1099511627777", "1")):
        fill(figure, "seed", text)
        state = words(figure)
        assert f"acts as {acts}," in state
        fill(figure, "seed", acts)
        assert words(figure) == re.sub(r"^Seed .*? bits\. ", "", state)


# The tape


def test_the_tape_says_what_agrees(page, site):
    figure = open_figure(page, site, "tape")
    assert words(figure) == (
        "Each order takes 47 numbers. Layer 1: weights differ, biases identical. Layer 2: weights identical, biases differ."
    )
    assert figure.locator("rect.join").count() == 3 and figure.locator("rect.other").count() == 1
    assert "A: W1: 0 to 9, b1: 10 to 11, W2: 12 to 21" in figure.locator("#tape svg").get_attribute("aria-label")


def test_presets(page, site):
    figure = open_figure(page, site, "tape")
    first = words(figure)
    for preset, verdicts in (
        ("Decoder first", ["Layer 1: weights differ, biases differ. Layer 2: weights differ, biases differ."]),
        ("9-4-2-4-9", ["takes 195 numbers.", "Layer 2: weights differ, biases identical. Layer 3: weights identical"]),
        ("The two of the text", [first]),
    ):
        figure.get_by_role("button", name=preset).click()
        next_frame(page)
        assert all(verdict in words(figure) for verdict in verdicts)


def test_steps_move_by_keyboard(page, site):
    figure = open_figure(page, site, "tape")
    figure.locator("#A button").nth(2).focus()
    page.keyboard.press("ArrowLeft")
    next_frame(page)
    assert steps(figure, "A") == steps(figure, "B") == ["create 1", "Xavier 1", "create 2", "Xavier 2"]
    assert "differ" not in words(figure)
    assert figure.locator("#A button").nth(1).evaluate("(e) => e === e.getRootNode().activeElement")
    page.keyboard.press("ArrowLeft")
    next_frame(page)
    assert "must be created before" in words(figure)
    assert steps(figure, "A")[0] == "create 1"


def test_steps_move_by_mouse(page, site):
    figure = open_figure(page, site, "tape")
    start, end = (centre(figure.locator("#B button").nth(place)) for place in (2, 1))  # they are redrawn on the way
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=5)
    page.mouse.up()
    next_frame(page)
    assert steps(figure, "B") == ["create 1", "create 2", "Xavier 1", "Xavier 2"]
    assert "differ" not in words(figure)


def test_steps_move_by_buttons_alone(page, site):
    figure = open_figure(page, site, "tape")
    figure.locator("#A button").nth(2).click()
    figure.get_by_role("button", name="Move the chosen step of A earlier").click()
    next_frame(page)
    assert steps(figure, "A")[1] == "Xavier 1"


@pytest.fixture
def touch_page(page):
    context = page.context.browser.new_context(has_touch=True, is_mobile=True, viewport={"width": 375, "height": 800})
    yield context.new_page()
    context.close()


def drag_by_touch(page, start, end):
    session = page.context.new_cdp_session(page)
    way = [[a + share * (b - a) for a, b in zip(start, end)] for share in (0, 0.3, 0.6, 1)]
    for kind, place in zip(["touchStart", "touchMove", "touchMove", "touchMove"], way):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": place[0], "y": place[1]}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()
    next_frame(page)


def test_steps_move_by_touch(touch_page, site):
    figure = open_figure(touch_page, site, "tape")
    third = figure.locator("#A button").nth(2)
    third.scroll_into_view_if_needed()
    drag_by_touch(touch_page, centre(third), centre(figure.locator("#A button").nth(1)))
    assert steps(figure, "A") == ["create 1", "Xavier 1", "create 2", "Xavier 2"]


def test_weights_to_four_decimals_and_in_full(page, site):
    figure = open_figure(page, site, "tape")
    bias = figure.locator("#weights pre", has_text="A, layer 1, b")
    assert not bias.is_visible()
    figure.locator("summary").click()
    assert re.fullmatch(r"A, layer 1, b\n( +-?0\.\d{4}){2}\s*", bias.inner_text())
    figure.get_by_label("every digit").check()
    next_frame(page)
    fused = bias.inner_text()
    assert re.fullmatch(r"A, layer 1, b\n( +-?0\.\d{9,}){2}\s*", fused)
    before = figure.locator("#weights").inner_text()
    figure.get_by_label("without fused multiply-add").check()
    next_frame(page)
    assert figure.locator("#weights").inner_text() != before


# The network


def test_the_network_stands_beside_torch(page, site):
    figure = open_figure(page, site, "network")
    for dtype, bound in [("float32", 1e-6), ("float64", 1e-14)]:
        figure.locator("#dtype").select_option(dtype)
        for point in range(5):
            figure.locator("#point").select_option(str(point))
            next_frame(page)
            here, torch, difference = (float(text) for text in figure.locator("td").all_inner_texts())
            assert abs(here - torch) < bound and difference < bound
    fill(figure, "seed", "1")
    assert figure.locator("td").count() == 1 and "stored for seed 0" in words(figure)


def test_the_point_moves_by_keyboard_mouse_and_touch(page, touch_page, site):
    figure = open_figure(page, site, "network")
    figure.locator("#x1").focus()
    page.keyboard.press("ArrowRight")
    next_frame(page)
    assert figure.locator("#point").input_value() == "own"
    plane = figure.locator("#plane")
    plane.scroll_into_view_if_needed()
    box = plane.bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.75, box["y"] + box["height"] * 0.75)
    next_frame(page)
    assert float(figure.locator("#x1").input_value()) == pytest.approx(1, abs=0.05)
    assert float(figure.locator("#x2").input_value()) == pytest.approx(-1, abs=0.05)

    figure = open_figure(touch_page, site, "network")
    plane = figure.locator("#plane")
    plane.scroll_into_view_if_needed()
    x, y = centre(plane)
    drag_by_touch(touch_page, (x, y), (x + 50, y - 60))
    assert float(figure.locator("#x1").input_value()) > 0.5 and float(figure.locator("#x2").input_value()) > 0.5


# Depth


def test_depth_tells_the_fate_of_the_signal(page, site, errors):
    figure = open_figure(page, site, "depth")
    assert "the signal fades" in words(figure) and "the gradient fades" in words(figure)
    figure.locator("#scheme").select_option("xavier")
    next_frame(page)
    assert "the signal survives" in words(figure)
    figure.locator("#gain").focus()
    page.keyboard.press("End")
    next_frame(page)
    assert "the gradient explodes" in words(figure)
    figure.locator("#depth").focus()
    for key, layers in (("End", 50), ("Home", 1)):
        page.keyboard.press(key)
        next_frame(page)
        assert figure.locator("circle").count() == layers + 1
    fill(figure, "width", "1")
    assert figure.get_by_role("alert").inner_text() == ""


# The step


def test_the_step_moves_and_names_the_error_that_rules(page, touch_page, site):
    figure = open_figure(page, site, "step")
    figure.locator("#exponent").focus()
    page.keyboard.press("Home")
    next_frame(page)
    assert words(figure).count("rounding rules") == 2
    page.keyboard.press("End")
    next_frame(page)
    assert words(figure).count("truncation rules") == 2
    for target in (page, touch_page):
        figure = open_figure(target, site, "step")
        stage = figure.locator("#stage")
        stage.scroll_into_view_if_needed()
        assert re.search(r"float32 .* rounding rules.*float64 .* truncation rules", words(figure))
        box = stage.bounding_box()
        x, y = box["x"] + 0.8 * box["width"], box["y"] + 100
        if target is page:
            page.mouse.click(x, y)
        else:
            drag_by_touch(target, (x - 60, y), (x, y))
        next_frame(target)
        assert float(figure.locator("#exponent").input_value()) == pytest.approx(-1.2, abs=0.1)
        assert words(figure).count("truncation rules") == 2
