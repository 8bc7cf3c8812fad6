/** What scrolls sideways can be reached by keyboard; what does not is no stop on the way. */
(() => {
  const wide = "pre, .math-wrapper, .table-wrapper";
  const reach = () => {
    for (const box of document.querySelectorAll(wide)) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  };
  addEventListener("load", reach);
  addEventListener("resize", reach);
  document.addEventListener("toggle", reach, true); // an opened fold shows more
})();
