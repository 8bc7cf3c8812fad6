/**
 * What the live figures share. A cell tagged figure-NAME is the place of <figure-NAME>: a line with a button above the cell's
 * picture, which stays, since the text speaks of it. Nothing is computed before the button is pressed.
 */
(() => {
  const { parseSeed } = window.figureCore;
  const all = ":is(figure-tape,figure-network,figure-depth,figure-step)";
  const page = document.createElement("style");
  page.textContent = `
    ${all}{display:block;color-scheme:light}
    [data-theme=dark] ${all}{color-scheme:dark}
    [data-theme=auto] ${all}{color-scheme:light dark}
    @media print{${all}{display:none}}`;
  document.head.append(page);

  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    :host{
      --ink:light-dark(#1f2328,#e6edf3);--soft:light-dark(#59636e,#adb8c4);
      --line:light-dark(#d5dae0,#454d57);--paper:light-dark(#fff,#1b2027);
      --blue:light-dark(#0072b2,#56b4e9);--red:light-dark(#d55e00,#ff9b57);
      --green:light-dark(#009e73,#3fd0a4);--pink:light-dark(#b5598c,#e6a0ca);
      font-size:.9rem;line-height:1.45;color:var(--ink)}
    section{background:var(--paper);border:1px solid var(--line);border-radius:8px;padding:.8rem}
    .form{display:grid;grid-template-columns:repeat(auto-fill,minmax(7rem,1fr));gap:.5rem 1rem}
    .form>.row{grid-column:1/-1}
    header{justify-content:space-between}
    .row{display:flex;flex-wrap:wrap;gap:.4rem 1rem;align-items:center}
    p,.form,header,#stage{margin:0 0 .6rem}
    label,.soft{color:var(--soft);fill:var(--soft)}
    code,pre,td{font:.95em/1.5 ui-monospace,Menlo,Consolas,monospace}
    input,select,button{font:inherit;color:inherit;accent-color:var(--blue)}
    input:not([type=checkbox]),select{display:block;box-sizing:border-box;width:100%;height:2rem;margin:0}
    input[type=text],select,button{background:var(--paper);border:1px solid var(--soft);border-radius:5px;padding:0 .5rem}
    button{min-height:2rem;cursor:pointer}
    [aria-pressed=true]{box-shadow:0 0 0 1px var(--ink)}
    [aria-invalid]{outline:2px solid var(--red)}
    #problem:not(:empty){border-left:4px solid var(--red);padding-left:.6rem}
    svg{display:block;font-size:12px;fill:var(--ink)}
    text{paint-order:stroke;stroke:var(--paper);stroke-width:3px}
    th{text-align:left;font-weight:400;padding-right:1rem}
    .line{stroke:var(--line)}
    .curve{fill:none;stroke:var(--c,var(--ink));stroke-width:2}
    .thin{stroke-width:1.2;stroke-dasharray:4 3}
    .blue{--c:var(--blue)}.red{--c:var(--red)}.green{--c:var(--green)}.pink{--c:var(--pink)}
    .grab{cursor:grab;touch-action:pan-y}
    .scroll{overflow-x:auto}
    .hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
    .closed>:not(header){display:none}.closed header{margin:0}`);

  const field = (name, label, control) => `<div><label for=${name}>${label}</label>${control}</div>`;
  /** Labelled form fields, as HTML. */
  const fields = {
    text: (name, label, value) => field(name, label,
      `<input type=text id=${name} value="${value}" autocomplete=off aria-describedby=problem>`),
    slider: (name, label, min, max, step, value) => field(name, label,
      ` <code></code><input type=range id=${name} min=${min} max=${max} step=${step} value=${value}>`),
    choice: (name, label, options) => field(name, label,
      `<select id=${name}>${Object.entries(options).map(([v, text]) => `<option value="${v}">${text}</option>`).join("")}</select>`),
    tick: (name, label) => `<label><input type=checkbox id=${name}> ${label}</label> `,
  };

  /**
   * A subclass has `heading`, `controls` (HTML) and `draw()`, which fills `stage` and returns the state in words, or throws a
   * RangeError that says what is wrong with the input.
   */
  class Figure extends HTMLElement {
    connectedCallback() {
      if (this.shadowRoot) return;
      const root = this.attachShadow({ mode: "open" });
      root.adoptedStyleSheets = [sheet];
      root.innerHTML = `<section class=closed aria-label="Live figure: ${this.heading}"><header class=row>
        <span><span class=soft>Live figure:</span> <strong>${this.heading}</strong></span><button aria-expanded=false>Open</button></header>
        <div class=form>${this.controls}</div><p id=problem role=alert></p><div id=stage></div><p id=words></p>
        <div class=hidden role=status></div></section>`;
      this.stage = this.find("#stage");
      this.find("header button").onclick = ({ target }) => {
        const closed = this.find("section").classList.toggle("closed");
        target.textContent = closed ? "Open" : "Close";
        target.setAttribute("aria-expanded", !closed);
        if (!closed && !this.width) this.open();
      };
    }

    /** The first time that it is seen. */
    open() {
      this.start();
      this.redraw();
      this.shadowRoot.addEventListener("input", () => this.update());
      new ResizeObserver(() => [0, this.width].includes(this.stage.clientWidth) || this.update()).observe(this);
    }

    start() {}

    find(selector) {
      return this.shadowRoot.querySelector(selector);
    }

    /** What `parse` makes of a field; marked if refused. */
    read(name, parse) {
      const input = this.find("#" + name);
      input.setAttribute("aria-invalid", "true");
      const value = parse(input.value);
      input.removeAttribute("aria-invalid");
      return value;
    }

    /** The seed modulo 2**32; the words will say if that is another. */
    readSeed() {
      const typed = this.read("seed", parseSeed);
      const seed = BigInt.asUintN(32, typed);
      this.note = seed === typed ? "" : `Seed ${typed} acts as ${seed}, its last 32 bits. `;
      return seed;
    }

    /** The value of a slider, shown beside it. */
    slide(name, show = String) {
      const input = this.find("#" + name);
      const text = show(+input.value);
      input.previousElementSibling.textContent = text;
      input.setAttribute("aria-valuetext", text);
      return +input.value;
    }

    /** Redraw in the next frame, once. */
    update() {
      this.frame ??= requestAnimationFrame(() => this.redraw());
    }

    redraw() {
      this.frame = undefined;
      this.width = this.stage.clientWidth; // what it is drawn for
      this.note = "";
      let [words, problem] = ["", ""];
      try {
        const state = this.draw();
        words = this.note + state;
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        problem = error.message;
      }
      this.find("#problem").textContent = problem;
      this.find("#words").textContent = words;
      this.stage.style.visibility = problem && "hidden";
      clearTimeout(this.timer); // announced once it rests
      this.timer = setTimeout(() => (this.find("[role=status]").textContent = words), 500);
    }

    /** Call `move(x, y)`, in pixels from the corner, while a pointer drags over the element. */
    dragged(element, move) {
      element.classList.add("grab");
      element.onpointerdown = element.onpointermove = (event) => {
        if (event.type === "pointerdown") element.setPointerCapture(event.pointerId);
        if (!element.hasPointerCapture(event.pointerId)) return;
        const { left, top } = element.getBoundingClientRect();
        move(event.clientX - left, event.clientY - top);
        this.update();
      };
    }
  }

  const tenTo = (n) => `10<tspan dy=-5 font-size=9>${n}</tspan>`;
  const short = (v) => (v >= 0.001 && v < 1000 ? v.toPrecision(2) : v.toExponential(1).replace("-", "\u2011")); // or a line breaks at the minus
  const log = (v) => Math.log10(Math.max(v, 1e-40));

  /**
   * Draw a plot into `stage`; `every` is the distance of ticks. `contents` makes its SVG with { X, Y, curve }: X and Y turn data
   * into pixels, curve(points, class) joins points. Returns the inverse of X.
   */
  function plot(stage, x, y, contents) {
    const [left, top, width, height] = [42, 8, stage.clientWidth - 54, 260];
    const X = (v) => ((v - x.low) / (x.high - x.low)) * width;
    const Y = (v) => ((y.high - v) / (y.high - y.low)) * height;
    const ticks = ({ low, high, every }, tick) => {
      let svg = "";
      for (let v = Math.ceil(low / every) * every; v <= high; v += every) svg += tick(v);
      return svg;
    };
    const curve = (points, style) =>
      `<path class="curve ${style}" d="M${points.map(([a, b]) => X(a).toFixed(1) + " " + Y(b).toFixed(1)).join("L")}" />`;
    const box = (x, y, w, h) => `<svg x=${x} y=${y} width=${w} height=${h} viewBox="${x} ${y} ${w} ${h}" aria-hidden=true>`;
    stage.innerHTML = `${box(-left, -top, width + 54, height + 50)}
      ${ticks(y, (v) => `<path class=line d="M0 ${Y(v)}H${width}" /><text x=-6 y=${Y(v) + 4} text-anchor=end>${y.show(v)}</text>`)}
      ${ticks(x, (v) => `<text x=${X(v)} y=${height + 20} text-anchor=middle>${x.show(v)}</text>`)}
      <text class=soft x=${width} y=${height + 38} text-anchor=end>${x.label}</text>
      ${box(-6, -6, width + 12, height + 12)}${contents({ X, Y, curve })}</svg></svg>`;
    return (px) => x.low + ((px - left) / width) * (x.high - x.low);
  }

  /** Define <figure-NAME>, and put one in every cell that is tagged for it. */
  function define(name, element) {
    customElements.define(name, element);
    for (const output of document.querySelectorAll(`.tag_${name} .cell_output`)) output.prepend(document.createElement(name));
  }

  window.figures = { Figure, define, fields, plot, tenTo, short, log };
})();
