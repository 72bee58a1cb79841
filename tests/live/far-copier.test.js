// The far copier: the trained readers of the chapter say in JavaScript what they say in PyTorch, near
// and far, from the first place and from a later one.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load, expected, near, caught } = require("./live.js");

const WANTED = ["maths", "maths/copier", "weights/far-copier"];
const known = expected("far-copier");

function read({ copier, weights }, kind, first) {
  const held = weights.get("far-copier");
  const { start, longest, digits } = held.config;
  const text = [start, ...Array.from(digits, Number)].slice(0, longest - first);
  return copier.read(held, kind, text, first);
}

function readersArePyTorchs(SoftLookup) {
  for (const { kind, first, said, logits } of known.cases) {
    const found = read(SoftLookup, kind, first);
    assert.deepEqual(Array.from(found.said), said);
    const every = SoftLookup.arrays.toRows(found.logits).filter((_, i) => i % 9 === 0);
    near(every.flat(), logits.flat(), 1e-4);
  }
}

const world = load(WANTED);
test("logits and digits are PyTorch's", () => readersArePyTorchs(world));

test("only differences of places count for rotary positions", () => {
  const [here, there] = [0, 40].map((first) => read(world, "rotary", first));
  const short = Math.min(here.logits.data.length, there.logits.data.length);
  near(here.logits.data.slice(0, short), Array.from(there.logits.data.slice(0, short)), 2e-3);
});

for (const [script, old, wrong] of [
  ["maths/positions", "base ** (-j / x.columns)", "base ** (-(j + 1) / x.columns)"],
  ["maths/copier", "mask: causal(tokens.length),", ""],
  ["maths/copier", "rotateAt: placed.rotateAt,", ""],
]) {
  test(`a planted mistake is found: ${wrong || `without ${old}`}`, () => {
    caught(WANTED, { script, old, new: wrong }, readersArePyTorchs);
  });
}
