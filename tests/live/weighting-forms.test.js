// The seven forms of weighting: weights, what is read, and the error of a lookup are PyTorch's.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load, expected, near, caught } = require("./live.js");

const WANTED = ["maths", "maths/weightings", "weights/weighting-forms"];
const known = expected("weighting-forms");

function formsArePyTorchs({ weightings, weights }) {
  const { config } = weights.get("weighting-forms");
  assert.deepEqual(Object.keys(weightings.forms), [...config.forms]);
  for (const { scores, form, ...wanted } of known.cases) {
    const found = weightings.forms[form](scores);
    near(found, wanted.weights);
    near([weightings.read(found, config.values)], [wanted.read]);
    near([weightings.lookupError(found, config.wanted)], [wanted.error]);
  }
}

const world = load(WANTED);
test("weights, answers and errors are PyTorch's", () => formsArePyTorchs(world));

const { config } = world.weights.get("weighting-forms");
const { forms } = world.weightings;
const largest = (a, b) => Math.max(...a.map((each, i) => Math.abs(each - b[i])));

test("only softmax does not notice a number added to all scores", () => {
  const raised = config.scores.map((score) => score + 1);
  const still = [...config.forms].filter(
    (form) => largest(forms[form]([...config.scores]), forms[form](raised)) < 1e-9,
  );
  assert.deepEqual(still, ["softmax"]);
});

test("only normalised ReLU does not notice the scale of the scores", () => {
  const doubled = config.scores.map((score) => score * 2);
  const still = [...config.forms].filter(
    (form) => largest(forms[form]([...config.scores]), forms[form](doubled)) < 1e-9,
  );
  assert.deepEqual(still, ["normalised ReLU"]);
});

test("the chapter's column of sums holds for all scores that were tried", () => {
  for (const { scores, form, weights } of known.cases) {
    const total = weights.reduce((sum, each) => sum + each, 0);
    const none = form === "normalised ReLU" && scores.every((score) => score <= 0);
    if (["softmax", "normalised ReLU", "positive linear"].includes(form)) {
      assert.ok(Math.abs(total - (none ? 0 : 1)) < 1e-6, `${form} of ${scores}`);
    }
    assert.ok(form === "linear" || Math.min(...weights) >= 0, `${form} of ${scores}`);
  }
});

for (const [script, old, wrong] of [
  ["maths/weightings", "score - Math.log(scores.length)", "score"],
  ["maths/weightings", "relu(score) / scores.length", "relu(score)"],
  ["maths/weightings", "(x > 0 ? x + 1 : Math.exp(x))", "relu(x)"],
  ["maths/weightings", "total === 0 ? 0 : each / total", "each / total"],
  ["maths/weightings", "(j === wanted ? 1 : 0)", "0"],
]) {
  test(`a planted mistake is found: ${wrong}`, () => {
    caught(WANTED, { script, old, new: wrong }, formsArePyTorchs);
  });
}
