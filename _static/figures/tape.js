/** <figure-tape>: two orders of creating and initialising layers, and what each takes from one stream of numbers. */
(() => {
  const { Figure, define, fields } = window.figures;
  const { build, stepsOf, parseSizes } = window.figureCore;
  const ROWS = ["A", "B"];
  const colour = (layer) => ["blue", "red", "green", "pink"][layer % 4];

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
    heading = "who takes which numbers?";
    controls =
      `<div class=row>${Object.keys(PRESETS).map((name) => `<button type=button data-preset="${name}">${name}</button>`).join("")}</div>` +
      fields.text("seed", "Seed", 0) + fields.text("sizes", "Layer sizes", "");

    start() {
      const mover = (row, by, sign, word) => `<button data-row=${row} data-by=${by} aria-label="Move the chosen step of ${row} ${word}">${sign}</button> `;
      const [a, b] = ROWS.map((row) => `<div class=row><strong>${row}</strong><ol id=${row} class=row aria-label="Order ${row}"></ol>
        <span>${mover(row, -1, "◂", "earlier")}${mover(row, 1, "▸", "later")}</span><span class=soft id=name${row}></span></div>`);
      this.stage.innerHTML = `<style>
        ol{gap:.4rem;list-style:none;margin:0;padding:0}
        ol button{width:5.3rem;border-bottom:4px solid var(--c);cursor:grab;touch-action:none}
        rect{fill:var(--c);fill-opacity:.25;stroke:var(--c);stroke-width:1.5}
        .lost rect{fill:none;stroke-dasharray:3 2}
        .kept text{font-weight:700}
        .join{stroke:none}
        .other{fill:none;stroke:var(--soft);stroke-dasharray:2 3}
        pre,#stage>.row{margin:.4rem 0}</style>
        ${a}<div class=scroll id=tape tabindex=0 role=group aria-label="The tape"></div>${b}
        <p class=soft>Filled: kept. Dashed: overwritten later. Bands join equal slices: filled, in the same weight; dotted, in another.
        Drag a step, or choose it and use the arrows.</p>
        <details><summary>The weights</summary>${fields.tick("full", "every digit")}${fields.tick("unfused", "without fused multiply-add")}
        <div class=scroll id=weights tabindex=0 role=group aria-label="The weights"></div></details>`;
      this.find("#words").after(this.find("details"));
      this.preset(PRESETS["The two of the text"]);
      this.shadowRoot.addEventListener("click", ({ target }) => {
        const { preset, by, row, at } = target.dataset;
        if (preset) this.preset(PRESETS[preset]);
        if (by) this.move(row, this.chosen[row] + +by);
        if (at) this.choose(row, at);
        this.update();
      });
      ROWS.forEach((row) => this.listen(this.find("#" + row), row));
    }

    /** Reorder by arrow keys, and by dragging. */
    listen(list, row) {
      list.onkeydown = (event) => {
        const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
        if (!by) return;
        event.preventDefault();
        this.choose(row, event.target.dataset.at);
        this.move(row, this.chosen[row] + by);
      };
      list.onpointerdown = ({ target, pointerId }) => {
        if (!target.dataset.at) return;
        list.setPointerCapture(pointerId);
        this.choose(row, target.dataset.at);
      };
      list.onpointermove = ({ clientX, clientY, pointerId }) => {
        const over = list.hasPointerCapture(pointerId) && this.shadowRoot.elementFromPoint(clientX, clientY);
        if (!over || !list.contains(over) || !over.dataset.at) return;
        this.move(row, +over.dataset.at);
        this.choose(row, this.chosen[row]);
      };
    }

    preset([sizes, ...orders]) {
      this.find("#sizes").value = sizes;
      this.setOrders(sizes.split("-").length - 1, orders);
    }

    setOrders(count, [a, b]) {
      this.count = count;
      this.orders = { A: ORDERS[a](count), B: ORDERS[b](count) };
      this.chosen = { A: 0, B: 0 };
    }

    /** Choose a step of a row, which keeps the focus. */
    choose(row, at) {
      this.chosen[row] = +at;
      this.focusOn = `#${row} [aria-pressed=true]`;
      this.update();
    }

    /** Move the chosen step, unless a Xavier draw would then come before its layer. */
    move(row, to) {
      const order = [...this.orders[row]];
      if (to < 0 || to >= order.length) return;
      order.splice(to, 0, ...order.splice(this.chosen[row], 1));
      const early = order.find((step, i) => order.indexOf(step.replace("xavier", "create")) > i);
      if (early) this.refusal = `Layer ${+early.slice(7) + 1} must be created before its Xavier draw. `;
      else [this.orders[row], this.chosen[row]] = [order, to];
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
      this.drawWeights(a, b);

      const verdicts = a.layers.map((layer, l) => {
        const say = (key) => (layer[key].every((v, i) => v === b.layers[l][key][i]) ? "identical" : "differ");
        return ` Layer ${l + 1}: weights ${say("W")}, biases ${say("b")}.`;
      });
      const words = `${this.refusal ?? ""}Each order takes ${a.used} numbers.${verdicts.join("")}`;
      this.refusal = this.focusOn = undefined;
      return words;
    }

    drawOrder(row) {
      const order = this.orders[row];
      this.find("#" + row).innerHTML = order.map((step, at) => {
        const layer = +step.slice(7);
        return `<li><button class=${colour(layer)} data-row=${row} data-at=${at}
          aria-pressed=${at === this.chosen[row]}>${step.slice(0, 7).replace("x", "X")}${layer + 1}</button></li>`;
      }).join("");
      this.find("#name" + row).textContent = Object.keys(ORDERS).find((name) => `${ORDERS[name](this.count)}` === `${order}`) ?? "your order";
    }

    drawTape(a, b) {
      const tape = this.find("#tape");
      const cell = Math.max(3.5, (tape.clientWidth - 2) / a.used);
      const [height, gap] = [34, 56];
      const title = (d) => `${d.name}${d.layer + 1}: ${d.start} to ${d.start + d.count - 1}`;
      const box = (d, y, h, style) =>
        `<rect class="${style}" x=${d.start * cell + 1} y=${y} width=${d.count * cell - 2} height=${h} rx=2 />`;
      const segment = (y, numberY) => (d) => {
        const [x, width] = [d.start * cell, d.count * cell];
        const texts = `<text x=${x + width / 2} y=${y + 22} text-anchor=middle>${d.name}${d.layer + 1}</text>
          <text class=soft font-size=10 x=${x + 2} y=${numberY}>${d.start}</text>`;
        return `<g class="${colour(d.layer)} ${d.kept ? "kept" : "lost"}"><title>${title(d)}</title>${box(d, y, height, "")}
          <path class=line stroke-width=${height} stroke-dasharray="1 ${cell - 1}" d="M${x} ${y + height / 2}h${width - 1}" />${width > 18 ? texts : ""}</g>`;
      };
      const joins = a.draws.flatMap((d) => b.draws.filter((e) => d.start === e.start && d.count === e.count).map((e) =>
        `<g class=${colour(d.layer)}>${box(d, height + 2, gap - 4, d.layer === e.layer && d.name === e.name ? "join" : "other")}</g>`));
      const parts = [...joins, ...a.draws.map(segment(0, -4)), ...b.draws.map(segment(height + gap, 2 * height + gap + 12))];
      const said = [a, b].map(({ draws }, i) => `${ROWS[i]}: ${draws.map(title).join(", ")}.`);
      tape.innerHTML = `<svg width=${a.used * cell} height=156 viewBox="0 -16 ${a.used * cell} 156" role=img aria-label="${said.join(" ")}">${parts.join("")}</svg>`;
    }

    drawWeights(...built) {
      const show = this.find("#full").checked ? (v) => v.toPrecision(9).padStart(13) : (v) => v.toFixed(4).padStart(7);
      const table = (layer, title, key, columns) =>
        `<pre>${title}, ${key}\n ${Array.from(layer[key], (v, i) => show(v) + ((i + 1) % columns ? "" : "\n")).join(" ")}</pre>`;
      this.find("#weights").innerHTML = built[0].layers.flatMap((_, l) => built.map(({ layers }, i) => {
        const title = `${ROWS[i]}, layer ${l + 1}`;
        return table(layers[l], title, "W", layers[l].nIn) + table(layers[l], title, "b", layers[l].nOut);
      })).join("");
    }
  }

  define("figure-tape", Tape);
})();
