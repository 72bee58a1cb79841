// The hinges placed by hand: lines, errors and the best places are the chapter's and PyTorch's.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load, expected, near, caught } = require("./live.js");

const WANTED = ["maths", "maths/hinges", "weights/hinge-placer"];
const known = expected("hinge-placer");

function networksArePyTorchs({ hinges }) {
  for (const { places, line, error, at, without } of known.cases) {
    const weights = hinges.turns(places);
    const points = hinges.POINTS.filter((_, i) => i % 19 === 0);
    near(
      points.map((x) => hinges.answer(places, weights, x)),
      line,
    );
    const found = hinges.greatestError(places);
    near([found.error, found.at], [error, at]);
    if (without !== null) near([hinges.greatestError(hinges.removed(places)).error], [without]);
    const more = hinges.added(places);
    const [added] = more.filter((place) => !places.includes(place));
    assert.equal(more.length, places.length + 1);
    assert.ok(Math.min(...places.map((place) => Math.abs(place - added))) > 0.049);
    if (places.every((place) => Math.abs(place - at) > 0.05))
      assert.ok(Math.abs(added - at) <= 0.026);
  }
  near(
    known.even.map((_, i) => hinges.greatestError(hinges.even(i + 1)).error),
    known.even,
  );
  for (const bend of [1, 2, 3]) {
    const places = hinges.even(4);
    const near1 = hinges.moved(places, bend, -9);
    assert.ok(near1[bend] > places[bend - 1] + 0.049 && near1[bend] < places[bend - 1] + 0.051);
    assert.ok(Math.abs(hinges.moved(places, bend, 9)[bend] - places[bend + 1] + 0.05) < 1e-9);
    assert.ok(
      Math.abs(hinges.moved(places, bend, places[bend] + 0.06)[bend] - places[bend] - 0.05) < 1e-9,
    );
  }
}

const world = load(WANTED);
test("lines, errors, a bend more and a bend fewer are PyTorch's", () => networksArePyTorchs(world));

test("the numbers of the chapter can be read off the figure", () => {
  const rows = known.stored.filter((line) => /^\d+ units/.test(line));
  assert.equal(rows.length, 3);
  for (const line of rows) {
    const [units, error] = line.match(/[\d.]+/g);
    const { hinges } = world;
    assert.equal(hinges.greatestError(hinges.even(Number(units))).error.toFixed(2), error);
  }
});

test("no single bend moved makes the best places better, and they are better than even ones", () => {
  const { hinges, weights } = world;
  const { best } = weights.get("hinge-placer").config;
  let before = Number.POSITIVE_INFINITY;
  best.forEach((places, i) => {
    const { error } = hinges.greatestError(places);
    assert.equal(places.length, i + 2);
    assert.ok(error <= before + 1e-9 && error <= known.even[i] + 1e-9);
    before = error;
    for (let bend = 1; bend <= i; bend++) {
      for (let to = 0.05; to < 6; to += 0.05) {
        const other = hinges.greatestError(hinges.moved(places, bend, to)).error;
        assert.ok(other >= error - 1e-9, `${i + 1} units, bend ${bend} to ${to}`);
      }
    }
  });
});

test("five units at the tops and bottoms do better than eight evenly spaced", () => {
  const { hinges } = world;
  const { error } = hinges.greatestError([0, 0.8, 2.35, 3.95, 5.5, 6]);
  assert.ok(error < known.even[7]);
  assert.equal(hinges.evenlyNeeded(error, 64), 1 + known.even.findIndex((each) => each <= error));
  assert.equal(hinges.evenlyNeeded(0, 64), undefined);
});

for (const [script, old, wrong] of [
  ["maths/hinges", "slope - slopes[i - 1]", "slope"],
  ["maths/hinges", "each * relu(x - places[j])", "each * relu(x - places[j + 1])"],
  ["maths/hinges", "each.error < best.error", "each.error > best.error"],
  ["maths/hinges", "places[bend + 1] - STEP", "places[bend + 1] + STEP"],
]) {
  test(`a planted mistake is found: ${wrong}`, () => {
    caught(WANTED, { script, old, new: wrong }, networksArePyTorchs);
  });
}
