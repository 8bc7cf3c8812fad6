"""Predictions and exercises in the page itself: what a reader sees, hears and keeps. On the small book."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

CHOICES, NUMBER = "00_small", "a_deeper"  # the pages with a box of choices, and of a number


@pytest.fixture
def visit(page, small_site):
    """Open a page of the small book; a script that fails fails the test."""
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))

    def open_page(stem=CHOICES):
        page.goto(f"{small_site}/chapters/{stem}.html")
        return page

    yield open_page
    assert errors == []


def submit(box, text):
    """Type an answer into the field of a box; what the page says."""
    box.locator("[name=answer]").fill(text)
    box.locator("[name=answer]").press("Enter")
    return box.locator("output").inner_text()


def answer_of(page):
    """(the answer after the first Predict box, the folded output of the cell below it)."""
    fold = page.locator(".predict + details").first
    return fold, page.locator(".tag_hide-output details.below-input").first


@pytest.mark.parametrize(("choice", "words"), [(0, "Not so."), (1, "Right.")])
def test_a_choice_opens_the_answer_and_the_output(visit, choice, words):
    page = visit()
    box, folds = page.locator(".predict"), answer_of(page)
    assert all(fold.get_attribute("open") is None for fold in folds)
    assert box.locator("[data-choice]").all_inner_texts() == ["two", "three"]
    box.locator("[data-choice]").nth(choice).press("Enter")
    expect(box.locator("output")).to_contain_text(words)
    assert all(fold.get_attribute("open") == "" for fold in folds)
    assert box.locator("[aria-pressed=true]").inner_text().startswith(["two", "three"][choice])
    assert box.locator(".answered").count() == choice
    box.locator("[data-choice]").nth(1).click()
    expect(box.locator("output")).to_contain_text("Right.")
    assert box.locator(".answered").count() == choice  # of the first choice alone


def test_a_number_is_predicted(visit):
    page = visit(NUMBER)
    box, folds = page.locator(".predict"), answer_of(page)
    for text, words, state in (
        ("many", "That is no number yet.", None),
        ("1.5", "Not so: it is more.", ""),
        ("3", "Not so: it is less.", ""),
        ("2", "Right.", ""),
    ):
        assert submit(box, text).startswith(words)
        assert all(fold.get_attribute("open") == state for fold in folds)
    assert box.locator(".answered").count() == 0  # it was not the first
    page.reload()
    assert submit(box, "two") == "That is no number yet."
    assert submit(box, "2,0").startswith("Right.") and box.locator(".answered").count() == 1


def test_exercises_are_checked_marked_and_cleared(visit):
    page = visit()
    numbers, letters = page.locator(".exercise").all()
    clear = page.get_by_role("button", name="Clear")
    assert not clear.is_visible()
    for text, words in (
        ("", "no answer yet."),
        ("20", "not yet: the biases are missing."),
        ("3*20", "not yet: that is a text, not a number: write what comes out, in digits, without quotation "
         "marks."),
    ):
        assert submit(numbers, text) == f"Exercise 1: {words}"
    assert page.locator(".answered").count() == 0
    assert numbers.locator(".hint").inner_text().startswith("a number:")
    assert submit(numbers, "26") == "Exercise 1: right."
    assert submit(letters, "c, B") == "Exercise 2: right."
    assert not letters.locator(".cell").first.is_visible()
    page.reload()
    assert page.locator(".exercise .answered").count() == 2
    visit(NUMBER)
    assert page.locator(".answered").count() == 0
    clear.click()
    visit()
    assert page.locator(".answered").count() == 0 and not clear.is_visible()


def test_an_exercise_in_code_offers_the_notebook(visit):
    page = visit(NUMBER)
    box = page.locator(".exercise")
    assert "The answer is code" in box.inner_text() and box.locator("form").count() == 0
    addresses = "(links) => links.map((link) => link.href)"
    offered = box.locator(".elsewhere a").evaluate_all(addresses)
    assert offered == page.locator(".launch a").evaluate_all(addresses) != []


def test_it_works_where_nothing_can_be_kept(page, visit):
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no') } })"
    )
    visit()
    assert submit(page.locator(".exercise").first, "26") == "Exercise 1: right."
    assert page.locator(".answered").count() == 1


def test_without_javascript_and_on_paper_the_page_is_complete(browser, visit, small_site):
    context = browser.new_context(java_script_enabled=False)
    plain = context.new_page()
    plain.goto(f"{small_site}/chapters/{CHOICES}.html")
    assert plain.locator(".predict li").all_inner_texts() == ["two", "three"]
    assert plain.locator("form.answer, .predict button, output").count() == 0
    assert plain.locator(".exercise .cell").last.is_visible()
    context.close()

    page = visit()
    submit(page.locator(".exercise").first, "26")
    page.emulate_media(media="print")
    hidden = page.locator("form.answer, .predict output, .answered, .progress")
    assert hidden.count() and not any(part.is_visible() for part in hidden.all())
    assert page.locator(".predict [data-choice]").first.is_visible()
    for fold in answer_of(page):
        assert fold.locator(":scope > :not(summary)").first.is_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("stem", [CHOICES, NUMBER])
def test_everyone_can_use_it_on_a_small_screen(page, visit, theme, stem):
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    page.set_viewport_size({"width": 320, "height": 700})
    visit(stem)
    for box in page.locator(".exercise:has(form), .predict.number").all():
        submit(box, "0")
    for choice in page.locator("[data-choice]").all():
        choice.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert page.evaluate("document.getAnimations().length") == 0
    for control in page.locator(".callout :is(button:not(.copybtn), input)").all():
        box = control.bounding_box()
        assert box["height"] >= 44 and box["x"] >= 0 and box["x"] + box["width"] <= 320
    for field in page.locator("[name=answer]").all():
        assert field.evaluate("(e) => e.labels[0].textContent.trim()")
        assert page.locator(f"#{field.get_attribute('aria-describedby')}").inner_text()
    assert all(out.get_attribute("aria-live") == "polite" for out in page.locator(".callout output").all())
    found = Axe().run(page, context=".callout")
    assert found.response["violations"] == [], found.generate_report()
