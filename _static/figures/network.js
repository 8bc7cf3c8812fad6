/** <figure-network>: MLP([2, 4, 4, 1]) as torch draws it for any seed, at any point of the plane. */
(() => {
  const { Figure, define, fields } = window.figures;
  const { build, stepsOf, rand, forward } = window.figureCore;
  const SIDE = 56; // tiles along an axis of the plane
  const REACH = 2; // from -REACH to REACH

  // what torch computes for seed 0 at x = torch.rand(5, 2), float64 by net.double(): tests/figures/reference.py writes it
  const STORED = {
    float32: [-0.1571105569601059, -0.19498854875564575, -0.22015640139579773, -0.30567467212677, -0.1860586702823639],
    float64: [-0.1571105482728795, -0.19498857922782575, -0.22015641942767888, -0.3056746360661673, -0.1860586606785872],
  };
  const POINTS = Object.keys(STORED.float32);

  class Network extends Figure {
    heading = "the same network in PyTorch, any seed, any point";
    controls =
      fields.text("seed", "Seed", 0) +
      fields.choice("dtype", "Numbers", { float32: "float32", float64: "net.double()" }) +
      fields.choice("point", "Point", { ...POINTS.map((i) => `x[${i}]`), own: "your own" }) +
      fields.slider("x1", "x₁", -REACH, REACH, 0.01, 0) +
      fields.slider("x2", "x₂", -REACH, REACH, 0.01, 0);

    start() {
      this.stage.innerHTML = `<div class=row><div id=net style="flex:1 1 15rem;max-width:26rem"></div>
        <div id=plane style="position:relative;touch-action:none;flex:0 0 13rem;height:13rem;border:1px solid var(--line)">
        <canvas width=${SIDE} height=${SIDE} style="width:100%;height:100%"></canvas>
        <svg width=100% height=100% style="position:absolute;inset:0" aria-hidden=true></svg></div></div>
        <p class=soft>Blue: positive. Orange, dashed: negative. The square: y for x₁ (across) and x₂ (up) from -2 to 2; its dots:
        x = torch.rand(5, 2), drawn after the network.</p><table></table>`;
      const own = () => (this.find("#point").value = "own");
      this.find("#x1").oninput = this.find("#x2").oninput = own;
      const plane = this.find("#plane");
      this.dragged(plane, (px, py) => {
        this.find("#x1").value = (px / plane.clientWidth - 0.5) * 2 * REACH;
        this.find("#x2").value = (0.5 - py / plane.clientHeight) * 2 * REACH;
        own();
      });
    }

    draw() {
      const seed = this.readSeed();
      const dtype = this.find("#dtype").value;
      const { layers, stream } = build(seed, [2, 4, 4, 1], stepsOf("create", 3));
      const points = rand(stream, 2 * POINTS.length, "float32");
      const point = this.find("#point").value;
      const sliders = [this.find("#x1"), this.find("#x2")];
      const x = sliders.map((slider, i) => (point === "own" ? +slider.value : (slider.value = points[2 * point + i])));
      sliders.forEach((slider, i) => this.slide(slider.id, () => x[i].toFixed(4)));
      const values = forward(layers, x, dtype);
      this.drawNetwork(layers, values);
      this.drawPlane(layers, dtype, x, points);

      const y = values[3][0];
      const stored = seed ? undefined : STORED[dtype][point];
      const show = (v) => v.toPrecision(dtype === "float32" ? 9 : 17);
      const row = (name, text) => `<tr><th scope=row>${name}<td>${text}`;
      this.find("table").innerHTML = row("y, this page", show(y)) +
        (stored ? row("y, torch", show(stored)) + row("difference", Math.abs(y - stored).toPrecision(3)) : "");
      return `At (${x.map((v) => v.toFixed(4)).join(", ")}) this page computes y = ${y.toFixed(4)}` +
        (stored ? `, torch ${stored.toFixed(4)}.` : ". What torch computed is stored for seed 0 and its five points.");
    }

    drawNetwork(layers, values) {
      const place = values.map((column, c) => Array.from(column, (_, i) => [26 + c * 96, 104 + (i - (column.length - 1) / 2) * 52]));
      const edges = layers.flatMap(({ W, nIn }, l) => Array.from(W, (w, k) => {
        const ends = [place[l][k % nIn], place[l + 1][Math.floor(k / nIn)]];
        return `<path class="curve ${w < 0 ? "red" : "blue"}" d="M${ends.join("L")}" style="stroke-width:${0.5 + 4 * Math.abs(w)}"
          ${w < 0 ? "stroke-dasharray=5,3" : ""} />`;
      }));
      const units = place.flatMap((column, c) => column.map(([x, y], i) => `<circle cx=${x} cy=${y} r=22 fill=var(--paper) stroke=var(--soft) />
        <text x=${x} y=${y + 4} text-anchor=middle>${values[c][i].toFixed(2)}</text>`));
      const said = values.map((column, c) => `layer ${c}: ${Array.from(column, (v) => v.toFixed(2)).join(", ")}`).join("; ");
      this.find("#net").innerHTML = `<svg viewBox="0 0 340 208" role=img aria-label="Values of the units, ${said}">${edges.join("")}${units.join("")}</svg>`;
    }

    drawPlane(layers, dtype, x, points) {
      const at = (i) => ((i + 0.5) / SIDE - 0.5) * 2 * REACH;
      const ys = Array.from({ length: SIDE * SIDE }, (_, k) => forward(layers, [at(k % SIDE), -at(Math.floor(k / SIDE))], dtype)[3][0]);
      const largest = Math.max(...ys.map(Math.abs));
      const image = new ImageData(SIDE, SIDE);
      ys.forEach((y, k) => image.data.set([...(y < 0 ? [213, 94, 0] : [0, 114, 178]), (255 * Math.abs(y)) / largest], 4 * k));
      this.find("canvas").getContext("2d").putImageData(image, 0, 0);
      const dot = ([a, b], style) => `<circle cx=${50 + (50 * a) / REACH}% cy=${50 - (50 * b) / REACH}% ${style} />`;
      this.find("#plane svg").innerHTML = POINTS.map((i) => dot(points.subarray(2 * i), "r=3")).join("") +
        dot(x, "r=8 fill=none stroke=var(--paper) stroke-width=6") + dot(x, "r=8 fill=none stroke=var(--ink) stroke-width=3");
    }
  }

  define("figure-network", Network);
})();
