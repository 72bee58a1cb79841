// The word mover: each step of the chapter's trained layer, and of its rival with a table of places,
// is PyTorch's, in any order of the words.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load, expected, near, caught } = require("./live.js");

const WANTED = ["maths", "maths/carried", "weights/word-mover"];
const known = expected("word-mover");

function carried({ carried: { carry, parse }, weights }, kind, text) {
  const held = weights.get("word-mover");
  const { ids, fault } = parse(text, held.config.vocabulary);
  assert.equal(fault, "");
  return carry(held, kind, ids);
}

function stepsArePyTorchs(SoftLookup) {
  for (const { text, kind, steps } of known.cases) {
    const found = carried(SoftLookup, kind, text);
    for (const [step, wanted] of Object.entries(steps)) near(found[step], wanted.flat(), 1e-4);
  }
}

const world = load(WANTED);
test("each step is PyTorch's", () => stepsArePyTorchs(world));

test("the weights of the pronoun are those that the chapter prints", () => {
  for (const line of known.stored) {
    const words = line.split(",").map((each) => each.trim().split(" ")[0]);
    const { weights } = carried(world, "attention", words.join(" "));
    const last = Array.from(weights.data.slice(-words.length));
    assert.equal(words.map((word, i) => `${word} ${last[i].toFixed(2)}`).join(",  "), line);
  }
});

/** The largest change of an output when the words are turned round. */
function turnedRound(SoftLookup, kind) {
  const words = known.cases[0].text.split(" ");
  const before = carried(SoftLookup, kind, words.join(" "));
  const after = carried(SoftLookup, kind, words.toReversed().join(" "));
  const order = words.map((_, i) => words.length - 1 - i);
  return SoftLookup.carried.change(before.output, after.output, order);
}

function onlyAttentionIsEquivariant(SoftLookup) {
  assert.ok(turnedRound(SoftLookup, "attention") < 1e-5);
  assert.ok(turnedRound(SoftLookup, "places") > 1);
}

test("outputs move along with their words, but not through a table of places", () => {
  onlyAttentionIsEquivariant(world);
});

test("an entry moves, and the others keep their order", () => {
  const { moved } = world.carried;
  assert.deepEqual([...moved([..."abcd"], 0, 2)], [..."bcad"]);
  assert.deepEqual([...moved([..."abcd"], 3, 0)], [..."dabc"]);
});

test("what cannot be read is said, and capitals and full stops are read", () => {
  const { parse } = world.carried;
  const { vocabulary } = world.weights.get("word-mover").config;
  const faultOf = (text, places) => parse(text, vocabulary, places).fault;
  assert.equal(faultOf("Obey the robot."), "");
  assert.match(faultOf("the zebra"), /“zebra” is not among the language’s 33 words/);
  assert.match(faultOf("the robo"), /It knows “robot”/);
  assert.match(faultOf("robot"), /at least two words/);
  assert.match(faultOf("it ".repeat(13)), /13 words/);
  assert.match(faultOf("it ".repeat(3000)), /a long text/);
  assert.match(faultOf("obey the robot", 8), /takes 8 words; this sentence has 3/);
});

for (const [script, old, wrong, check] of [
  ["maths/carried", "attend(query, key, value)", "attend(key, query, value)", stepsArePyTorchs],
  ["maths/carried", "softmaxRows(scores)", "scores", stepsArePyTorchs],
  ["maths/attention", "1 / Math.sqrt(query.columns)", "1 / query.columns", stepsArePyTorchs],
  ["weights/word-mover", '"a","the"', '"the","a"', stepsArePyTorchs],
  ["maths/carried", "row(before, from)", "row(before, to)", onlyAttentionIsEquivariant],
]) {
  test(`a planted mistake is found: ${wrong}`, () => {
    caught(WANTED, { script, old, new: wrong }, check);
  });
}
