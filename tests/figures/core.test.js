/** The core of the live figures against torch: `node --test tests/figures/`. The table is made by reference.py. */
"use strict";
const test = require("node:test");
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");

const FIGURES = path.join(__dirname, "..", "..", "_static", "figures");
const core = require(path.join(FIGURES, "core.js"));
const reference = JSON.parse(fs.readFileSync(path.join(__dirname, "reference.json"), "utf8"));

/** The numbers of a stored tensor, or of several one after the other. */
function unpacked(base64, dtype) {
  const bytes = new Uint8Array(Buffer.from(base64, "base64"));
  return dtype === "float32" ? new Float32Array(bytes.buffer) : new Float64Array(bytes.buffer);
}

/** All default parameters, and all Xavier weights drawn after them, as reference.py makes them. */
function defaultThenXavier(seed, sizes, form) {
  const count = sizes.length - 1;
  const create = core.stepsOf("create", 0, count);
  const drawn = core.build(seed, sizes, create, form).layers;
  const xavier = core.build(seed, sizes, [...create, ...core.stepsOf("xavier", 0, count)], form).layers;
  return [drawn.flatMap(({ W, b }) => [...W, ...b]), xavier.flatMap(({ W }) => [...W])];
}

/** How many numbers differ, in any bit, over the stored table. */
function wrong(dtype, fused, shift = 0n) {
  let [count, total] = [0, 0];
  for (const [seed, stored] of Object.entries(reference[dtype]))
    stored.forEach((pair, i) => {
      const computed = defaultThenXavier(core.parseSeed(seed) + shift, reference.architectures[i], { dtype, fused });
      pair.forEach((base64, j) => {
        const expected = unpacked(base64, dtype);
        assert.equal(computed[j].length, expected.length);
        expected.forEach((value, k) => (count += Object.is(value, computed[j][k]) ? 0 : 1));
        total += expected.length;
      });
    });
  return { count, total };
}

/** Whether the weights of this build of torch carry one rounding (fused multiply-add) or two. */
const FUSED = wrong("float32", true).count === 0;
const FORM = FUSED ? "fused" : "two roundings";

test("the table is large enough to mean something", () => {
  assert.ok(Object.keys(reference.float32).length >= 20);
  assert.equal(reference.architectures.length, 5);
});

for (const dtype of ["float32", "float64"]) {
  test(`${dtype}: every weight and bias, default and Xavier, has torch's bits (torch ${reference.torch}, form: ${FORM})`, (t) => {
    const { count, total } = wrong(dtype, FUSED);
    t.diagnostic(`${total} numbers compared, form of the table: ${FORM}`);
    assert.equal(count, 0);
  });

  test(`${dtype}: the other form and another seed do not`, () => {
    const other = wrong(dtype, !FUSED);
    assert.ok(other.count > 0.2 * other.total && other.count < other.total, "the two forms should differ often, not always");
    const shifted = wrong(dtype, FUSED, 1n);
    assert.ok(shifted.count > 0.99 * shifted.total);
  });
}

test("the generator is MT19937: its 10,000th output for seed 5489 is the one the C++ standard names", () => {
  const stream = new core.Stream(5489);
  for (let i = 1; i < 10000; i++) stream.next();
  assert.equal(stream.next(), 4123659995);
});

test("seeds act modulo 2**32, as in torch", () => {
  const first = (text) => core.rand(new core.Stream(core.parseSeed(text)), 4, "float32");
  assert.deepEqual(first("-1"), first("4294967295"));
  assert.deepEqual(first("2**40"), first("0"));
  assert.deepEqual(first("1099511627776"), first("0"));
  assert.deepEqual(first(" -9223372036854775808 "), first("0"));
  assert.notDeepEqual(first("-1"), first("1"));
});

test("nonsense is refused in words, at once", () => {
  const seeds = ["", "abc", "1.5", "--1", "1e3", "2**64", "-2**63 - 1", "-9223372036854775809", "1".repeat(1e6), "9**99", "<b>"];
  for (const text of seeds) assert.throws(() => core.parseSeed(text), RangeError, text.slice(0, 30));
  assert.equal(core.parseSeed("18446744073709551615"), 2n ** 64n - 1n);
  for (const text of ["", "abc", "0", "-1", "2.5", "1000000", "Infinity", "NaN"])
    assert.throws(() => core.parseCount(text, "The width", 1, 64), { name: "RangeError", message: /width is a whole number from 1 to 64/ }, text);
  assert.equal(core.parseCount(" 64 ", "The width", 1, 64), 64);
  for (const text of ["", "5", "abc", "5-0-5", "-1", "5--2", "5-1000000", "2.5-3", "5-".repeat(1e6), "1-1-1-1-1-1-1-1"])
    assert.throws(() => core.parseSizes(text), RangeError, text.slice(0, 30));
  assert.deepEqual(core.parseSizes("9, 4 - 2 4-9"), [9, 4, 2, 4, 9]);
});

test("the tape of the text: who takes which numbers", () => {
  const tape = (...names) => {
    const steps = names.map((name) => ({ kind: name.split(" ")[0], layer: Number(name.split(" ")[1]) }));
    const { draws, used } = core.build(0n, [5, 2, 5], steps);
    return [...draws.map((d) => `${d.name}${d.layer + 1} ${d.start}-${d.start + d.count - 1}${d.kept ? "" : " lost"}`), used].join(", ");
  };
  assert.equal(tape("create 0", "create 1", "xavier 0", "xavier 1"),
    "W1 0-9 lost, b1 10-11, W2 12-21 lost, b2 22-26, X1 27-36, X2 37-46, 47");
  assert.equal(tape("create 0", "xavier 0", "create 1", "xavier 1"),
    "W1 0-9 lost, b1 10-11, X1 12-21, W2 22-31 lost, b2 32-36, X2 37-46, 47");
});

test("the forward pass agrees with torch's stored outputs for seed 0", () => {
  for (const [dtype, bound] of [["float32", 1e-6], ["float64", 1e-14]]) {
    const { layers, stream } = core.build(0n, [2, 4, 4, 1], core.stepsOf("create", 0, 3), { fused: FUSED });
    const x = core.rand(stream, 10, "float32");
    const largest = () => Math.max(...reference.outputs[dtype].map((y, i) =>
      Math.abs(y - core.forward(layers, x.subarray(2 * i, 2 * i + 2), dtype).at(-1)[0])));
    assert.ok(largest() < bound, `${dtype}: ${largest()}`);
    layers[1].b[0] += 1e-3;
    assert.ok(largest() > 1e-5, "a wrong bias should show");
  }
});

test("the outputs in network.js are those of the table", () => {
  const [, literal] = /const STORED = (\{.*?\});/s.exec(fs.readFileSync(path.join(FIGURES, "network.js"), "utf8"));
  assert.deepEqual(Function(`return ${literal}`)(), reference.outputs);
});

test("spread through depth: fades, survives and grows as theory says", () => {
  const run = (scheme, gain) => core.spread({ seed: 0n, depth: 20, width: 64, scheme, gain });
  const own = run("default", 1);
  assert.equal(own.values.length, 21);
  assert.equal(own.slopes.length, 20);
  const expected = Math.sqrt(1 / 3) ** 20; // 1.7e-5: what r**20 says for the default's r = 1/sqrt(3)
  assert.ok(own.values[20] > expected / 10 && own.values[20] < expected, `${own.values[20]}`);
  const xavier = run("xavier", 1);
  assert.ok(xavier.values[20] > 0.05 && xavier.values[20] < 0.5);
  const large = run("xavier", 4);
  assert.ok(large.values[20] > 0.5 && large.values[20] < 1 && large.slopes[0] > 100);
});

test("a second difference: exact where it must be, and with float32's rounding", () => {
  const square = (x, round) => round(x * x);
  assert.equal(core.secondDifference(square, 1, 0.25, "float32"), 2);
  assert.equal(core.secondDifference(square, 1, 2 ** -20, "float64"), 2);
  assert.notEqual(core.secondDifference(square, 1, 2 ** -13, "float32"), 2);
});
