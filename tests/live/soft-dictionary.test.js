// The soft dictionary: its lookups are the chapter's, to the digit that the chapter prints.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load, expected, near, caught } = require("./live.js");

const WANTED = ["maths", "maths/letter_pairs", "weights/soft-dictionary"];
const known = expected("soft-dictionary");

/** The lookup of a question at a temperature, as the figure makes it. */
function ask({ arrays, attention, letterPairs, weights }, question, temperature) {
  const { config } = weights.get("soft-dictionary");
  const keys = arrays.fromRows(
    config.entries.map(({ name }) => letterPairs.vector(name, config.letters)),
  );
  const values = config.entries.map(({ height }) => height);
  return attention.lookUp(letterPairs.vector(question, config.letters), keys, values, temperature);
}

function lookupsAreTheChapters(SoftLookup) {
  for (const { question, temperature, ...wanted } of known.lookups) {
    const found = ask(SoftLookup, question, temperature);
    near(found.scores, wanted.scores);
    near(found.weights, wanted.weights);
    near([found.answer], [wanted.answer]);
    near([found.sensitivity], [wanted.sensitivity]);
    assert.ok(found.notBest <= found.bound * 1.0001 + 1e-12);
  }
}

const world = load(WANTED);
test("scores, weights, answers and slopes are PyTorch's", () => lookupsAreTheChapters(world));

test("the table of the chapter can be read off the figure", () => {
  const rows = known.stored.filter((line) => /^ +[\d.]+ /.test(line));
  assert.equal(rows.length, 6);
  for (const line of rows) {
    const [temperature, weight, answer, slope] = line.trim().split(/ +/).map(Number);
    const found = ask(world, "Kilimandscharo", temperature);
    assert.equal(found.weights[1].toFixed(2), weight.toFixed(2));
    assert.equal(found.answer.toFixed(0), answer.toFixed(0));
    assert.equal(found.sensitivity.toFixed(1), slope.toFixed(1));
  }
});

test("accents and capitals are forgiven, other signs are named", () => {
  const { letterPairs, weights } = world;
  const { letters } = weights.get("soft-dictionary").config;
  near(letterPairs.vector("Éverést", letters), Array.from(letterPairs.vector("everest", letters)));
  assert.deepEqual([...letterPairs.unknown("K2 ^$", letters)], ["2", "^", "$"]);
  assert.throws(() => letterPairs.vector("K2", letters), /no letters: 2/);
});

for (const [script, old, wrong] of [
  ["maths/attention", "(scores[i] - most) / temperature", "(scores[i] - most) * temperature"],
  [
    "maths/attention",
    "(weight * (values[j] - answer)) / temperature",
    "(weight * values[j]) / temperature",
  ],
  ["maths/letter_pairs", "counts.map((count) => count / length)", "counts"],
  ["weights/soft-dictionary", "5895", "5859"],
]) {
  test(`a planted mistake is found: ${wrong}`, () => {
    caught(WANTED, { script, old, new: wrong }, lookupsAreTheChapters);
  });
}
