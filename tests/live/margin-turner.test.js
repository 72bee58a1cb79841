// The margin turner: margins, support tokens, ways and weights are the library's, for tokens
// wherever they lie; and positions that no direction selects are known as such.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load, expected, near, caught } = require("./live.js");

const WANTED = ["maths", "maths/selection", "weights/margin-turner"];
const known = expected("margin-turner");

function worths({ selection, weights }, tokens) {
  return selection.worthsOf(tokens, weights.get("margin-turner").config.head);
}

function raysAreTheLibrarys(SoftLookup) {
  for (const { tokens, rays } of known.cases) {
    rays.forEach((wanted, i) => {
      const found = SoftLookup.selection.ray(tokens, worths(SoftLookup, tokens), i);
      assert.equal(found === null, wanted === null, `${i} of ${JSON.stringify(tokens)}`);
      if (!wanted) return;
      near(found.w, wanted.w);
      assert.deepEqual([...found.support], wanted.support);
      assert.equal(found.local, wanted.local);
    });
  }
}

function waysAreTheLibrarys(SoftLookup) {
  for (const { tokens, start, steps, way } of known.cases) {
    const found = SoftLookup.selection.descend(
      tokens,
      worths(SoftLookup, tokens),
      start,
      steps.at(-1),
    );
    near(
      steps.map((step) => found[step]),
      way,
    );
  }
}

function weightsAreTheLibrarys(SoftLookup) {
  for (const { tokens, way, weights } of known.cases) {
    way.forEach((w, i) => {
      near(SoftLookup.selection.logWeights(tokens, w).map(Math.exp), weights[i]);
    });
  }
}

const world = load(WANTED);
test("widest margins and support tokens are the solver's", () => raysAreTheLibrarys(world));
test("descent goes the library's way", () => waysAreTheLibrarys(world));
test("the softmax's weights are the library's", () => weightsAreTheLibrarys(world));

test("among the cases are positions that no direction selects", () => {
  const rays = known.cases.flatMap((each) => each.rays);
  assert.ok(rays.some((ray) => ray === null));
  assert.ok(rays.some((ray) => ray?.support.length === 2));
});

test("support tokens of the chapter's three are those that it prints", () => {
  const { tokens } = world.weights.get("margin-turner").config;
  known.stored.forEach((line, i) => {
    const { support, local } = world.selection.ray(tokens, worths(world, tokens), i);
    const named = [...support].map((rival) => "abc"[rival]).join(" and ");
    assert.ok(line.includes(`support tokens ${named}, worth ${local ? "less" : "more"}`));
  });
});

test("the lead grows or shrinks as the next steps show", () => {
  const { descend, logWeights, standing } = world.selection;
  for (const { tokens, start } of known.cases) {
    const worth = worths(world, tokens);
    const [here, next] = descend(tokens, worth, start, 1);
    const { leaders, nearest, change } = standing(tokens, worth, here);
    if (leaders.length > 1 || nearest.length > 1) continue;
    const lead = (w) => {
      const logs = logWeights(tokens, w);
      return logs[leaders[0]] - logs[nearest[0]];
    };
    const grown = lead(next) - lead(here);
    assert.ok(Math.abs(grown - change) < 1e-9, `${grown} and ${change}`);
  }
});

test("an angle is one between 0 and 180 degrees, if there are two directions", () => {
  const { angle } = world.selection;
  near([angle([1, 0], [0, 2]), angle([1, 1], [-3, -3]), angle([1, 1], [2, 2])], [90, 180, 0]);
  assert.ok(Number.isNaN(angle([0, 0], [1, 0])));
});

test("descent stands still where all tokens are worth the same", () => {
  const level = [
    [1, 0.5],
    [-1, 0.5],
    [0, 0.5],
  ];
  const way = world.selection.descend(level, [0.5, 0.5, 0.5], [3, 4], 5);
  assert.deepEqual([...way[5]], [3, 4]);
});

for (const [old, wrong, check] of [
  ["dot(each, w) >= 1 - EXACT", "dot(each, w) >= 0", raysAreTheLibrarys],
  ["dot(b, b) < dot(a, a) ? b : a", "dot(b, b) > dot(a, a) ? b : a", raysAreTheLibrarys],
  ["worths[selected] > worths[i]", "worths[selected] >= worths[i]", raysAreTheLibrarys],
  ["over[i] - reading", "over[i]", waysAreTheLibrarys],
  ["Math.exp(logs[i] - most)", "1", waysAreTheLibrarys],
  ["score - most - sum", "score - sum", weightsAreTheLibrarys],
]) {
  test(`a planted mistake is found: ${wrong}`, () => {
    caught(WANTED, { script: "maths/selection", old, new: wrong }, check);
  });
}
