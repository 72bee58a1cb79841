// Softmax in instalments: after each block the notes are those of the library, with and without the
// correction, in blocks of any size; what is told is true at the edges as well.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load, expected, near, caught } = require("./live.js");

const WANTED = ["maths", "maths/instalments", "weights/softmax-instalments"];
const known = expected("softmax-instalments");

/** What the figure knows after all blocks. */
function taken(SoftLookup, { scores, size }, forget) {
  const { step } = SoftLookup.weights.get("softmax-instalments").config;
  const values = scores.map((_, j) => step * (j + 1));
  const { run, atOnce } = SoftLookup.instalments;
  return { notes: run(scores, values, size, { forget }), whole: atOnce(scores, values) };
}

function notesAreTheLibrarys(SoftLookup) {
  for (const known_case of known.cases) {
    for (const forget of [false, true]) {
      const { notes, whole } = taken(SoftLookup, known_case, forget);
      const wanted = known_case[forget ? "forgetful" : "right"];
      const found = notes.map((n) => [n.maximum, n.total, n.weighted, n.output]);
      assert.equal(found.length, wanted.length);
      found.forEach((note, i) => {
        near(note.slice(0, 2), wanted[i].slice(0, 2), 1e-4);
        near(note.slice(2), wanted[i].slice(2), 1e-4);
      });
      near(whole.weights, known_case.weights, 1e-6);
      near([whole.output], [known_case.at_once], 1e-6);
      if (!forget) near(notes.at(-1).weights, known_case.weights, 1e-6);
    }
  }
}

const world = load(WANTED);
test("the notes are the library's, with and without the correction", () =>
  notesAreTheLibrarys(world));

test("in the end it is the softmax of the whole row, to rounding", () => {
  for (const each of known.cases) {
    const { notes, whole } = taken(world, each, false);
    near([notes.at(-1).output], [whole.output], 1e-14);
  }
});

test("one key at a time gives the table that the chapter printed", () => {
  const { notes } = taken(world, { scores: [2, 1, 4, 3], size: 1 }, false);
  const printed = known.stored.slice(1, 5).map((line) => line.trim().split(/\s+/).map(Number));
  notes.forEach((n, i) => {
    const found = [n.maximum, n.total, n.weighted, n.output].map((x) => Number(x.toFixed(4)));
    assert.deepEqual(found, printed[i].slice(2));
  });
});

test("lines are read, or refused kindly", () => {
  const { read } = world.instalments;
  assert.deepEqual(Array.from(read(" 2, −1.5  .5;+3 ", 24).scores), [2, -1.5, 0.5, 3]);
  for (const [line, words] of [
    ["", "one score or more"],
    ["2 x 3", "“x” is not a number"],
    ["1e3", "“1e3” is not a number"],
    ["1001", "from −1000 to 1000"],
    ["1 ".repeat(25), "these are 25"],
  ]) {
    assert.ok(read(line, 24).fault.includes(words), read(line, 24).fault);
  }
});

test("what is told is true at the edges", () => {
  const told = load([...WANTED, "drawing/pictures", "figures/softmax-instalments-words"]);
  const tell = (scores, size, blocks, forget = false) => {
    const found = taken(told, { scores, size }, forget);
    return told.instalmentWords.told({ scores, size, forget, taken: blocks, ...found });
  };
  assert.match(tell([1], 1, 0), /^None of the 1 block /);
  assert.match(tell([1], 1, 1, true), /^The only block .* gives the same, to the last bit\.$/);
  assert.match(tell([3, 3], 1, 2), /brings no greater score/);
  assert.match(tell([1, 3], 1, 2, true), /should now be multiplied by 0\.1353, and is not/);
  assert.match(tell([1, 3], 1, 2, true), /too much weight/);
  assert.match(tell([3, 1], 1, 2, true), /Nothing had to be corrected/);
  assert.match(
    tell([-1000, 1000], 1, 2),
    /multiplied by less than 1e−300\. The output is 20\.0000/,
  );
});

for (const [script, old, wrong] of [
  ["maths/instalments", "const kept = forget ? 1 : correction;", "const kept = 1;"],
  ["maths/instalments", "Math.exp(maximum - greatest)", "Math.exp(greatest - maximum)"],
  ["maths/instalments", "each * values[start + j]", "each * values[j]"],
  ["maths/instalments", "Math.max(maximum, ...block)", "Math.max(...block)"],
]) {
  test(`a planted mistake is found: ${wrong}`, () => {
    caught(WANTED, { script, old, new: wrong }, notesAreTheLibrarys);
  });
}
