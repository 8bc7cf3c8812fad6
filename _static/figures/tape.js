/** <figure-tape>: two orders of creating and initialising layers, and what each takes from one seeded stream of numbers. */
(() => {
  const { Figure, define, fields } = window.figures;
  const { build, stepsOf, parseSizes } = window.figureCore;
  const ROWS = ["A", "B"];
  const colour = (layer) => ["blue", "red", "green", "pink"][layer % 4];
  const sameBits = (a, b) => a.every((value, i) => Object.is(value, b[i]));

  const part = (count, from = 0) => [...stepsOf("create", count, from), ...stepsOf("xavier", count, from)];
  /** The steps for `n` layers, by the name of their order. */
  const ORDERS = {
    "all layers, then Xavier": (n) => part(n),
    "encoder, then decoder": (n, half = n >> 1) => [...part(half), ...part(n - half, half)],
    "decoder, then encoder": (n, half = n >> 1) => [...part(n - half, half), ...part(half)],
  };
  const [ALL, ENCODER, DECODER] = Object.keys(ORDERS);
  const PRESETS = {
    "The two of the text": ["5-2-5", ALL, ENCODER],
    "Decoder first": ["5-2-5", ENCODER, DECODER],
    "9-4-2-4-9": ["9-4-2-4-9", ALL, ENCODER],
  };

  class Tape extends Figure {
    heading = "Who takes which numbers?";
    controls =
      `<div class=row>${Object.keys(PRESETS).map((name) => `<button type=button data-preset="${name}">${name}</button>`).join("")}</div>` +
      fields.text("seed", "Seed", 0) + fields.text("sizes", "Layer sizes");

    start() {
      const mover = (row, by, sign, word) =>
        `<button type=button data-row=${row} data-by=${by} aria-label="Move the chosen step of ${row} ${word}">${sign}</button>`;
      const [a, b] = ROWS.map((row) => `<div class="row order"><strong>${row}</strong><ol data-row=${row} aria-label="Order ${row}"></ol>
        <span>${mover(row, -1, "◂", "earlier")} ${mover(row, 1, "▸", "later")}</span><span class=soft id=name${row}></span></div>`);
      this.stage.innerHTML = `<style>
        .order{margin:.4rem 0}
        ol{display:flex;flex-wrap:wrap;gap:.4rem;list-style:none;margin:0;padding:0}
        ol button{width:5.3rem;padding:0;border-bottom:4px solid var(--c);cursor:grab;touch-action:none}
        rect{fill:var(--c);fill-opacity:.25;stroke:var(--c);stroke-width:1.5}
        .lost rect{fill:none;stroke-dasharray:3 2}
        .join{stroke:none}
        .other{fill:none;stroke:var(--soft);stroke-dasharray:2 3}
        .kept text{font-weight:700}
        pre{margin:0 0 .6rem}</style>
        ${a}<div class=scroll id=tape></div>${b}
        <p class=soft>Filled: kept. Dashed: drawn, then overwritten. Bands join equal slices of the stream: filled where the same
        weight takes them, dotted where another does. Drag a step, or choose it and use the arrows.</p>
        <details><summary>The weights</summary>${fields.tick("full", "every digit")}${fields.tick("unfused", "without fused multiply-add")}
        <div class=scroll id=weights role=group aria-label="The weights"></div></details>`;
      this.preset(PRESETS["The two of the text"]);
      this.find("details").ontoggle = () => this.update();
      this.shadowRoot.addEventListener("click", ({ target }) => {
        const { preset, by, row, at } = target.dataset;
        if (preset) this.preset(PRESETS[preset]);
        if (by) this.move(row, this.chosen[row] + +by);
        if (at) this.choose(row, +at);
        this.update();
      });
      for (const list of this.shadowRoot.querySelectorAll("ol")) this.listen(list, list.dataset.row);
    }

    /** Reorder by arrow keys and by dragging. */
    listen(list, row) {
      list.onkeydown = (event) => {
        const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
        if (!by) return;
        event.preventDefault();
        this.choose(row, +event.target.dataset.at);
        this.move(row, this.chosen[row] + by, true);
      };
      list.onpointerdown = ({ target, pointerId }) => {
        if (!target.dataset.at) return;
        list.setPointerCapture(pointerId);
        this.choose(row, +target.dataset.at);
      };
      list.onpointermove = ({ clientX, clientY, pointerId }) => {
        const { at } = this.shadowRoot.elementFromPoint(clientX, clientY)?.dataset ?? {};
        if (at && list.hasPointerCapture(pointerId) && list.contains(this.shadowRoot.elementFromPoint(clientX, clientY))) this.move(row, +at, true);
      };
    }

    preset([sizes, ...orders]) {
      this.find("#sizes").value = sizes;
      this.setOrders(sizes.split("-").length - 1, orders);
    }

    setOrders(count, orders) {
      this.count = count;
      this.orders = { A: ORDERS[orders[0]](count), B: ORDERS[orders[1]](count) };
      this.chosen = { A: 0, B: 0 };
    }

    choose(row, at) {
      this.chosen[row] = at;
      this.focusOn = `ol [data-row=${row}][data-at="${at}"]`;
      this.update();
    }

    /** Move the chosen step, unless a layer would then get Xavier weights before it exists. */
    move(row, to, focus) {
      const order = [...this.orders[row]];
      if (to < 0 || to >= order.length) return;
      order.splice(to, 0, ...order.splice(this.chosen[row], 1));
      const early = order.find((step, i) => order.indexOf(step.replace("xavier", "create")) > i);
      if (early) this.refusal = `Layer ${+early.split(" ")[1] + 1} must be created before its Xavier draw. `;
      else this.orders[row] = order;
      if (!early) this.chosen[row] = to;
      if (focus) this.choose(row, this.chosen[row]);
    }

    draw() {
      const seed = this.readSeed();
      const sizes = this.read("sizes", parseSizes);
      if (sizes.length - 1 !== this.count) this.setOrders(sizes.length - 1, [ALL, ENCODER]);
      const fused = !this.find("#unfused").checked;
      const [a, b] = ROWS.map((row) => build(seed, sizes, this.orders[row], { fused }));
      ROWS.forEach((row) => this.drawOrder(row));
      if (this.focusOn) this.find(this.focusOn).focus();
      this.drawTape(a, b);
      if (this.find("details").open) this.drawWeights(a, b);

      const verdicts = a.layers.map((layer, l) => {
        const say = (key) => (sameBits(layer[key], b.layers[l][key]) ? "identical" : "differ");
        return ` Layer ${l + 1}: weights ${say("W")}, biases ${say("b")}.`;
      });
      const refusal = this.refusal ?? "";
      this.refusal = this.focusOn = undefined;
      return `${refusal}Each order takes ${a.used} numbers.${verdicts.join("")}`;
    }

    drawOrder(row) {
      const order = this.orders[row];
      this.find(`ol[data-row=${row}]`).innerHTML = order.map((step, at) => {
        const [verb, layer] = step.split(" ");
        return `<li><button type=button class=${colour(layer)} data-row=${row} data-at=${at} aria-pressed=${at === this.chosen[row]}>${
          verb === "create" ? "create" : "Xavier"} ${+layer + 1}</button></li>`;
      }).join("");
      this.find("#name" + row).textContent = Object.keys(ORDERS).find((name) => `${ORDERS[name](this.count)}` === `${order}`) ?? "your order";
    }

    drawTape(a, b) {
      const tape = this.find("#tape");
      const cell = Math.max(3.5, (tape.clientWidth - 2) / a.used);
      const [height, gap] = [34, 56];
      const title = ({ name, layer, start, count }) => `${name}${layer + 1}: ${start} to ${start + count - 1}`;
      const box = (d, y, h, style) => `<rect class="${style}" x=${d.start * cell + 1} y=${y} width=${d.count * cell - 2} height=${h} rx=2 />`;
      const segment = (y, numberY) => (d) => {
        const [x, width] = [d.start * cell, d.count * cell];
        let ticks = "";
        for (let i = 1; i < d.count; i++) ticks += `M${x + i * cell} ${y + 1}v${height - 2}`;
        const text = (least, tx, ty, style, what) => (width > least ? `<text x=${tx} y=${ty} ${style}>${what}</text>` : "");
        return `<g class="${colour(d.layer)} ${d.kept ? "kept" : "lost"}"><title>${title(d)}</title><path class=line d="${ticks}" />${box(d, y, height, "")}
          ${text(18, x + width / 2, y + 22, "text-anchor=middle", d.name + (d.layer + 1))}${text(15, x + 2, numberY, "class=soft font-size=10", d.start)}</g>`;
      };
      const joins = a.draws.flatMap((d) => b.draws.filter((e) => d.start === e.start && d.count === e.count).map((e) =>
        `<g class="fade ${colour(d.layer)}">${box(d, height + 2, gap - 4, d.layer === e.layer && d.name === e.name ? "join" : "other")}</g>`));
      const [w, h] = [a.used * cell, 2 * height + gap + 32];
      tape.innerHTML = `<svg width=${w} height=${h} viewBox="0 -16 ${w} ${h}" role=img aria-label="The tape. A: ${a.draws.map(title).join(", ")}. B: ${
        b.draws.map(title).join(", ")}.">${joins.join("")}${a.draws.map(segment(0, -4)).join("")}${b.draws.map(segment(height + gap, 2 * height + gap + 12)).join("")}</svg>`;
      tape.tabIndex = w > tape.clientWidth ? 0 : -1;
    }

    drawWeights(...built) {
      const show = (v) => (this.find("#full").checked ? v.toPrecision(9).padStart(13) : v.toFixed(4).padStart(7));
      const table = ({ nIn, nOut, ...layer }, l, row) => ["W", "b"].map((key) => {
        const columns = key === "W" ? nIn : nOut;
        const text = Array.from(layer[key], (v, i) => show(v) + ((i + 1) % columns ? "" : "\n")).join(" ");
        return `<pre>${row}, layer ${l + 1}, ${key}\n ${text}</pre>`;
      }).join("");
      const weights = this.find("#weights");
      weights.innerHTML = built[0].layers.map((_, l) => ROWS.map((row, i) => table(built[i].layers[l], l, row)).join("")).join("");
      weights.tabIndex = weights.scrollWidth > weights.clientWidth ? 0 : -1;
    }
  }

  define("figure-tape", Tape);
})();
