// The GPT and its adapters: what is merged, what both answer and how far they are apart is PyTorch's.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load, expected, near, caught } = require("./live.js");

const WANTED = [
  "maths",
  "maths/byte_pairs",
  "maths/writing",
  "maths/adapters",
  "weights/gpt-writer",
  "weights/two-answers",
];
const known = expected("two-answers");

function parts({ weights, bytePairs, models, adapters }) {
  const bundle = weights.get("gpt-writer");
  const held = weights.get("two-answers");
  const { alphabet, merges } = bundle.config;
  const tokens = bytePairs.tokenizer(alphabet, merges);
  const tuned = (factor) => models.gpt(adapters.adapted(bundle, held, factor * held.config.scale));
  return { ...held.config, tokens, plain: models.gpt(bundle), tuned };
}

function answersArePyTorchs(SoftLookup) {
  const { answered, reads, apart } = SoftLookup.adapters;
  const { tokens, plain, tuned, end, most } = parts(SoftLookup);
  for (const { question, factor, answer, logits, apart: far } of known.cases) {
    const ids = tokens.encode(`${question}\n\n`);
    const said = answered(tuned(factor), ids, end, most);
    near(said.logits[0], logits);
    assert.deepEqual([...said.ids], answer);
    const theirs = reads(plain, ids, answer);
    near(
      said.logits.map((each, i) => apart(each, theirs[i])),
      far,
    );
  }
}

const world = load(WANTED);
test("both answers and their distance are PyTorch's", () => answersArePyTorchs(world));

test("without a factor the adapters change nothing", () => {
  const { tokens, plain, tuned, asked, end, most } = parts(world);
  const { answered, apart } = world.adapters;
  const ids = tokens.encode(`${asked[0].question}\n\n`);
  const [ours, theirs] = [tuned(0), plain].map((model) => answered(model, ids, end, most));
  assert.deepEqual(ours.ids, theirs.ids);
  near(
    ours.logits.map((each, i) => apart(each, theirs.logits[i])),
    Array(ours.ids.length).fill(0),
  );
});

test("what was taught is taught, and each question once", () => {
  const { asked } = parts(world);
  assert.equal(new Set(asked.map(({ question }) => question)).size, asked.length);
  assert.deepEqual([...new Set(asked.map(({ taught }) => taught))], [true, false]);
});

for (const [old, wrong] of [
  ["const times = factor * up", "const times = up"],
  ["up.data[i * down.rows + k]", "up.data[k * rows + i]"],
  ["matrix(rows, columns, Float32Array.from(weight.data))", "matrix(rows, columns)"],
  ["each * Math.log(each / q[i])", "q[i] * Math.log(each / q[i])"],
  ["ids.at(-1) !== end", "true"],
  ["kept.get(prefix + name)", "[...kept].find(([each]) => each.endsWith(name))?.[1]"],
]) {
  test(`a planted mistake is found: ${wrong}`, () => {
    caught(WANTED, { script: "maths/adapters", old, new: wrong }, answersArePyTorchs);
  });
}
