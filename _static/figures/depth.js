/** <figure-depth>: the spread of values and slopes through a deep tanh network, beside what theory says. */
(() => {
  const { Figure, Plot, define, fields, html, svg, tenTo, short, log } = window.figures;
  const { spread, parseCount } = window.figureCore;
  const SCHEMES = { default: "default", xavier: "Xavier uniform" };
  const LEGEND = "● values, forwards; ▲ slopes of the loss, backwards; ┄ theory, for wide layers";

  /** The mean of f over a standard normal variable. */
  const GRID = Array.from({ length: 201 }, (_, i) => (i - 100) / 12.5);
  const WEIGHTS = GRID.map((g) => Math.exp((-g * g) / 2) / 12.5 / Math.sqrt(2 * Math.PI));
  const mean = (f) => GRID.reduce((sum, g, i) => sum + f(g) * WEIGHTS[i], 0);

  /** The spread in theory: of wide layers, whose z is normal, `ratio` times as spread as the values before. */
  function theory(ratio, depth) {
    const values = [1];
    const bends = []; // the root mean square of tanh' in each layer
    for (let l = 0; l < depth; l++) {
      const z = ratio * values[l];
      values.push(Math.sqrt(mean((g) => Math.tanh(z * g) ** 2)));
      bends.push(Math.sqrt(mean((g) => (1 - Math.tanh(z * g) ** 2) ** 2)));
    }
    const slopes = [];
    let slope = 1 / ratio;
    for (const bend of bends.reverse()) slopes.unshift((slope *= ratio * bend));
    return { values, slopes };
  }

  class Depth extends Figure {
    heading = "does the signal survive the depth?";

    controls() {
      return [
        fields.choice("scheme", "Weights", SCHEMES),
        fields.slider("gain", "Gain", { min: 0.25, max: 4, step: 0.05, value: 1 }),
        fields.slider("depth", "Layers", { min: 1, max: 50, step: 1, value: 20 }),
        fields.text("width", "Units a layer", 40),
        fields.text("seed", "Seed", 0),
      ];
    }

    draw() {
      const gain = this.slide("gain", (v) => v.toFixed(2));
      const depth = this.slide("depth");
      const scheme = this.find("#scheme").value;
      const width = this.read("width", (text) => parseCount(text, "The width", 1, 64));
      const { seed, notes } = this.readSeed();
      const measured = spread({ seed, depth, width, scheme, gain });
      this.drawPlot(depth, measured, theory(scheme === "xavier" ? gain : gain / Math.sqrt(3), depth));
      return [...notes, ...this.fates(depth, measured)];
    }

    drawPlot(depth, measured, expected) {
      const logs = [...measured.values, ...measured.slopes].map(log);
      const low = Math.min(-3, 3 * Math.floor(Math.min(...logs) / 3));
      const high = Math.max(1, Math.ceil(Math.max(...logs)));
      const plot = new Plot(this.stage.clientWidth,
        { low: 0, high: depth, every: Math.ceil(depth / 10), show: String, label: "layer (0: the input)" },
        { low, high, every: Math.ceil((high - low) / 9), show: tenTo });
      const add = (series, firstLayer, colour, mark) => {
        const points = (from) => from[series].map((v, i) => [i + firstLayer, log(v)]);
        plot.addCurve(points(expected), `${colour} thin`);
        const marks = points(measured).map(([layer, v]) => mark(plot.X(layer), plot.Y(v)));
        plot.add(svg("g", { class: `dots ${colour}` }, marks));
      };
      add("values", 0, "blue", (cx, cy) => svg("circle", { cx, cy, r: 4 }));
      add("slopes", 1, "red", (x, y) => svg("path", { d: `M${x} ${y - 5}l5 9h-10z` }));
      this.stage.replaceChildren(plot.element, html("p", { class: "soft" }, LEGEND));
    }

    fates(depth, { values, slopes }) {
      const fate = (v) => (v < 0.1 ? "fades" : v > 10 ? "explodes" : "survives");
      const [value, slope] = [values[depth], slopes[0]];
      return [
        `Spread 1 at the input becomes ${short(value)} after ${depth} layers: the signal ${fate(value)}.`,
        `Spread 1 in the slopes at the output becomes ${short(slope)} at the first layer: ` +
          `the gradient ${fate(slope)}.`,
      ];
    }
  }

  define("depth", Depth);
})();
