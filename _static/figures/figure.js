/**
 * What the live figures share: elements, fields, a plot, and a frame with a button.
 *
 * A cell tagged figure-NAME is the place of <figure-NAME>: a line with a button above the cell's picture, which
 * stays, since the text speaks of it. Nothing is computed before the button is pressed.
 */
(() => {
  const { parseSeed } = window.figureCore;
  const STYLE = new URL("figure.css", document.currentScript.src).href;

  /** A function that makes elements of one namespace; an attribute that is a function becomes a listener. */
  const maker = (namespace) => (tag, attributes = {}, ...children) => {
    const element = document.createElementNS(namespace, tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (typeof value === "function") element.addEventListener(name, value);
      else element.setAttribute(name, value);
    }
    element.append(...children.flat());
    return element;
  };
  const html = maker("http://www.w3.org/1999/xhtml");
  const svg = maker("http://www.w3.org/2000/svg");

  const labelled = (id, label, ...control) =>
    html("div", {}, html("label", { for: id }, label), ...control);
  /** Labelled form fields; `id` is how a figure finds them. */
  const fields = {
    text: (id, label, value) => {
      const attributes = { type: "text", id, value, autocomplete: "off", "aria-describedby": "problem" };
      return labelled(id, label, html("input", attributes));
    },
    slider: (id, label, { min, max, step, value }) =>
      labelled(id, label, " ", html("code"), html("input", { type: "range", id, min, max, step, value })),
    choice: (id, label, options) => {
      const choices = Object.entries(options).map(([value, text]) => html("option", { value }, text));
      return labelled(id, label, html("select", { id }, choices));
    },
    tick: (id, label) => html("label", {}, html("input", { type: "checkbox", id }), ` ${label} `),
  };

  /**
   * A subclass has `heading`, `controls()`, which returns its fields, and `draw()`, which fills `stage` and returns
   * the state as a list of sentences, or throws a RangeError that says what is wrong with the input.
   */
  class Figure extends HTMLElement {
    connectedCallback() {
      if (this.shadowRoot) return;
      const style = html("link", { rel: "stylesheet", href: STYLE });
      const button = html("button", { "aria-expanded": "false", click: () => this.toggle() }, "Open");
      const kind = html("span", { class: "soft" }, "Live figure: ");
      const heading = html("span", {}, kind, html("strong", {}, this.heading));
      const label = `Live figure: ${this.heading}`;
      const frame = html("section", { class: "closed", hidden: "", "aria-label": label },
        html("header", { class: "row" }, heading, button),
        html("div", { class: "form" }, this.controls()),
        html("p", { id: "problem", role: "alert" }),
        html("div", { id: "stage" }),
        html("p", { id: "words" }),
        html("div", { class: "unseen", role: "status" }));
      style.onload = style.onerror = () => (frame.hidden = false);
      this.attachShadow({ mode: "open" }).append(style, frame);
      this.stage = this.find("#stage");
    }

    toggle() {
      const button = this.find("header button");
      const closed = this.find("section").classList.toggle("closed");
      button.textContent = closed ? "Open" : "Close";
      button.setAttribute("aria-expanded", !closed);
      if (!closed && !this.width) this.begin();
    }

    /** The first time that it is seen. */
    begin() {
      this.start();
      this.redraw();
      this.shadowRoot.addEventListener("input", () => this.update());
      const resized = () => this.stage.clientWidth && this.stage.clientWidth !== this.width;
      new ResizeObserver(() => resized() && this.update()).observe(this);
    }

    /** What a subclass does once, before the first draw. */
    start() {}

    find(selector) {
      return this.shadowRoot.querySelector(selector);
    }

    /** What `parse` makes of the text in a field, which is marked while that fails. */
    read(id, parse) {
      const input = this.find(`#${id}`);
      input.setAttribute("aria-invalid", "true");
      const value = parse(input.value);
      input.removeAttribute("aria-invalid");
      return value;
    }

    /** The seed modulo 2**32, and the sentences to say if that is another than the one that was typed. */
    readSeed() {
      const typed = this.read("seed", parseSeed);
      const seed = BigInt.asUintN(32, typed);
      return { seed, notes: seed === typed ? [] : [`Seed ${typed} acts as ${seed}, its last 32 bits.`] };
    }

    /** The value of a slider, shown beside it. */
    slide(id, show = String) {
      const input = this.find(`#${id}`);
      const text = show(Number(input.value));
      input.previousElementSibling.textContent = text;
      input.setAttribute("aria-valuetext", text);
      return Number(input.value);
    }

    /** Redraw in the next frame, once. */
    update() {
      this.frame ??= requestAnimationFrame(() => this.redraw());
    }

    redraw() {
      this.frame = undefined;
      this.width = this.stage.clientWidth; // what it is drawn for
      let [words, problem] = ["", ""];
      try {
        words = this.draw().join(" ");
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
    whileDragged(element, move) {
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

  /** A plot of `width` pixels; `x` and `y` are axes { low, high, every, show, label }, a tick at `every` so much. */
  class Plot {
    constructor(width, x, y) {
      Object.assign(this, { x, y, left: 42, top: 8, width: width - 54, height: 260 });
      const box = (left, top, right, bottom) => {
        const [w, h] = [this.width + left + right, this.height + top + bottom];
        const viewBox = `${-left} ${-top} ${w} ${h}`;
        return svg("svg", { x: -left, y: -top, width: w, height: h, viewBox, "aria-hidden": true });
      };
      this.element = box(this.left, this.top, 12, 42);
      for (const v of ticks(y)) {
        const line = svg("path", { class: "line", d: `M0 ${this.Y(v)}H${this.width}` });
        this.element.append(line, svg("text", { class: "end", x: -6, y: this.Y(v) + 4 }, y.show(v)));
      }
      for (const v of ticks(x)) {
        this.element.append(svg("text", { class: "middle", x: this.X(v), y: this.height + 20 }, x.show(v)));
      }
      this.element.append(svg("text", { class: "soft end", x: this.width, y: this.height + 38 }, x.label));
      this.inside = box(6, 6, 6, 6);
      this.element.append(this.inside);
    }

    /** Data to pixels across, down, and pixels of the element back to data. */
    X(v) {
      return ((v - this.x.low) / (this.x.high - this.x.low)) * this.width;
    }

    Y(v) {
      return ((this.y.high - v) / (this.y.high - this.y.low)) * this.height;
    }

    valueAt(pixel) {
      return this.x.low + ((pixel - this.left) / this.width) * (this.x.high - this.x.low);
    }

    add(...elements) {
      this.inside.append(...elements);
    }

    /** Draw a line through [x, y] points. */
    addCurve(points, style) {
      const corners = points.map(([a, b]) => `${this.X(a).toFixed(1)} ${this.Y(b).toFixed(1)}`);
      this.add(svg("path", { class: `curve ${style}`, d: `M${corners.join("L")}` }));
    }
  }

  function ticks({ low, high, every }) {
    const first = Math.ceil(low / every);
    return Array.from({ length: Math.floor(high / every) - first + 1 }, (_, i) => (first + i) * every);
  }

  /** 10 to the power n, as the children of a text. */
  const tenTo = (n) => ["10", svg("tspan", { class: "power", dy: -5 }, n)];

  /** Two digits of a number; its minus does not break the line. */
  const short = (v) => (v >= 0.001 && v < 1000 ? v.toPrecision(2) : v.toExponential(1).replace("-", "\u2011"));

  const log = (v) => Math.log10(Math.max(v, 1e-40));

  /** Define <figure-NAME>, and put one in every cell that is tagged for it. */
  function define(name, element) {
    customElements.define(`figure-${name}`, element);
    for (const output of document.querySelectorAll(`.tag_figure-${name} .cell_output`)) {
      output.prepend(html(`figure-${name}`, { class: "live-figure" }));
    }
  }

  window.figures = { Figure, Plot, define, fields, html, svg, tenTo, short, log };
})();
