/** <figure-step>: the error of a second difference against its step δ, in float32 and float64. */
(() => {
  const { Figure, Plot, define, fields, svg, tenTo, short, log } = window.figures;
  const { secondDifference } = window.figureCore;
  const LOW = -6; // smallest exponent
  const EPSILON = { float32: 2 ** -24, float64: 2 ** -53 };

  /** u(x) = 1/(1 + x²), each operation rounded, and its second derivative, at most 2 in size. */
  const u = (x, round) => round(1 / round(1 + round(x * x)));
  const exact = (x) => (6 * x * x - 2) / (1 + x * x) ** 3;
  const POINTS = Array.from({ length: 101 }, (_, i) => Math.fround((i - 50) / 17));

  /** Largest error over the points, and its two parts in theory, as shares of the largest |u''|. */
  function error(step, dtype) {
    const errors = POINTS.map((x) => Math.abs(secondDifference(u, x, step, dtype) - exact(x)));
    return Math.max(...errors) / 2;
  }
  const truncation = (step) => step * step;
  const rounding = (step, dtype) => (2 * EPSILON[dtype]) / (step * step);

  /** [exponent of the step, exponent of f there], all along the axis. */
  const EXPONENTS = Array.from({ length: 97 }, (_, i) => LOW + i / 16);
  const along = (f) => EXPONENTS.map((exponent) => [exponent, log(f(10 ** exponent))]);
  const MEASURED = {
    float32: along((step) => error(step, "float32")),
    float64: along((step) => error(step, "float64")),
  };

  class Step extends Figure {
    heading = "how small should the step δ be?";

    controls() {
      return [fields.slider("exponent", "Step δ", { min: LOW, max: 0, step: 0.05, value: -3 })];
    }

    start() {
      this.whileDragged(this.stage, (x) => (this.find("#exponent").value = this.plot.valueAt(x)));
    }

    draw() {
      const exponent = this.slide("exponent", (v) => short(10 ** v));
      this.drawPlot(exponent);
      return this.verdicts(10 ** exponent);
    }

    drawPlot(exponent) {
      const plot = new Plot(this.stage.clientWidth,
        { low: LOW, high: 0, every: 1, show: tenTo, label: "step δ" },
        { low: -10, high: 4, every: 2, show: tenTo });
      const add = (dtype, colour, mark) => {
        plot.addCurve(along((step) => rounding(step, dtype)), `${colour} thin`);
        plot.addCurve(MEASURED[dtype], colour);
        const [x, y] = [plot.X(exponent), plot.Y(log(error(10 ** exponent, dtype)))];
        plot.add(svg("path", { class: `curve hollow ${colour}`, d: mark(x, y) }));
      };
      const label = (x, y, text) => plot.add(svg("text", { x: plot.X(x), y: plot.Y(y) }, text));

      plot.addCurve(along(truncation), "thin");
      plot.addCurve([[exponent, -10], [exponent, 4]], "");
      add("float32", "red", (x, y) => `M${x - 6} ${y}a6 6 0 0 1 12 0a6 6 0 0 1 -12 0z`); // a circle
      add("float64", "blue", (x, y) => `M${x - 5} ${y - 5}h10v10h-10z`);
      label(-3.9, 2, "● float32");
      label(-5.4, -3.4, "■ float64");
      label(-5.9, -0.8, "rounding 2ε/δ² ↘");
      label(-2.8, -8.6, "truncation δ² ↗");
      this.stage.replaceChildren(plot.element);
      this.plot = plot;
    }

    verdicts(step) {
      const verdict = (dtype) => {
        const [rounded, whole] = [rounding(step, dtype), error(step, dtype)];
        const larger = truncation(step) > rounded ? "truncation" : "rounding";
        return `In ${dtype} rounding is about ${short(rounded)}, the whole error ${short(whole)}: ${larger} rules.`;
      };
      const share = `truncation is about ${short(truncation(step))} of the largest |u″|.`;
      return [`For u(x) = 1/(1 + x²) and δ = ${short(step)}, ${share}`, verdict("float32"), verdict("float64")];
    }
  }

  define("step", Step);
})();
