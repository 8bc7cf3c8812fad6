/** What test_site.py asks of a page in the browser. */
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

  click(hash) {
    [...document.querySelectorAll("a")].find((link) => link.getAttribute("href") === hash).click();
    return new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  },

  drawn: () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100))),
};
