// The painted mask: the influence that the figure measures from outside is the derivative that
// PyTorch computes, under each of the chapter's masks, in one to three layers.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load, expected, near, caught } = require("./live.js");

const WANTED = ["maths", "maths/influence", "weights/mask-painter"];
const known = expected("mask-painter");

/** The influence under a mask of the chapter, as the figure measures it. */
function measured(SoftLookup, { mask, layers, late }) {
  const held = SoftLookup.weights.get("mask-painter");
  const rows = held.config.masks[mask];
  const painted = SoftLookup.attention.maskOf(8, 8, (i, j) => rows[i][j] === 1);
  const projections = {
    query: held.matrix("W_Q"),
    key: held.matrix("W_K"),
    value: held.matrix("W_V"),
  };
  const { influence, layersOfAttention } = SoftLookup.influence;
  const run = (x) => layersOfAttention(x, projections, painted, { layers, late });
  return influence(run, held.matrix("x"));
}

function influencesArePyTorchs(SoftLookup) {
  for (const { influence, ...how } of known.cases) {
    near(measured(SoftLookup, how).data, influence.flat(), 1e-4);
  }
}

const world = load(WANTED);
test("the influence is PyTorch's derivative", () => influencesArePyTorchs(world));

test("what a mask hides from all moves nothing, to the bit", () => {
  for (const layers of [1, 2, 3]) {
    const found = measured(world, { mask: "causal", layers, late: false });
    for (let i = 0; i < 8; i++) {
      for (let j = i + 1; j < 8; j++) assert.equal(found.data[i * 8 + j], 0);
    }
  }
});

test("windows reach as far as the chapter prints", () => {
  const reach = [1, 2, 3].map((layers) => {
    const found = measured(world, { mask: "sliding window, 3 tokens", layers, late: false });
    return Array.from(found.data.slice(56)).filter((each) => each > 1e-5).length;
  });
  assert.deepEqual(reach, known.reach);
});

for (const [script, old, wrong] of [
  ["maths/influence", "weight * mask.data[at]", "weight"],
  ["maths/influence", "(4 * each - wide[place]) / 3", "each"],
  ["maths/influence", "stream = add(stream, found)", "stream = found"],
  ["weights/mask-painter", '"causal":[[1,0', '"causal":[[1,1'],
]) {
  test(`a planted mistake is found: ${wrong}`, () => {
    caught(WANTED, { script, old, new: wrong }, influencesArePyTorchs);
  });
}
