// The reach of a gradient: each line of the figure is what PyTorch's autograd gives for the same
// network, at every gain and every forget bias that was tried, with the tanh and without.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load, expected, near, caught } = require("./live.js");

const WANTED = ["maths", "maths/gradients", "weights/gradient-reach"];
const known = expected("gradient-reach");
// Lengths are compared as orders of magnitude: so little apart, the lengths are equal to 1e-4.
const ORDERS = 1e-6;

/** The chapter's first networks, and what they read. */
function taken({ weights }) {
  const held = weights.get("gradient-reach");
  const cell = (kind) => ({
    input: held.linear(`${kind}.input_projection`),
    state: held.linear(`${kind}.state_projection`),
  });
  return { held, cell, tokens: held.matrix("tokens"), direction: held.vector("direction") };
}

function gradientsArePyTorchs(SoftLookup) {
  const { held, cell, tokens, direction } = taken(SoftLookup);
  const { rnn, lstm, attention, factor } = SoftLookup.gradients;
  for (const { gain, tanh, ...wanted } of known.rnn) {
    const found = rnn(cell("rnn"), tokens, direction, { gain, tanh });
    near(found.lengths.map(Math.log10), wanted.lengths, ORDERS);
    near([found.formula, factor(found.lengths)], [wanted.formula, wanted.factor]);
  }
  for (const { bias, ...wanted } of known.lstm) {
    const found = lstm(cell("lstm"), tokens, direction, bias);
    near(found.map(Math.log10), wanted.lengths, ORDERS);
    near([factor(found)], [wanted.factor]);
  }
  const [query, key, value] = ["query", "key", "value"].map((name) => held.matrix(name));
  const looked = attention({ query, key, value }, tokens, direction);
  near(looked.map(Math.log10), known.attention, ORDERS);
}

const world = load(WANTED);
test("every gradient is PyTorch's", () => gradientsArePyTorchs(world));

test("what the chapter claims of eight networks holds for this one", () => {
  const at = (cases, wanted) =>
    cases.find((each) => Object.entries(wanted).every(([key, value]) => each[key] === value))
      .lengths[100];
  assert.ok(at(known.lstm, { bias: 0 }) <= -15);
  assert.ok(at(known.lstm, { bias: 3 }) >= -4);
  assert.ok(at(known.rnn, { gain: 0.8, tanh: true }) >= -24);
  assert.ok(at(known.rnn, { gain: 1.5, tanh: true }) <= 3);
  assert.ok(at(known.rnn, { gain: 1.5, tanh: false }) >= 15);
});

for (const [old, wrong] of [
  ["state.map((value) => 1 - value * value)", "state.map((value) => 1 - value)"],
  ["sigmoid(value + forgetBias)", "sigmoid(value - forgetBias)"],
  ["kept = ofMemory.map((value, k) => value * f[k])", "kept = ofMemory.map((value) => value)"],
  ["ofState = back(cell.state.weight, gates);", "ofState = ofState.fill(0);"],
  ["each - answer", "each"],
  ["return lengths.reverse();", "return lengths;"],
]) {
  test(`a planted mistake is found: ${wrong}`, () => {
    caught(WANTED, { script: "maths/gradients", old, new: wrong }, gradientsArePyTorchs);
  });
}
