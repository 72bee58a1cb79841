// The induction circuit: whole, with heads switched off and with heads brought from another text, the
// chapter's two models say in JavaScript what they say in PyTorch, and what the chapter printed.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load, loadHere, expected, near, caught } = require("./live.js");

const WANTED = ["maths", "maths/induction", "weights/induction-circuit"];
const known = expected("induction-circuit");
const ROWS = 7;

/** The figure's text and the shuffled one, as the models read them. */
function texts(induction, held) {
  const { text, other, half } = held.config;
  const yours = induction.read(held, text).slice(0, -1);
  return [yours, [...induction.read(held, other), ...yours.slice(half)]];
}

function runsArePyTorchs({ induction, weights, arrays }) {
  const held = weights.get("induction-circuit");
  const [yours, other] = texts(induction, held);
  for (const { kind, way, heads, probabilities } of known.cases) {
    const { before, after, looks } = induction.run(held, kind, yours, other, { way, heads });
    near(arrays.sliceRows(after, 8, 8 + ROWS), probabilities, 1e-4);
    const whole = known.cases.find((c) => c.kind === kind && c.way === way && !c.heads.length);
    near(arrays.sliceRows(before, 8, 8 + ROWS), whole.probabilities, 1e-4);
    if (way === "off" && !heads.length) {
      looks.forEach((layer, i) => {
        layer.forEach((weights, head) => {
          near(weights, known.looks[kind][i][head], 1e-4);
        });
      });
    }
    for (const [layer, head] of way === "patch" ? heads : []) {
      // Layer 1 looks the same whatever else is brought; layer 2 only where layer 1 is let be.
      near(looks[layer][head], known.looks[kind][layer][head], 1e-4);
    }
  }
}

const world = load(WANTED);
test("probabilities and weights are PyTorch's", () => runsArePyTorchs(world));

test("the exam has PyTorch's shares, and the chapter's", () => {
  const { induction, weights } = loadHere(WANTED);
  const held = weights.get("induction-circuit");
  for (const { kind, way, heads } of known.cases.filter(({ heads }) => heads.length !== 1)) {
    const { all, right, place } = induction.exam(held, kind, { way, heads });
    near([right / all], [known.shares[induction.key(kind, way, heads)]], 1e-4);
    const diverted = known.shares[induction.key(kind, "place", heads)];
    if (way === "patch") near([place / all], [diverted], 1e-4);
  }
  for (const [name, number] of Object.entries(held.config.printed)) {
    assert.ok(Math.abs(known.shares[name] - number) <= 0.011, `${name}: ${number}`);
  }
});

test("the shuffled text asks the same questions, and each has three answers", () => {
  const { induction, random, weights } = world;
  const held = weights.get("induction-circuit");
  const drawing = random.generator(5);
  for (let i = 0; i < 30; i++) {
    const first = drawing
      .shuffled([...held.config.letters])
      .slice(0, 8)
      .join("");
    const yours = induction.read(held, first + first.slice(3) + first.slice(0, 2));
    const other = induction.shuffled(yours, 8);
    assert.deepEqual(Array.from(other.slice(8)), Array.from(yours.slice(8)));
    assert.deepEqual(Array.from(other.slice(0, 8)).sort(), Array.from(yours.slice(0, 8)).sort());
    const asked = induction.questions(yours, 8);
    assert.equal(asked.length, 6);
    for (const { at, from } of asked) {
      const there = other.indexOf(yours[at]);
      assert.equal(new Set([yours[from + 1], other[from + 1], other[there + 1]]).size, 3);
    }
  }
});

test("what cannot be read is told kindly", () => {
  const { induction, weights } = world;
  const held = weights.get("induction-circuit");
  for (const [text, words] of [
    ["abcdefghz", "“z” is none of them"],
    ["abc", "9 letters or more"],
    ["aacdefgha", "“a” stands there twice"],
    ["abcdefghh", "Repeat something"],
    ["abcdefghabcdefgha", "16 places"],
  ]) {
    assert.ok(induction.fault(held, text).includes(words), induction.fault(held, text));
  }
  for (const text of ["abcdefgha", "abcdefghghabcdef"])
    assert.equal(induction.fault(held, text), "");
});

for (const [script, old, wrong] of [
  ["maths/induction", "patched(heads, clean.layers);", "patched(heads, whole.layers);"],
  ["maths/induction", 'way === "off" ? yours : other, { edits }', "yours, { edits }"],
  [
    "maths/interventions",
    "matrix(output.rows, output.columns) : undefined",
    "undefined : undefined",
  ],
  ["maths/models", "x = add(x, attention.output);", "x = attention.output;"],
]) {
  test(`a planted mistake is found: ${wrong}`, () => {
    caught(WANTED, { script, old, new: wrong }, runsArePyTorchs);
  });
}
