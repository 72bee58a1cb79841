// Speculative decoding at one place: what is kept, what is left and what comes out is the library's.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load, expected, near, caught } = require("./live.js");

const WANTED = ["maths", "maths/speculation", "weights/draft-checker"];
const known = expected("draft-checker");

function rulesAreTheLibrarys({ speculation, weights }) {
  const { places } = weights.get("draft-checker").config;
  for (const { text, draft, often, from, share, tokens, shared } of known.cases) {
    const place = places.find((each) => each.text === text);
    const target = [...place.target];
    const proposed = [...place.drafts[draft]];
    const found = speculation.written(target, proposed, { often, from });
    near([found.share], [share]);
    near(found.tokens, tokens);
    if (shared !== undefined) near([speculation.shared(target, proposed)], [shared]);
  }
}

const world = load(WANTED);
test("what is kept and what comes out is the library's", () => rulesAreTheLibrarys(world));

test("the rule gives the target back, and no other factor does", () => {
  const { places, often } = world.weights.get("draft-checker").config;
  for (const { target, drafts } of places) {
    for (const draft of Object.values(drafts)) {
      for (const times of often) {
        const { tokens } = world.speculation.written([...target], [...draft], {
          often: times,
          from: "left",
        });
        const far = world.speculation.apart([...target], tokens);
        assert.equal(far < 1e-9, times === 1, `${times} times: ${far}`);
      }
    }
  }
});

test("of equal distributions everything is kept, and nothing divides by zero", () => {
  const even = [0.5, 0.25, 0.25];
  const { share, tokens } = world.speculation.written(even, even, { often: 1, from: "left" });
  near([share, ...tokens], [1, ...even]);
});

for (const [old, wrong] of [
  ["Math.min(p, draft[i])", "Math.max(p, draft[i])"],
  ["Math.min(1, (often * p) / draft[i])", "(often * p) / draft[i]"],
  ["(often * p) / draft[i])", "p / draft[i])"],
  ["Math.max(0, p - draft[i])", "Math.abs(p - draft[i])"],
  ['from === "left" ? left(target, draft) : target', "target"],
  ["(1 - share) * other[i]", "share * other[i]"],
]) {
  test(`a planted mistake is found: ${wrong}`, () => {
    caught(WANTED, { script: "maths/speculation", old, new: wrong }, rulesAreTheLibrarys);
  });
}
