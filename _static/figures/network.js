/** <figure-network>: MLP([2, 4, 4, 1]) as torch draws it for any seed, at any point of the plane. */
(() => {
  const { Figure, define, fields, html, svg } = window.figures;
  const { build, stepsOf, rand, forward } = window.figureCore;
  const SIZES = [2, 4, 4, 1];
  const SIDE = 56; // tiles along an axis of the plane
  const REACH = 2; // the plane is from -REACH to REACH
  const LEGEND =
    "Blue: positive. Orange, dashed: negative. The square: y for x₁ (across) and x₂ (up) from -2 to 2; its dots: " +
    "x = torch.rand(5, 2), drawn after the network.";

  // what torch computes for seed 0 at x = torch.rand(5, 2), float64 by net.double(), as in tests/figures/reference.json
  const STORED = {
    float32: [
      -0.1571105569601059, -0.19498854875564575, -0.22015640139579773, -0.30567467212677, -0.1860586702823639,
    ],
    float64: [
      -0.1571105482728795, -0.19498857922782575, -0.22015641942767888, -0.3056746360661673, -0.1860586606785872,
    ],
  };
  const POINTS = STORED.float32.map((_, i) => i);

  class Network extends Figure {
    heading = "the same network in PyTorch, any seed, any point";

    controls() {
      const points = Object.fromEntries(POINTS.map((i) => [i, `x[${i}]`]));
      const axis = { min: -REACH, max: REACH, step: 0.01, value: 0 };
      return [
        fields.text("seed", "Seed", 0),
        fields.choice("dtype", "Numbers", { float32: "float32", float64: "net.double()" }),
        fields.choice("point", "Point", { ...points, own: "your own" }),
        fields.slider("x1", "x₁", axis),
        fields.slider("x2", "x₂", axis),
      ];
    }

    start() {
      const plane = html("div", { id: "plane" },
        html("canvas", { width: SIDE, height: SIDE }), svg("svg", { "aria-hidden": true }));
      this.stage.append(
        html("div", { class: "row" }, html("div", { id: "net" }), plane),
        html("p", { class: "soft" }, LEGEND),
        html("table"));
      this.sliders = [this.find("#x1"), this.find("#x2")];
      const own = () => (this.find("#point").value = "own");
      for (const slider of this.sliders) slider.oninput = own;
      this.whileDragged(plane, (x, y) => {
        this.sliders[0].value = (x / plane.clientWidth - 0.5) * 2 * REACH;
        this.sliders[1].value = (0.5 - y / plane.clientHeight) * 2 * REACH;
        own();
      });
    }

    draw() {
      const { seed, notes } = this.readSeed();
      const dtype = this.find("#dtype").value;
      const point = this.find("#point").value;
      const { layers, stream } = build(seed, SIZES, stepsOf("create", 0, 3));
      const points = rand(stream, 2 * POINTS.length, "float32"); // two numbers a point
      const coordinates = points.subarray(2 * point, 2 * point + 2);
      if (point !== "own") this.sliders.forEach((slider, i) => (slider.value = coordinates[i]));
      const x = point === "own" ? this.sliders.map((slider) => Number(slider.value)) : Array.from(coordinates);
      for (const [i, { id }] of this.sliders.entries()) this.slide(id, () => x[i].toFixed(4));

      const values = forward(layers, x, dtype);
      this.drawNetwork(layers, values);
      this.drawPlane(layers, dtype, x, points);
      const y = values.at(-1)[0];
      const stored = seed ? undefined : STORED[dtype][point];
      this.drawTable(y, stored, dtype === "float32" ? 9 : 17);

      const torch = stored === undefined
        ? ". What torch computed is stored for seed 0 and its five points."
        : `, torch ${stored.toFixed(4)}.`;
      const place = x.map((v) => v.toFixed(4)).join(", ");
      return [...notes, `At (${place}) this page computes y = ${y.toFixed(4)}${torch}`];
    }

    drawTable(y, stored, digits) {
      const row = (name, text) => html("tr", {}, html("th", { scope: "row" }, name), html("td", {}, text));
      const rows = [row("y, this page", y.toPrecision(digits))];
      if (stored !== undefined) {
        rows.push(row("y, torch", stored.toPrecision(digits)), row("difference", Math.abs(y - stored).toPrecision(3)));
      }
      this.find("table").replaceChildren(...rows);
    }

    drawNetwork(layers, values) {
      const place = (column, i) => [26 + column * 96, 104 + (i - (values[column].length - 1) / 2) * 52];
      const edges = layers.flatMap(({ W, nIn }, l) => Array.from(W, (w, k) => svg("path", {
        class: w < 0 ? "curve red negative" : "curve blue",
        d: `M${place(l, k % nIn)}L${place(l + 1, Math.floor(k / nIn))}`,
        style: `stroke-width: ${0.5 + 4 * Math.abs(w)}`,
      })));
      const units = values.flatMap((column, c) => Array.from(column).flatMap((value, i) => {
        const [x, y] = place(c, i);
        const circle = svg("circle", { class: "unit", cx: x, cy: y, r: 22 });
        return [circle, svg("text", { class: "middle", x, y: y + 4 }, value.toFixed(2))];
      }));
      const list = (column) => Array.from(column, (v) => v.toFixed(2)).join(", ");
      const columns = values.map((column, c) => `layer ${c}: ${list(column)}`);
      const label = `Values of the units, ${columns.join("; ")}`;
      const drawing = svg("svg", { viewBox: "0 0 340 208", role: "img", "aria-label": label }, edges, units);
      this.find("#net").replaceChildren(drawing);
    }

    drawPlane(layers, dtype, x, points) {
      const at = (tile) => ((tile + 0.5) / SIDE - 0.5) * 2 * REACH;
      const value = (_, k) => forward(layers, [at(k % SIDE), -at(Math.floor(k / SIDE))], dtype).at(-1)[0];
      const ys = Array.from({ length: SIDE * SIDE }, value);
      const largest = Math.max(...ys.map(Math.abs));
      const image = new ImageData(SIDE, SIDE);
      ys.forEach((y, k) => {
        const colour = y < 0 ? [213, 94, 0] : [0, 114, 178];
        image.data.set([...colour, (255 * Math.abs(y)) / largest], 4 * k);
      });
      this.find("canvas").getContext("2d").putImageData(image, 0, 0);

      const percent = (share) => `${50 + 50 * share}%`;
      const dot = ([a, b], attributes) =>
        svg("circle", { cx: percent(a / REACH), cy: percent(-b / REACH), ...attributes });
      this.find("#plane svg").replaceChildren(
        ...POINTS.map((i) => dot(points.subarray(2 * i), { r: 3 })),
        dot(x, { r: 8, class: "halo" }),
        dot(x, { r: 8, class: "ring" }));
    }
  }

  define("network", Network);
})();
