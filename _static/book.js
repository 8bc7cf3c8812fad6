/** For the keyboard: what scrolls sideways can be reached, and so can the two menus of narrow screens. */
(() => {
  const scrollers = document.querySelectorAll("pre, div.math, .table-wrapper");
  const reach = () => {
    for (const box of scrollers) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else box.removeAttribute("tabindex"); // no needless stop on the way
    }
  };
  addEventListener("load", reach);
  addEventListener("resize", reach);
  document.addEventListener("toggle", reach, true); // an opened fold shows more

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
