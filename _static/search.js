/**
 * Search results that lead to the section that has the word.
 *
 * Sphinx leads to the page and shows what stands around the word in the whole page, formulas twice and "Run this page"
 * among it. Here it is the smallest section that has most of the words, named, and the link leads there.
 */
if (!("makeSearchSummary" in Search && "_parseQuery" in Search)) throw new Error("Sphinx's search has no makeSearchSummary or _parseQuery (it had since 7)");

if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false; // a page may not read others there

const parseQuery = Search._parseQuery;
/** The words of a query, without those that every object of JavaScript has: Sphinx finds them in it (until 8.2). */
Search._parseQuery = (query) => {
  const parsed = parseQuery(query);
  for (const words of [parsed[1], parsed[2]]) for (const word of words) if (word in {}) words.delete(word);
  return parsed;
};

Search.makeSearchSummary = (html, words, anchor) => {
  const page = new DOMParser().parseFromString(html, "text/html").querySelector('[role="main"]');
  for (const idle of page.querySelectorAll(".headerlink, .clock, .launch, .katex-mathml, script, style, summary")) {
    idle.remove();
  }
  const text = (section) => section.textContent.replace(/\s+/g, " ");
  const count = (section) => [...words].filter((word) => text(section).toLowerCase().includes(word.toLowerCase())).length;
  const sections = [...page.querySelectorAll("section[id]")]; // the whole page first, a section before its parts
  let best = sections.find((section) => `#${section.id}` === anchor) ?? sections[0];
  for (const section of sections) {
    const inside = best.contains(section) ? count(section) >= count(best) : count(section) > count(best);
    if (!anchor && inside) best = section;
  }

  const found = [...words].map((word) => text(best).toLowerCase().indexOf(word.toLowerCase())).filter((at) => at >= 0);
  const near = Math.max(Math.min(...found, text(best).length) - 90, 0);
  const start = near && text(best).indexOf(" ", near) + 1; // no word is cut
  const summary = document.createElement("p");
  summary.className = "context";
  summary.textContent = `${start ? "… " : ""}${text(best).slice(start, start + 240).trim()} …`;

  queueMicrotask(() => { // when it stands in its result
    const link = summary.parentNode?.querySelector("a");
    if (!link || anchor || best === sections[0]) return;
    link.hash = best.id;
    link.append(` › ${best.querySelector("h2, h3, h4").textContent}`);
  });
  return summary;
};
