/** <figure-tape>: two orders of creating and initialising layers, and what each takes from one stream of numbers. */
(() => {
  const { Figure, define, fields, html, svg } = window.figures;
  const { build, stepsOf, parseSizes } = window.figureCore;
  const ROWS = ["A", "B"];
  const COLOURS = ["blue", "red", "green", "pink"];
  const colour = (layer) => COLOURS[layer % COLOURS.length];

  /** Create the layers from one number up to another, then overwrite their weights. */
  const part = (from, to) => [...stepsOf("create", from, to), ...stepsOf("xavier", from, to)];
  const ALL = "all layers, then Xavier";
  const ENCODER = "encoder, then decoder";
  const DECODER = "decoder, then encoder";
  /** The steps for a number of layers, by the name of their order. */
  const ORDERS = {
    [ALL]: (count) => part(0, count),
    [ENCODER]: (count) => [...part(0, count >> 1), ...part(count >> 1, count)],
    [DECODER]: (count) => [...part(count >> 1, count), ...part(0, count >> 1)],
  };
  const PRESETS = {
    "The two of the text": { sizes: "5-2-5", A: ALL, B: ENCODER },
    "Decoder first": { sizes: "5-2-5", A: ENCODER, B: DECODER },
    "9-4-2-4-9": { sizes: "9-4-2-4-9", A: ALL, B: ENCODER },
  };
  const LEGEND =
    "Filled: kept. Dashed: overwritten later. Bands join equal slices: filled, in the same weight; dotted, in " +
    "another. Drag a step, or choose it and use the arrows.";

  const sameStep = (a, b) => a.kind === b.kind && a.layer === b.layer;
  const sameOrder = (a, b) => a.length === b.length && a.every((step, i) => sameStep(step, b[i]));
  const stepName = ({ kind, layer }) => `${kind === "xavier" ? "Xavier" : "create"} ${layer + 1}`;

  /** The number of a layer that is overwritten before it is created, or undefined. */
  function overwrittenEarly(order) {
    const place = (kind, layer) => order.findIndex((step) => sameStep(step, { kind, layer }));
    return order.find(({ layer }) => place("xavier", layer) < place("create", layer))?.layer;
  }

  class Tape extends Figure {
    heading = "who takes which numbers?";

    controls() {
      const presets = Object.entries(PRESETS).map(([name, preset]) =>
        html("button", { type: "button", click: () => this.usePreset(preset) }, name));
      return [
        html("div", { class: "row" }, presets),
        fields.text("seed", "Seed", 0),
        fields.text("sizes", "Layer sizes", ""),
      ];
    }

    start() {
      const scroller = (id, label) =>
        html("div", { class: "scroll", id, tabindex: 0, role: "group", "aria-label": label });
      const [a, b] = ROWS.map((row) => this.orderRow(row));
      this.stage.append(a, scroller("tape", "The tape"), b, html("p", { class: "soft" }, LEGEND));
      this.find("#words").after(html("details", {},
        html("summary", {}, "The weights"),
        fields.tick("full", "every digit"),
        fields.tick("unfused", "without fused multiply-add"),
        scroller("weights", "The weights")));
      this.usePreset(PRESETS["The two of the text"]);
    }

    /** A line with the steps of an order, and buttons that move the chosen one. */
    orderRow(row) {
      const mover = (by, sign, word) => {
        const click = () => {
          this.move(row, this.chosen[row] + by);
          this.update();
        };
        return html("button", { click, "aria-label": `Move the chosen step of ${row} ${word}` }, sign);
      };
      const steps = html("ol", { id: row, class: "row", "aria-label": `Order ${row}` });
      steps.onclick = ({ target }) => this.choose(row, target);
      steps.onkeydown = (event) => this.moveByKey(row, event);
      steps.onpointerdown = ({ target, pointerId }) => {
        if (this.choose(row, target)) steps.setPointerCapture(pointerId);
      };
      steps.onpointermove = (event) => steps.hasPointerCapture(event.pointerId) && this.moveByPointer(row, event);
      return html("div", { class: "row order" }, html("strong", {}, row), steps,
        html("span", {}, mover(-1, "◂", "earlier"), " ", mover(1, "▸", "later")),
        html("span", { class: "soft", id: `name${row}` }));
    }

    usePreset({ sizes, A, B }) {
      this.find("#sizes").value = sizes;
      this.setOrders(sizes.split("-").length - 1, { A, B });
      this.update();
    }

    setOrders(count, { A, B }) {
      this.count = count;
      this.orders = { A: ORDERS[A](count), B: ORDERS[B](count) };
      this.chosen = { A: 0, B: 0 };
    }

    /** The place in its order of the step that a button stands for; undefined for anything else. */
    placeOf(row, element) {
      const place = [...this.find(`#${row}`).children].findIndex((item) => item.contains(element));
      return element?.localName === "button" && place >= 0 ? place : undefined;
    }

    /** Choose the step of a button, which keeps the focus; whether there was one. */
    choose(row, element) {
      const place = this.placeOf(row, element);
      if (place === undefined) return false;
      this.chosen[row] = place;
      this.focusOn = row;
      this.update();
      return true;
    }

    moveByKey(row, event) {
      const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
      if (!by || !this.choose(row, event.target)) return;
      event.preventDefault();
      this.move(row, this.chosen[row] + by);
    }

    moveByPointer(row, { clientX, clientY }) {
      const over = this.placeOf(row, this.shadowRoot.elementFromPoint(clientX, clientY));
      if (over === undefined) return;
      this.move(row, over);
      this.focusOn = row;
      this.update();
    }

    /** Move the chosen step, unless a layer would then be overwritten before it is created. */
    move(row, to) {
      const order = [...this.orders[row]];
      if (to < 0 || to >= order.length) return;
      order.splice(to, 0, ...order.splice(this.chosen[row], 1));
      const early = overwrittenEarly(order);
      if (early === undefined) [this.orders[row], this.chosen[row]] = [order, to];
      else this.refusal = `Layer ${early + 1} must be created before its Xavier draw.`;
    }

    draw() {
      const { seed, notes } = this.readSeed();
      const sizes = this.read("sizes", parseSizes);
      if (sizes.length - 1 !== this.count) this.setOrders(sizes.length - 1, { A: ALL, B: ENCODER });
      const fused = !this.find("#unfused").checked;
      const [a, b] = ROWS.map((row) => build(seed, sizes, this.orders[row], { fused }));
      for (const row of ROWS) this.drawOrder(row);
      this.drawTape(a, b);
      this.drawWeights({ A: a, B: b });

      if (this.refusal) notes.push(this.refusal);
      if (this.focusOn) this.find(`#${this.focusOn} [aria-pressed=true]`).focus();
      this.refusal = this.focusOn = undefined;
      const verdicts = a.layers.map((layer, l) => {
        const compare = (key) => (layer[key].every((v, i) => v === b.layers[l][key][i]) ? "identical" : "differ");
        return `Layer ${l + 1}: weights ${compare("W")}, biases ${compare("b")}.`;
      });
      return [...notes, `Each order takes ${a.used} numbers.`, ...verdicts];
    }

    drawOrder(row) {
      const order = this.orders[row];
      const buttons = order.map((step, place) => html("li", {}, html("button",
        { class: colour(step.layer), "aria-pressed": place === this.chosen[row] }, stepName(step))));
      this.find(`#${row}`).replaceChildren(...buttons);
      const name = Object.keys(ORDERS).find((key) => sameOrder(ORDERS[key](this.count), order));
      this.find(`#name${row}`).textContent = name ?? "your order";
    }

    drawTape(a, b) {
      const tape = this.find("#tape");
      const cell = Math.max(3.5, (tape.clientWidth - 2) / a.used); // the width of a number
      const [height, gap] = [34, 56];
      const title = (draw) => `${draw.name}${draw.layer + 1}: ${draw.start} to ${draw.start + draw.count - 1}`;
      const box = ({ start, count }, y, h, style) =>
        svg("rect", { class: style, x: start * cell + 1, y, width: count * cell - 2, height: h, rx: 2 });

      const segment = (draw, y, numberY) => {
        const [x, width] = [draw.start * cell, draw.count * cell];
        const bars = svg("path", {
          class: "line",
          d: `M${x} ${y + height / 2}h${width - 1}`,
          style: `stroke-width: ${height}px; stroke-dasharray: 1 ${cell - 1}`, // one bar a number
        });
        const texts = [
          svg("text", { class: "middle", x: x + width / 2, y: y + 22 }, `${draw.name}${draw.layer + 1}`),
          svg("text", { class: "soft small", x: x + 2, y: numberY }, draw.start),
        ];
        return svg("g", { class: `${colour(draw.layer)} ${draw.kept ? "kept" : "lost"}` },
          svg("title", {}, title(draw)), box(draw, y, height, ""), bars, width > 18 ? texts : []);
      };

      const bands = a.draws.flatMap((above) => {
        const equal = b.draws.filter((below) => above.start === below.start && above.count === below.count);
        return equal.map((below) => {
          const same = above.layer === below.layer && above.name === below.name;
          return svg("g", { class: colour(above.layer) }, box(above, height + 2, gap - 4, same ? "join" : "other"));
        });
      });
      const label = [a, b].map(({ draws }, i) => `${ROWS[i]}: ${draws.map(title).join(", ")}.`).join(" ");
      const width = a.used * cell;
      tape.replaceChildren(svg("svg",
        { width, height: 156, viewBox: `0 -16 ${width} 156`, role: "img", "aria-label": label },
        bands,
        a.draws.map((draw) => segment(draw, 0, -4)),
        b.draws.map((draw) => segment(draw, height + gap, 2 * height + gap + 12))));
    }

    drawWeights(built) {
      const short = (v) => v.toFixed(4).padStart(7);
      const show = this.find("#full").checked ? (v) => v.toPrecision(9).padStart(13) : short;
      const table = (title, numbers, columns) => {
        const texts = Array.from(numbers, (v, i) => show(v) + ((i + 1) % columns ? "" : "\n"));
        return html("pre", {}, `${title}\n ${texts.join(" ")}`);
      };
      const tables = built.A.layers.flatMap((_, l) => ROWS.flatMap((row) => {
        const { W, b, nIn, nOut } = built[row].layers[l];
        return [table(`${row}, layer ${l + 1}, W`, W, nIn), table(`${row}, layer ${l + 1}, b`, b, nOut)];
      }));
      this.find("#weights").replaceChildren(...tables);
    }
  }

  define("tape", Tape);
})();
