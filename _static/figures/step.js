/** <figure-step>: the error of a second difference against its step δ, in float32 and float64. */
(() => {
  const { Figure, define, fields, plot, tenTo, short, log } = window.figures;
  const { secondDifference } = window.figureCore;
  const LOW = -6; // smallest exponent
  const EPSILON = { float32: 2 ** -24, float64: 2 ** -53 };

  /** u(x) = 1/(1 + x²), each operation rounded, and its second derivative, at most 2 in size. */
  const u = (x, round) => round(1 / round(1 + round(x * x)));
  const exact = (x) => (6 * x * x - 2) / (1 + x * x) ** 3;
  const POINTS = Array.from({ length: 101 }, (_, i) => Math.fround((i - 50) / 17));

  /** Largest error over the points, and its two parts in theory, as shares of the largest |u''|. */
  const error = (step, dtype) =>
    Math.max(...POINTS.map((x) => Math.abs(secondDifference(u, x, step, dtype) - exact(x)))) / 2;
  const truncation = (step) => step * step;
  const rounding = (step, dtype) => (2 * EPSILON[dtype]) / (step * step);

  const STEPS = Array.from({ length: 97 }, (_, i) => LOW + i / 16);
  const along = (f) => STEPS.map((s) => [s, log(f(10 ** s))]);
  const MEASURED = { float32: along((d) => error(d, "float32")), float64: along((d) => error(d, "float64")) };

  class Step extends Figure {
    heading = "how small should the step δ be?";
    controls = fields.slider("exponent", "Step δ", LOW, 0, 0.05, -3);

    start() {
      this.dragged(this.stage, (px) => (this.find("#exponent").value = this.toX(px)));
    }

    draw() {
      const place = this.slide("exponent", (v) => short(10 ** v));
      const step = 10 ** place;

      this.toX = plot(this.stage, { low: LOW, high: 0, every: 1, show: tenTo, label: "step δ" },
        { low: -10, high: 4, every: 2, show: tenTo }, ({ X, Y, curve }) => {
          const dtype = (name, style, dot) =>
            curve(along((d) => rounding(d, name)), style + " thin") + curve(MEASURED[name], style) +
            `<g class="curve ${style}" fill=var(--paper)>${dot(X(place), Y(log(error(step, name))))}</g>`;
          const label = (x, y, text) => `<text x=${X(x)} y=${Y(y)}>${text}</text>`;
          return curve(along(truncation), "thin") + curve([[place, -10], [place, 4]], "") +
            dtype("float32", "red", (x, y) => `<circle cx=${x} cy=${y} r=6 />`) +
            dtype("float64", "blue", (x, y) => `<path d="M${x - 5} ${y - 5}h10v10h-10z" />`) +
            label(-3.9, 2, "● float32") + label(-5.4, -3.4, "■ float64") +
            label(-5.9, -0.8, "rounding 2ε/δ² ↘") + label(-2.8, -8.6, "truncation δ² ↗");
        });

      const verdict = (name) => {
        const kind = truncation(step) > rounding(step, name) ? "truncation" : "rounding";
        return ` In ${name} rounding is about ${short(rounding(step, name))}, the whole error ${short(error(step, name))}: ${kind} rules.`;
      };
      return `For u(x) = 1/(1 + x²) and δ = ${short(step)}, truncation is about ${short(truncation(step))} of the largest |u″|.` +
        verdict("float32") + verdict("float64");
    }
  }

  define("figure-step", Step);
})();
