"""Where each live figure stands in the built site, and how to open it."""

PLACES = {
    "tape": "chapters/06_init_order.html",
    "network": "chapters/00_by_hand.html",
    "depth": "chapters/04_initialisation.html",
    "step": "chapters/01_tensors.html",
}


def open_figure(page, site, name):
    """The live figure's element, on its page and on the screen."""
    page.goto(f"{site}/{PLACES[name]}")
    figure = page.locator(f"figure-{name}").first
    figure.scroll_into_view_if_needed()
    return figure


def words(figure):
    """The state in words."""
    return figure.locator("#words").inner_text()


def next_frame(page):
    """Wait until a pending redraw is done."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
