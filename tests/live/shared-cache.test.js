// The caches: as many bytes as PyTorch's caches have, at every length and number of shared heads.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load, expected, near, caught } = require("./live.js");

const WANTED = ["maths", "maths/shared_cache", "weights/shared-cache"];
const known = expected("shared-cache");

function bytesArePyTorchs(SoftLookup) {
  const { model } = SoftLookup.weights.get("shared-cache").config;
  const { bytes, longest } = SoftLookup.sharedCache;
  for (const { shared, length, texts, bytes: wanted } of known.cases) {
    near([bytes(model, shared, length, texts)], [wanted]);
    const most = longest(model, shared, texts);
    assert.ok((wanted / length) * most <= known.weights);
    assert.ok((wanted / length) * (most + 1) > known.weights);
  }
}

const world = load(WANTED);
test("every cache is as large as PyTorch's", () => bytesArePyTorchs(world));

test("what the chapter claims of 16 full windows holds", () => {
  const { model } = world.weights.get("shared-cache").config;
  const { bytes } = world.sharedCache;
  assert.ok(bytes(model, 32, 8192, 16) / model.weight_bytes >= 4);
  assert.ok(bytes(model, 8, 8192, 16) / model.weight_bytes < 1.1);
});

for (const [old, wrong] of [
  ["2 * model.layers", "model.layers"],
  ["* shared *", "* model.heads *"],
  ["* model.number_bytes;", ";"],
  ["texts * length * perToken", "length * perToken"],
  ["Math.floor(", "Math.ceil("],
]) {
  test(`a planted mistake is found: ${wrong}`, () => {
    caught(WANTED, { script: "maths/shared_cache", old, new: wrong }, bytesArePyTorchs);
  });
}
