// The head remover: the logits of the chapter's models are a sum over heads, and with some of them
// cut they are what PyTorch computes with the rows of W_O set to zero.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load, expected, near, caught } = require("./live.js");

const WANTED = ["maths", "maths/two_questions", "weights/head-remover"];
const known = expected("head-remover");

function made({ twoQuestions, weights }, { heads, seed }) {
  const held = weights.get("head-remover");
  return twoQuestions.model(held.part(`${heads}.${seed}.`), held.config, heads);
}

const without = (cut, heads) => Array.from({ length: heads }, (_, h) => !cut.includes(h));

function headsArePyTorchs(SoftLookup) {
  const { config } = SoftLookup.weights.get("head-remover");
  const asked = SoftLookup.twoQuestions.questions(config);
  for (const each of known.models) {
    const model = made(SoftLookup, each);
    const shares = asked.slice(0, each.weights.length).map((question) => model.shares(question));
    near(
      shares.map((heads) => heads.map(({ weights }) => Array.from(weights))),
      each.weights.flat(2),
    );
    for (const { cut, logits } of each.cases) {
      const on = without(cut, each.heads);
      const found = shares.map((heads) => Array.from(model.logits(heads, on)));
      near(found, logits.flat(2), 1e-4);
    }
  }
}

const world = load(WANTED);
test("weights and logits are PyTorch's, whichever heads are cut", () => headsArePyTorchs(world));

test("as many answers are right as in PyTorch, within one", () => {
  const { questions, right } = world.twoQuestions;
  const asked = questions(world.weights.get("head-remover").config);
  assert.equal(asked.length, 4000);
  for (const each of known.models) {
    const model = made(world, each);
    const found = asked.map((question) => model.shares(question));
    for (const { cut, right: wanted } of each.cases) {
      const count = right(model, asked, found, without(cut, each.heads));
      for (const which of [0, 1]) assert.ok(Math.abs(count[which] - wanted[which]) <= 1);
    }
  }
});

test("the worse answer without one of eight heads is what the chapter prints", () => {
  const line = known.stored.find((each) => each.includes("one of eight heads removed"));
  const printed = line.split(":")[1].trim().split(" ").map(Number);
  const worst = known.models
    .filter(({ heads }) => heads === 8)
    .map(({ cases }) =>
      Math.min(...cases.filter(({ cut }) => cut.length === 1).flatMap(({ right }) => right)),
    );
  worst.forEach((count, i) => {
    assert.ok(Math.abs(count / 4000 - printed[i]) <= 0.01, `${count} of 4000, and ${printed[i]}`);
  });
});

test("one of two heads removed costs its answer, as the chapter prints", () => {
  const line = known.stored.find((each) => each.startsWith("answer of the removed head"));
  const [removed, kept] = line.match(/\d\.\d\d/g).map(Number);
  const alone = known.models
    .filter(({ heads }) => heads === 2)
    .flatMap(({ cases }) => cases.filter(({ cut }) => cut.length === 1));
  assert.equal(alone.length, 6);
  const mean = (choose) =>
    alone.reduce((sum, { right }) => sum + choose(...right), 0) / alone.length / 4000;
  assert.equal(mean(Math.min).toFixed(2), removed.toFixed(2));
  assert.equal(mean(Math.max).toFixed(2), kept.toFixed(2));
});

for (const [script, old, wrong] of [
  ["maths/two_questions", "/= Math.sqrt(width)", "/= Math.sqrt(config.width)"],
  ["maths/two_questions", "h * width, (h + 1) * width", "0, width"],
  ["maths/two_questions", "if (on[h])", "if (!on[h])"],
  ["maths/two_questions", "Float64Array.from(bias)", "new Float64Array(bias.length)"],
]) {
  test(`a planted mistake is found: ${wrong}`, () => {
    caught(WANTED, { script, old, new: wrong }, headsArePyTorchs);
  });
}
