/**
 * torch's first weights, to the last bit, and what else the live figures compute. Node can load it too.
 *
 * Sources: ATen/core/MT19937RNGEngine.h and TransformationHelper.h (stream, uniform draws), torch/nn/init.py and
 * torch/nn/modules/linear.py (bounds, order of draws). A layer is { nIn, nOut, W, b }: W (nOut, nIn), flat; b (nOut,).
 * A step is { kind, layer }: kind "create" draws the layer's W and b, kind "xavier" overwrites its W.
 */
(() => {
  const ROUND = { float32: Math.fround, float64: Number };
  const ARRAY = { float32: Float32Array, float64: Float64Array };

  /** MT19937, seeded by init_genrand. */
  class Stream {
    /** @param {bigint|number} seed acts modulo 2**32 */
    constructor(seed) {
      const s = (this.state = new Uint32Array(624));
      s[0] = Number(BigInt.asUintN(32, BigInt(seed)));
      for (let i = 1; i < 624; i++) s[i] = Math.imul(1812433253, s[i - 1] ^ (s[i - 1] >>> 30)) + i;
      this.index = 624;
    }

    /** The next output, in [0, 2**32). */
    next() {
      if (this.index === 624) this.twist();
      let y = this.state[this.index++];
      y ^= y >>> 11;
      y ^= (y << 7) & 0x9d2c5680;
      y ^= (y << 15) & 0xefc60000;
      return (y ^ (y >>> 18)) >>> 0;
    }

    twist() {
      const s = this.state;
      for (let i = 0; i < 624; i++) {
        const y = (s[i] & 0x80000000) | (s[(i + 1) % 624] & 0x7fffffff);
        s[i] = s[(i + 397) % 624] ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
      }
      this.index = 0;
    }

    /** torch's x in [0, 1), exact: the low 24 bits of one output, or 53 of two. */
    uniform(dtype) {
      if (dtype === "float32") return (this.next() & 0xffffff) * 2 ** -24;
      return ((this.next() & 0x1fffff) * 2 ** 32 + this.next()) * 2 ** -53;
    }
  }

  /** `torch.rand(count, dtype=dtype)` */
  const rand = (stream, count, dtype) => ARRAY[dtype].from({ length: count }, () => stream.uniform(dtype));

  /**
   * `tensor.uniform_(-k, k)`: x * 2k - k. Fused multiply-add rounds that once, and so does (2x - 1) * k, since 2x - 1
   * is exact (and in float32 the product is exact in a double). Without, product and difference are rounded.
   */
  function uniform(stream, count, k, { dtype = "float32", fused = true } = {}) {
    const round = ROUND[dtype];
    const bound = round(k);
    const out = new ARRAY[dtype](count); // rounds what is written into it
    for (let i = 0; i < count; i++) {
      const x = stream.uniform(dtype);
      out[i] = fused ? (2 * x - 1) * bound : round(x * 2 * bound) - bound;
    }
    return out;
  }

  /** The bounds of `nn.Linear`: kaiming_uniform_(a=sqrt(5)) for W, 1/sqrt(nIn) for b. */
  const defaultBounds = (nIn) => ({
    W: Math.sqrt(3) * (Math.sqrt(2 / (1 + Math.sqrt(5) ** 2)) / Math.sqrt(nIn)),
    b: 1 / Math.sqrt(nIn),
  });

  /** The bound of `xavier_uniform_`. */
  const xavierBound = (nIn, nOut, gain = 1) => Math.sqrt(3) * (gain * Math.sqrt(2 / (nIn + nOut)));

  /** The steps of one kind for the layers `from`, …, `to` - 1. */
  const stepsOf = (kind, from, to) => Array.from({ length: to - from }, (_, i) => ({ kind, layer: from + i }));

  /**
   * Carry out steps from one seed.
   *
   * @returns { layers, draws, stream, used }: `draws` says who took which numbers, as { layer, name, start, count,
   *   kept }, name W, b, or X (the Xavier draw, which overwrites W); `stream` goes on after the `used` numbers
   */
  function build(seed, sizes, steps, { gain = 1, ...form } = {}) {
    const stream = new Stream(seed);
    const layers = sizes.slice(1).map((nOut, i) => ({ nIn: sizes[i], nOut }));
    const draws = [];
    let used = 0;
    const draw = (layer, key, count, k, name = key) => {
      draws.push({ layer, name, start: used, count, kept: true });
      used += count;
      layers[layer][key] = uniform(stream, count, k, form);
    };
    for (const { kind, layer } of steps) {
      const { nIn, nOut } = layers[layer];
      if (kind === "create") {
        const k = defaultBounds(nIn);
        draw(layer, "W", nIn * nOut, k.W);
        draw(layer, "b", nOut, k.b);
      } else {
        draws.find((before) => before.layer === layer && before.name === "W").kept = false;
        draw(layer, "W", nIn * nOut, xavierBound(nIn, nOut, gain), "X");
      }
    }
    return { layers, draws, stream, used };
  }

  /** x (nIn,) and what each layer makes of it: tanh on all but the last, each operation rounded to `dtype`. */
  function forward(layers, x, dtype) {
    const round = ROUND[dtype];
    const values = [ARRAY[dtype].from(x)];
    layers.forEach(({ nIn, nOut, W, b }, l) => {
      const out = new ARRAY[dtype](nOut);
      for (let i = 0; i < nOut; i++) {
        let z = 0;
        for (let j = 0; j < nIn; j++) z = round(z + round(W[i * nIn + j] * values[l][j]));
        z = round(z + b[i]);
        out[i] = l < layers.length - 1 ? Math.tanh(z) : z;
      }
      values.push(out);
    });
    return values;
  }

  /** Standard deviation over points, unit by unit, then its mean; `rows` (points, width), flat. */
  function spreadOf(rows, width) {
    const points = rows.length / width;
    let total = 0;
    for (let j = 0; j < width; j++) {
      let [sum, squares] = [0, 0];
      for (let p = j; p < rows.length; p += width) sum += rows[p];
      for (let p = j; p < rows.length; p += width) squares += (rows[p] - sum / points) ** 2;
      total += Math.sqrt(squares / points);
    }
    return total / width;
  }

  /**
   * Spread through tanh layers of equal width, with torch's weights: as created, times `gain` ("default"), or then
   * xavier_uniform_(gain=gain) and biases zero ("xavier"). Inputs, and slopes at the output, are uniform of spread 1.
   *
   * @returns { values, slopes }: of h in layers 0 (the input) to depth; of the loss by z in layers 1 to depth
   */
  function spread({ seed, depth, width, scheme, gain, points = 32 }) {
    const xavier = scheme === "xavier";
    const steps = [...stepsOf("create", 0, depth), ...stepsOf("xavier", 0, xavier ? depth : 0)];
    const { layers, stream } = build(seed, Array(depth + 1).fill(width), steps, { gain });
    const factor = xavier ? 1 : gain;
    const rows = () => uniform(stream, points * width, Math.sqrt(3));

    const hs = [rows()];
    for (const { W, b } of layers) {
      const h = hs.at(-1);
      const next = new Float32Array(h.length);
      for (let p = 0; p < h.length; p += width)
        for (let i = 0; i < width; i++) {
          let z = 0;
          for (let j = 0; j < width; j++) z += W[i * width + j] * h[p + j];
          next[p + i] = Math.tanh(factor * z + (xavier ? 0 : b[i]));
        }
      hs.push(next);
    }

    const slopes = [];
    let pull = rows();
    for (let l = depth; l > 0; l--) {
      const dz = pull.map((g, i) => g * (1 - hs[l][i] ** 2));
      slopes.unshift(spreadOf(dz, width));
      pull = new Float32Array(dz.length);
      for (let p = 0; p < dz.length; p += width)
        for (let j = 0; j < width; j++) {
          let g = 0;
          for (let i = 0; i < width; i++) g += dz[p + i] * layers[l - 1].W[i * width + j];
          pull[p + j] = factor * g;
        }
    }
    return { values: hs.map((h) => spreadOf(h, width)), slopes };
  }

  /** (u(x + δ) - 2 u(x) + u(x - δ)) / δ², each operation rounded to `dtype`; `u` takes x and the rounding. */
  function secondDifference(u, x, step, dtype) {
    const round = ROUND[dtype];
    const [d, middle] = [round(step), round(x)];
    const sum = round(u(round(middle + d), round) - 2 * u(middle, round));
    return round(round(sum + u(round(middle - d), round)) / round(d * d));
  }

  /** The typed seed, a bigint that `torch.manual_seed` takes (2**40 is read too); else a RangeError in words. */
  function parseSeed(text) {
    const [, sign, base, power = 1] = /^\s*(-?)(\d{1,20})(?:\*\*(\d{1,2}))?\s*$/.exec(text) ?? [];
    if (!base) throw new RangeError("A seed is a whole number of at most 20 digits, such as 0, -1 or 2**40.");
    const seed = BigInt(sign + 1) * BigInt(base) ** BigInt(power);
    if (seed < -(2n ** 63n) || seed >= 2n ** 64n) throw new RangeError("torch takes seeds from -2**63 to 2**64 - 1.");
    return seed;
  }

  /** The whole number that was typed, if it lies between the limits; else a RangeError in words. */
  function parseCount(text, name, low, high) {
    const value = Number(text);
    if (text.trim() && value >= low && value <= high && value % 1 === 0) return value;
    throw new RangeError(`${name} is a whole number from ${low} to ${high} here.`);
  }

  /** Layer sizes such as "5-2-5", as numbers; else a RangeError in words. */
  function parseSizes(text) {
    const parts = text.slice(0, 60).trim().split(/\s*[-,\s]\s*/);
    if (parts.length < 2 || parts.length > 7) throw new RangeError("Write two to seven layer sizes, such as 5-2-5.");
    return parts.map((part) => parseCount(part, "A layer size", 1, 20));
  }

  const core = { Stream, rand, stepsOf, build, forward, spread, secondDifference, parseSeed, parseCount, parseSizes };
  if (typeof module === "object") module.exports = core;
  else window.figureCore = core;
})();
