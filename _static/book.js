/**
 * What a page does: the theme button, the mark in the list of sections, folds, and the way of the keyboard.
 *
 * In place of the theme's own script, which measures the whole page at each step of scrolling.
 */
(() => {
  document.documentElement.classList.remove("no-js");

  // the theme: as the system has it, then the other one, then the system's own by name
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const order = dark ? ["auto", "light", "dark"] : ["auto", "dark", "light"];
  for (const button of document.querySelectorAll(".theme-toggle")) {
    button.addEventListener("click", () => {
      const next = order[(order.indexOf(document.body.dataset.theme) + 1) % order.length];
      document.body.dataset.theme = next;
      localStorage.setItem("theme", next);
    });
  }

  // the sections on the upper part of the screen, marked in the list
  const links = new Map([...document.querySelectorAll(".toc-tree ul ul a")].map((link) => [link.hash.slice(1), link]));
  const spy = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      links.get(target.id).parentNode.classList.toggle("scroll-current", isIntersecting);
    }
  }, { rootMargin: "-10% 0px -70%" });
  for (const id of links.keys()) spy.observe(document.getElementById(id));

  // what scrolls sideways can be reached by keyboard; what does not is no stop on the way
  const reach = () => {
    const boxes = [...document.querySelectorAll("pre, div.math, .table-wrapper")];
    const wide = boxes.map((box) => box.scrollWidth > box.clientWidth); // all are measured before one is changed
    boxes.forEach((box, k) => (wide[k] ? (box.tabIndex = 0) : box.removeAttribute("tabindex")));
  };
  addEventListener("load", reach);
  addEventListener("resize", reach);
  document.addEventListener("toggle", reach, true); // what is folded has no width

  // a picture that must shrink much opens at its full size
  const room = document.querySelector("article").clientWidth;
  for (const picture of document.querySelectorAll("article img")) {
    if (room > 0.8 * picture.getAttribute("width")) continue;
    const link = document.createElement("a");
    link.href = picture.src;
    link.title = "Open at full size";
    picture.replaceWith(link);
    link.append(picture);
  }

  // a link into a fold opens it
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let fold = target?.closest("details"); fold; fold = fold.parentNode.closest("details")) fold.open = true;
    if (target?.closest("details")) target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();

  // names for the landmarks, and levels for the headings, that the theme leaves without
  const landmarks = { ".sidebar-drawer": "Pages", ".toc-drawer": "On this page" };
  for (const [place, name] of Object.entries(landmarks)) document.querySelector(place).ariaLabel = name;
  for (const part of document.querySelectorAll(".sidebar-tree .caption")) part.ariaLevel = 2;

  // a formula is copied as it is written
  document.addEventListener("copy", (event) => {
    const selection = getSelection();
    const part = selection.rangeCount ? selection.getRangeAt(0).cloneContents() : null;
    if (!part?.querySelector(".math")) return;
    for (const formula of part.querySelectorAll(".math")) formula.replaceChildren(`$${formula.dataset.tex}$`);
    const box = document.createElement("div");
    box.append(part);
    document.body.append(box); // its text is that of something shown
    event.clipboardData.setData("text/plain", box.innerText);
    box.remove();
    event.preventDefault();
  });

  // the two menus of narrow screens: buttons in place of labels, which have no focus
  const menus = { __navigation: ["Pages", ".sidebar-drawer a"], __toc: ["On this page", ".toc-drawer ul ul a"] };
  for (const [id, [name, first]] of Object.entries(menus)) {
    const box = document.getElementById(id);
    for (const label of document.querySelectorAll(`label[for=${id}]:not(.overlay)`)) {
      const button = document.createElement("button");
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
