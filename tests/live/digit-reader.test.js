// The digit reader: the chapter's Vision Transformers see in JavaScript what they see in PyTorch, in
// digits that are moved, covered in part, or drawn by hand; and patches rank as they rank there.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load, expected, near, caught } = require("./live.js");

const WANTED = ["maths", "maths/digit_reading", "weights/digit-reader"];
const DRAWING = ["drawing/pictures", "drawing/controls", "figures/digit-reader-parts"];
const known = expected("digit-reader");

function drawn({ digitReading, weights }, { digit, drawn: rows }) {
  if (!rows) return digitReading.drawing(weights.get("digit-reader").config.digits[digit]);
  return digitReading.drawing(Array.from(rows.join(""), (at) => (at === "#" ? "q" : "a")).join(""));
}

function readingsArePyTorchs(SoftLookup) {
  const { digitReading, models, weights } = SoftLookup;
  const held = weights.get("digit-reader");
  for (const each of known.cases) {
    const vit = models.vit({ ...held.part(`${each.model}.`), config: held.config.vit });
    const [down, across] = each.move ?? [0, 0];
    const treatment = { down, across, hidden: each.hidden ?? [] };
    const image = digitReading.image(drawn(SoftLookup, each), treatment);
    const found = digitReading.read(vit, image);
    near(found.logits, each.logits);
    near(
      found.looks.map(({ data }) => Array.from(data)),
      each.weights,
    );
    near(found.rollout, each.rollout);
    near(found.last, each.last);
    const ink = digitReading.ink(image);
    near(ink, each.ink);
    const correlation = digitReading.rankCorrelation(found.rollout, ink);
    if (each.correlation === null) assert.equal(correlation, undefined);
    else near([correlation], [each.correlation]);
    assert.equal(found.said, each.logits.indexOf(Math.max(...each.logits)));
    near([found.probabilities.reduce((sum, share) => sum + share, 0)], [1], 1e-9);
  }
}

const world = load(WANTED);
test("logits, weights and rankings are PyTorch's", () => readingsArePyTorchs(world));

test("what is moved out can be moved back", () => {
  const { digitReading } = world;
  const seven = drawn(world, { digit: 7 });
  assert.deepEqual(
    Array.from(digitReading.greys(seven, { down: 3, across: -3 })).slice(0, 24),
    Array(24).fill(0),
  );
  const place = digitReading.placeOf(0, 0, { down: 3, across: 3 });
  seven[place] = 16;
  assert.equal(digitReading.greys(seven, { down: 3, across: 3 })[0], 16);
});

test("a dot of ink has soft edges, which stay within the window and make no ink fainter", () => {
  const { dotted, drawing, greys } = world.digitReading;
  const corner = greys(dotted(dotted(drawing(), 0, 0, true), 0, 1, true), {});
  assert.deepEqual(Array.from(corner.slice(0, 11)), [16, 16, 4, 0, 0, 0, 0, 0, 4, 4, 0]);
  const moved = dotted(drawing(), 0, 0, true, { down: 3, across: 3 });
  assert.equal(
    moved.reduce((sum, grey) => sum + grey, 0),
    16 + 4 + 4,
  );
  assert.equal(greys(dotted(moved, 3, 3, false, {}), {})[27], 0);
});

test("the outcome is a sentence in every state", () => {
  const { told } = load([...WANTED, ...DRAWING]).digitReader;
  const state = { truth: 8, said: 8, probability: 0.61, unmoved: 8, down: 0, across: 0, hidden: 0 };
  for (const [change, wanted] of [
    [{}, "The 8: the model says 8, with probability 0.61, which is right."],
    [
      { down: -1, across: 2, said: 3, probability: 0.999 },
      "The 8, moved 1 pixel up and 2 pixels to the right: the model says 3, " +
        "with probability more than 0.99, which is wrong. Unmoved, it is read as 8.",
    ],
    [
      { truth: undefined, hidden: 1 },
      "Your drawing, with 1 patch of 16 hidden: the model says 8, with probability 0.61. " +
        "Whole, it is read as 8.",
    ],
    [
      { down: 3, hidden: 2, said: 1 },
      "The 8, moved 3 pixels down, with 2 patches of 16 hidden: the model says 1, " +
        "with probability 0.61, which is wrong. Unmoved and whole, it is read as 8.",
    ],
  ]) {
    assert.equal(told({ ...state, empty: false, ...change }), wanted);
  }
  assert.match(told({ ...state, empty: true }), /^The model gets empty paper, and says 8/);
});

test("the highest of those that are left, and none when none is left", () => {
  const { highest } = world.digitReading;
  assert.equal(highest([0.1, 0.4, 0.4], new Set()), 1);
  assert.equal(highest([0.1, 0.4, 0.4], new Set([1])), 2);
  assert.equal(highest([0.1, 0.4, 0.4], new Set([0, 1, 2])), -1);
});

test("the shares of right answers are what the chapter prints", () => {
  for (const [key, name] of [
    ["still", "ViT, class token"],
    ["moved", "ViT, trained on moved digits too"],
  ]) {
    const line = known.stored.find((each) => each.startsWith(name));
    const [still, , , aside] = line.match(/\d\.\d\d/g).map(Number);
    assert.ok(Math.abs(known.shares[key].still - still) <= 0.01, line);
    assert.ok(Math.abs(known.shares[key].aside - aside) <= 0.01, line);
  }
});

for (const [script, old, wrong] of [
  ["maths/digit_reading", "multiply(step, total)", "multiply(total, step)"],
  ["maths/digit_reading", "j + ROOM - across", "j + ROOM + across"],
  ["maths/digit_reading", "? 0 : drawn[", "? 8 : drawn["],
  ["maths/digit_reading", "below + (equal + 1) / 2", "below + 1"],
  ["maths/models", "image[(c * height + top + i) * width + left + j]", "image[to]"],
]) {
  test(`a planted mistake is found: ${wrong}`, () => {
    caught(WANTED, { script, old, new: wrong }, readingsArePyTorchs);
  });
}
