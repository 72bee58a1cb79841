// The wired tokens: every wiring gives PyTorch's tokens and PyTorch's distinctness, and whole blocks
// are those of the stack that the other figures run.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load, expected, near, caught } = require("./live.js");

const WANTED = ["maths", "maths/wirings", "weights/token-wiring"];
const known = expected("token-wiring");

function wired({ wirings, weights }, { norm, skip, parts }) {
  const held = weights.get("token-wiring");
  const { n_layers, n_heads } = held.config;
  return wirings.run(held.matrix("tokens"), held, n_layers, n_heads, { norm, skip, parts });
}

function tokensArePyTorchs(SoftLookup) {
  for (const { last, distinctness, ...wiring } of known.cases) {
    const after = wired(SoftLookup, wiring);
    near(after[after.length - 1], last);
    const found = after.map(SoftLookup.wirings.distinctness);
    near(found, distinctness);
    // Where the tokens are the same, single precision's rounding is all that is left of them.
    distinctness.forEach((share, block) => {
      if (share > 1e-4) near([Math.log10(found[block])], [Math.log10(share)], 3e-3);
      else if (share < 9e-6) assert.ok(found[block] < 1e-5);
    });
  }
}

const world = load(WANTED);
test("tokens and distinctness are PyTorch's, however wired", () => tokensArePyTorchs(world));

test("whole blocks are those of the stack", () => {
  const held = world.weights.get("token-wiring");
  const { n_layers, n_heads } = held.config;
  for (const norm of ["pre", "post"]) {
    for (const skip of [true, false]) {
      const config = { n_heads, norm, residual: skip };
      const { layers } = world.blocks.stack(held.matrix("tokens"), held, n_layers, config);
      const after = wired(world, { norm, skip, parts: "both" });
      layers.forEach(({ x }, layer) => near(after[layer + 1], x, 1e-6));
    }
  }
});

test("the chapter's table holds for these tokens", () => {
  const rows = { pre: { true: "skip and norm", false: "norm alone" } };
  rows.none = { true: "skip alone", false: "neither" };
  for (const [norm, names] of Object.entries(rows)) {
    for (const [skip, name] of Object.entries(names)) {
      const stored = known.stored.find((line) => line.startsWith(`${name}  `));
      const isSame = stored.endsWith("below 1e-5");
      const after = wired(world, { norm, skip: skip === "true", parts: "both" });
      assert.equal(world.wirings.distinctness(after[12]) < 1e-5, isSame);
    }
  }
});

test("distinctness is a share", () => {
  const { arrays, wirings } = world;
  assert.equal(
    wirings.distinctness(
      arrays.fromRows([
        [1, 1],
        [1, 1],
      ]),
    ),
    0,
  );
  assert.equal(
    wirings.distinctness(
      arrays.fromRows([
        [1, -2],
        [-1, 2],
      ]),
    ),
    1,
  );
});

for (const [old, wrong] of [
  ["skip ? add(x, given) : given", "skip ? given : add(x, given)"],
  ['norm === "pre" ? normed(x) : x', "normed(x)"],
  ['norm === "post" ? normed(joined) : joined', 'norm === "post" ? add(x, normed(given)) : joined'],
  ["value - mean[at % x.columns]", "value"],
  ['around("norm_2", (each)', 'around("norm_2", (_, each = after[0])'],
]) {
  test(`a planted mistake is found: ${wrong}`, () => {
    caught(WANTED, { script: "maths/wirings", old, new: wrong }, tokensArePyTorchs);
  });
}
