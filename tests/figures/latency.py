"""The median time from an input to the frame that answers it, for each live figure.

python tests/figures/latency.py http://localhost:8000     (the built site)
"""

import statistics
import sys
from pathlib import Path


from bookproof import browser
from tests.figures.places import open_figure
from playwright.sync_api import sync_playwright

REPEATS = 30

# each kind of input: the figure, the field, and its values in turn
INPUTS = {
    "tape: seed": ("tape", "seed", range(REPEATS)),
    "network: x1": ("network", "x1", [i / 20 for i in range(REPEATS)]),
    "depth: gain": ("depth", "gain", [0.5 + i / 20 for i in range(REPEATS)]),
    "depth: 50 layers of 64": ("depth", "gain", [0.5 + i / 20 for i in range(REPEATS)]),
    "step: step": ("step", "exponent", [-5 + i / 10 for i in range(REPEATS)]),
}

# the frame after an input is drawn when a task runs that was queued in the frame's callback
MEASURE = """async (figure, [field, values]) => {
  const input = figure.shadowRoot.querySelector('#' + field);
  const times = [];
  for (const value of values) {
    const start = performance.now();
    input.value = value;
    input.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
    await new Promise((done) => requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = done;
      channel.port2.postMessage(0);
    }));
    times.push(performance.now() - start);
  }
  return times;
}"""


def main(site):
    with sync_playwright() as playwright:
        chromium = browser.launch(playwright)
        page = chromium.new_page()
        for title, (name, field, values) in INPUTS.items():
            figure = open_figure(page, site, name)
            if title == "depth: 50 layers of 64":
                figure.locator("#width").fill("64")
                figure.locator("#depth").fill("50")
            times = figure.evaluate(MEASURE, [field, list(values)])
            print(f"{title:24s} median {statistics.median(times):6.1f} ms, slowest {max(times):6.1f} ms")
        chromium.close()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1].rstrip("/"))
