// The number translator: the chapter's first Transformer writes in JavaScript what it writes in
// PyTorch, greedily and with beams, and looks where it looks; numerals are the library's.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load, expected, near, caught } = require("./live.js");

const WANTED = [
  "maths",
  "translators",
  "maths/numerals",
  "maths/number_translator",
  "weights/number-translator",
];
const known = expected("number-translator");

function translations({ numberTranslator, weights }) {
  const bundle = weights.get("number-translator");
  for (const each of known.cases) {
    const made = numberTranslator.translate(bundle, each.number);
    assert.deepEqual(Array.from(made.said), each.greedy);
    assert.deepEqual(Array.from(made.beams), each.beams);
    assert.deepEqual(Array.from(made.due), each.true);
    assert.equal(made.ended, each.ended);
    near(made.logits, each.logits);
    near([Math.log(made.chance)], [each.log_probability]);
    near([Math.log(made.beamsChance)], [each.beams_log_probability]);
    each.weights.forEach((layer, i) => near(made.weights[i], layer));
  }
}

function numerals({ numerals: { english, german, alignment } }) {
  for (const [number, inEnglish, inGerman] of known.spelt) {
    assert.equal(english(number).join(" "), inEnglish);
    assert.equal(german(number).join(" "), inGerman);
  }
  for (const [number, places] of known.aligned) {
    assert.deepEqual(Array.from(alignment(number)), places);
  }
}

const world = load(WANTED);
test("both searches, logits and alignments are PyTorch's", () => translations(world));
test("numerals and alignments are the library's", () => numerals(world));

test("of each kind, as many are right as in PyTorch", () => {
  const bundle = world.weights.get("number-translator");
  const { translate, same } = world.numberTranslator;
  for (const { numbers, greedy } of Object.values(known.counts)) {
    const few = numbers.slice(0, 25).map((number) => translate(bundle, number));
    const right = few.filter(({ said, due }) => same(said, due)).length;
    assert.ok(right <= greedy && few.length - right <= numbers.length - greedy);
  }
});

test("numbers are of the kinds as which they are offered", () => {
  const { config } = world.weights.get("number-translator");
  const kinds = Object.entries(config.offered);
  assert.equal(kinds.length, 5);
  const wanted = [
    [false, false, false],
    [true, false, false],
    [false, true, false],
    [undefined, false, true],
    [undefined, true, true],
  ];
  kinds.forEach(([, numbers], i) => {
    for (const number of numbers) {
      const { pair, length, construction } = world.numerals.news(number, config);
      const [ofPair, ...rest] = wanted[i];
      assert.deepEqual([length, construction], rest);
      if (ofPair !== undefined) assert.equal(pair, ofPair);
    }
  });
});

test("what is no number is told from what is one", () => {
  const { read } = world.numerals;
  for (const [text, number] of [
    ["42", 42],
    [" 97,531 ", 97531],
    ["97 531", 97531],
    ["0007", 7],
    ["999999", 999999],
  ]) {
    assert.deepEqual({ ...read(text) }, { number, fault: "" });
  }
  for (const text of ["", "  ", "forty", "-5", "1.5", "1,5", "1000000", "9".repeat(10_000), "٣"]) {
    assert.equal(read(text).number, undefined);
    assert.match(read(text).fault, /999,999/);
  }
});

test("a first mistake is found, also where the rest is missing", () => {
  const { firstMistake } = world.numberTranslator;
  assert.equal(firstMistake(["a", "b"], ["a", "b"]), undefined);
  assert.equal(firstMistake(["a", "c"], ["a", "b"]), 1);
  assert.equal(firstMistake(["a"], ["a", "b"]), 1);
  assert.equal(firstMistake(["a", "b"], ["a"]), 1);
});

for (const [script, old, wrong, check] of [
  [
    "maths/translators",
    "const mask = causal(target.length);",
    "const mask = undefined;",
    translations,
  ],
  ["maths/number_translator", "weight / heads.length", "weight", translations],
  ["maths/number_translator", "[...written, end] : written", "written : written", translations],
  ["maths/weights", "each * sizes[Math.floor(i / columns)]", "each * sizes[0]", translations],
  [
    "maths/translators",
    "b.logProbability - a.logProbability",
    "a.logProbability - b.logProbability",
    translations,
  ],
  [
    "maths/numerals",
    '[...words, GERMAN[rest % 10], "und", ten]',
    '[...words, ten, "und", GERMAN[rest % 10]]',
    numerals,
  ],
  ["maths/numerals", 'germanBelow(n % 1000, "eins")', 'germanBelow(n % 1000, "ein")', numerals],
  ["maths/numerals", "if (rest && (hundreds || after))", "if (rest && hundreds)", numerals],
]) {
  test(`a planted mistake is found: ${wrong}`, () => {
    caught(WANTED, { script, old, new: wrong }, check);
  });
}
