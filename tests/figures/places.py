"""Where each live figure stands in the built site, and how to open it."""

PLACES = {
    "tape": "chapters/06_init_order.html",
    "network": "chapters/00_by_hand.html",
    "depth": "chapters/04_initialisation.html",
    "step": "chapters/01_tensors.html",
}


def open_figure(page, site, name):
    """The live figure's element, on its page, opened, on the screen, and drawn."""
    page.goto(f"{site}/{PLACES[name]}")
    # sections far from the screen are not laid out, and move what is on it when they are
    page.add_style_tag(content="section { content-visibility: visible !important }")
    figure = page.locator(f"figure-{name}").first
    figure.get_by_role("button", name="Open").click()
    figure.scroll_into_view_if_needed()
    figure.locator("#words:not(:empty)").wait_for(state="attached")
    return figure


def words(figure):
    """The state in words."""
    return figure.locator("#words").inner_text()


def next_frame(page):
    """Wait until a pending redraw is done."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
