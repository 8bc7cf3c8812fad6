/** For the keyboard: what scrolls sideways can be reached, and so can the two menus of narrow screens. */
(() => {
  const stop = (box, wide) => {
    if (wide) box.tabIndex = 0;
    else box.removeAttribute("tabindex"); // no needless stop on the way
  };
  const reach = () => {
    const room = document.querySelector("article").clientWidth - 64; // inside frames
    for (const box of document.querySelectorAll("pre, div.math")) { // counted: to measure would lay out the whole page
      const drawn = box.querySelector(".katex-html");
      const lines = (drawn ?? box).textContent.split("\n");
      stop(box, Math.max(...lines.map((line) => line.length)) * (drawn ? 11 : 8.1) > room);
    }
    for (const box of document.querySelectorAll(".table-wrapper")) {
      requestIdleCallback?.(() => stop(box, box.scrollWidth > box.clientWidth));
    }
  };
  addEventListener("load", reach);
  addEventListener("resize", reach);

  const menus = { __navigation: ["Pages", ".sidebar-drawer a"], __toc: ["On this page", ".toc-drawer ul ul a"] };
  for (const [id, [name, first]] of Object.entries(menus)) {
    const box = document.getElementById(id);
    for (const label of document.querySelectorAll(`label[for=${id}]:not(.overlay)`)) {
      const button = document.createElement("button"); // in place of a label, which has no focus
      button.className = label.className;
      button.ariaLabel = name;
      button.append(...label.childNodes);
      button.addEventListener("click", () => {
        box.click();
        document.querySelector(first)?.focus({ preventScroll: true });
      });
      label.replaceWith(button);
    }
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") box.checked = false;
    });
  }
})();
