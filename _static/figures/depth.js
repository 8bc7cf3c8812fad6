/** <figure-depth>: the spread of values and slopes through a deep tanh network, beside what theory says. */
(() => {
  const { Figure, define, fields, plot, tenTo, short, log } = window.figures;
  const { spread, parseCount } = window.figureCore;

  /** The mean of f over a standard normal variable. */
  const GRID = Array.from({ length: 201 }, (_, i) => (i - 100) / 12.5);
  const mean = (f) => GRID.reduce((sum, g) => sum + f(g) * Math.exp((-g * g) / 2), 0) / 12.5 / Math.sqrt(2 * Math.PI);

  /** The spread in theory: of wide layers, whose z is normal and r times as spread as the values before. */
  function theory(r, depth) {
    const values = [1];
    const bends = [];
    for (let l = 0; l < depth; l++) {
      const z = r * values[l];
      values.push(Math.sqrt(mean((g) => Math.tanh(z * g) ** 2)));
      bends.push(Math.sqrt(mean((g) => (1 - Math.tanh(z * g) ** 2) ** 2)));
    }
    let slope = 1 / r;
    return { values, slopes: bends.reverse().map((bend) => (slope *= r * bend)).reverse() };
  }

  class Depth extends Figure {
    heading = "does the signal survive the depth?";
    controls =
      fields.choice("scheme", "Weights", { default: "default", xavier: "Xavier uniform" }) +
      fields.slider("gain", "Gain", 0.25, 4, 0.05, 1) +
      fields.slider("depth", "Layers", 1, 50, 1, 20) +
      fields.text("width", "Units a layer", 40) +
      fields.text("seed", "Seed", 0);

    draw() {
      const gain = this.slide("gain", (v) => v.toFixed(2));
      const depth = this.slide("depth");
      const scheme = this.find("#scheme").value;
      const width = this.read("width", (text) => parseCount(text, "The width", 1, 64));
      const measured = spread({ seed: this.readSeed(), depth, width, scheme, gain });
      const expected = theory(scheme === "xavier" ? gain : gain / Math.sqrt(3), depth);

      const logs = [...measured.values, ...measured.slopes].map(log);
      const low = Math.min(-3, 3 * Math.floor(Math.min(...logs) / 3));
      const high = Math.max(1, Math.ceil(Math.max(...logs)));
      plot(this.stage, { low: 0, high: depth, every: Math.ceil(depth / 10), show: String, label: "layer (0: the input)" },
        { low, high, every: Math.ceil((high - low) / 9), show: tenTo }, ({ X, Y, curve }) => {
          const series = (name, first, style, dot) => {
            const points = (from) => from[name].map((v, i) => [i + first, log(v)]);
            return curve(points(expected), style + " thin") + `<g class="${style}" fill=var(--c)>` +
              points(measured).map(([l, v]) => dot(X(l), Y(v))).join("") + "</g>";
          };
          return series("values", 0, "blue", (x, y) => `<circle cx=${x} cy=${y} r=4 />`) +
            series("slopes", 1, "red", (x, y) => `<path d="M${x} ${y - 5}l5 9h-10z" />`);
        });
      this.stage.innerHTML += "<p class=soft>● values, forwards; ▲ slopes of the loss, backwards; ┄ theory, for wide layers</p>";

      const fate = (v) => (v < 0.1 ? "fades" : v > 10 ? "explodes" : "survives");
      const [value, slope] = [measured.values[depth], measured.slopes[0]];
      return `Spread 1 at the input becomes ${short(value)} after ${depth} layers: the signal ${fate(value)}. ` +
        `Spread 1 in the slopes at the output becomes ${short(slope)} at the first layer: the gradient ${fate(slope)}.`;
    }
  }

  define("figure-depth", Depth);
})();
