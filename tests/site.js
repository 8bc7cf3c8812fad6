/** What test_pages.py and test_links.py ask of a page in the browser. */
window.probe = {
  layoutShift: () => new Promise((done) => {
    let sum = 0;
    const add = (list) => { for (const entry of list) sum += entry.hadRecentInput ? 0 : entry.value; };
    new PerformanceObserver((list) => add(list.getEntries())).observe({ type: "layout-shift", buffered: true });
    setTimeout(() => done(sum), 100);
  }),

  rawMathematics() {
    const text = document.querySelector("main, article").cloneNode(true);
    for (const code of text.querySelectorAll("pre, code, math, script")) code.remove();
    return text.textContent.match(/\$[^$]*\$|\\(frac|text|sqrt|tanh)\b/)?.[0] ?? null;
  },

  unseenFocus() {
    let stop = document.activeElement;
    while (stop.shadowRoot?.activeElement) stop = stop.shadowRoot.activeElement; // inside a live figure
    const style = getComputedStyle(stop);
    const seen = parseFloat(style.outlineWidth) > 0 && style.outlineStyle !== "none";
    return seen ? null : stop.outerHTML.slice(0, 120);
  },

  fragments() {
    const hashes = [...document.querySelectorAll('a[href^="#"]')].map((link) => link.hash);
    return [...new Set(hashes)].filter((hash) => hash.length > 1);
  },

  /** How far above or below the screen a target is, or null. */
  missed(hash) {
    const target = document.getElementById(decodeURIComponent(hash.slice(1)));
    const bar = document.querySelector(".mobile-header").getBoundingClientRect();
    const top = (target.getClientRects()[0] ?? target.getBoundingClientRect()).top;
    return top > bar.bottom - 1 && top < innerHeight - 10 ? null : `${hash} at ${Math.round(top)} px`;
  },

  /** What the links within the page miss: each clicked twice, and once more from the end of the page. */
  async clicked() {
    const missed = [];
    for (const hash of probe.fragments()) {
      for (const place of ["here", "here", "the end"]) {
        if (place === "the end") scrollTo(0, document.body.scrollHeight);
        document.querySelector(`a[href="${CSS.escape(hash)}"]`).click();
        await new Promise((done) => setTimeout(done)); // after the event `hashchange`
        missed.push(probe.missed(hash));
      }
    }
    return missed;
  },

  drawn: () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100))),
};
