// The GPT that writes: its tokens are the library's, its logits and weights PyTorch's, and what it
// draws from is what the library's sample draws from.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load, expected, near, caught } = require("./live.js");

const WANTED = ["maths", "maths/byte_pairs", "maths/writing", "weights/gpt-writer"];
const known = expected("gpt-writer");

function parts({ models, weights, bytePairs, writing }) {
  const bundle = weights.get("gpt-writer");
  const { alphabet, merges } = bundle.config;
  const model = models.gpt(bundle);
  return { model, tokens: bytePairs.tokenizer(alphabet, merges), text: writing.writer(model) };
}

/** Knobs as JSON has them, as the figure has them. */
function knobsOf({ forbidden, ...knobs }) {
  return { ...knobs, forbidden: new Set(forbidden ?? []) };
}

const CHECKS = {
  "texts become the library's tokens, and texts again": (SoftLookup) => {
    const { tokens } = parts(SoftLookup);
    for (const [text, ids] of known.texts) {
      assert.deepEqual([...tokens.encode(text)], ids, JSON.stringify(text));
      assert.equal(tokens.decode(ids), text);
    }
  },
  "logits and weights are PyTorch's": (SoftLookup) => {
    const { model, tokens } = parts(SoftLookup);
    const { row } = SoftLookup.arrays;
    for (const run of known.runs) {
      const ids = tokens.encode(run.prompt);
      const { logits, layers } = model.run(ids);
      near(row(logits, ids.length - 1), run.logits);
      run.weights.forEach((layer, l) => {
        layer.forEach((weights, h) => {
          near(row(layers[l].attention.weights[h], ids.length - 1), weights);
        });
      });
      const edits = SoftLookup.interventions.off([[1, 2]]);
      near(row(model.run(ids, { edits }).logits, ids.length - 1), run.without);
    }
  },
  "written token by token, it writes what PyTorch writes": (SoftLookup) => {
    const { tokens, text } = parts(SoftLookup);
    for (const run of known.runs) {
      text.begin(tokens.encode(run.prompt));
      const start = text.ids.length;
      for (const id of run.greedy) {
        const drawn = SoftLookup.writing.drawnFrom(text.logits.at(-1), { temperature: 0 });
        assert.equal(SoftLookup.arrays.argmax(drawn), id);
        text.read([id]);
      }
      assert.deepEqual([...text.ids.slice(start)], run.greedy);
    }
  },
  "what is drawn from is what the library draws from": (SoftLookup) => {
    for (const [knobs, probabilities] of known.drawn) {
      const drawn = SoftLookup.writing.drawnFrom(known.runs[0].logits, knobsOf(knobs));
      near(drawn, probabilities);
      drawn.forEach((share, id) => assert.equal(share > 0, probabilities[id] > 0));
    }
  },
  "taken back and written again, it is the same": (SoftLookup) => {
    const { tokens, text } = parts(SoftLookup);
    text.begin(tokens.encode("The weights of the heads"));
    const length = text.ids.length;
    text.read(tokens.encode(" are something else"));
    const other = text.logits.at(-1);
    text.rewind(length);
    text.read(tokens.encode(" are exactly zero"));
    const again = text.logits.at(-1);
    const looked = text.looked.at(-1)[3][2];
    text.begin(tokens.encode("The weights of the heads are exactly zero"));
    near(again, Array.from(text.logits.at(-1)));
    near(looked, Array.from(text.looked.at(-1)[3][2]));
    assert.throws(() => near(other, Array.from(text.logits.at(-1))));
  },
};

const world = load(WANTED);

test("the figure begins as the chapter does", () => {
  assert.equal(world.weights.get("gpt-writer").config.prompt, known.runs[0].prompt);
});

for (const [name, check] of Object.entries(CHECKS)) test(name, () => check(world));

test("the window is as long as the model's", () => {
  const { model } = parts(world);
  assert.equal(model.run(Array(128).fill(5)).logits.rows, 128);
  assert.throws(() => model.run(Array(129).fill(5)), /expected 1 to 128/);
});

for (const [script, old, wrong, check] of [
  [
    "maths/byte_pairs",
    "if (rank < best) {",
    "if (rank <= best && at < 9) {",
    "texts become the library's tokens, and texts again",
  ],
  [
    "maths/byte_pairs",
    "[${SPACE}]+(?![^${SPACE}])|",
    "",
    "texts become the library's tokens, and texts again",
  ],
  [
    "maths/byte_pairs",
    "| ?\\\\p{N}+",
    "| ?\\\\p{Nd}+",
    "texts become the library's tokens, and texts again",
  ],
  [
    "maths/positions",
    "const sine = Math.sin(at[i] * frequency);",
    "const sine = -Math.sin(at[i] * frequency) * 0;",
    "logits and weights are PyTorch's",
  ],
  [
    "maths/heads",
    "cache.length = length;\n  }\n",
    "cache.length = length - 0;\n cache.keys = cache.keys.map((k) => ({ ...k, data: k.data.map((v) => v * 1.1) }));  }\n",
    "taken back and written again, it is the same",
  ],
  [
    "maths/writing",
    "if (before >= p) made[id] = NEVER;",
    "if (before + probabilities[id] >= p) made[id] = NEVER;",
    "what is drawn from is what the library draws from",
  ],
  [
    "maths/writing",
    "cutFirst ? heat(cut(now)) : cut(heat(now))",
    "cutFirst ? cut(heat(now)) : heat(cut(now))",
    "what is drawn from is what the library draws from",
  ],
  [
    "maths/writing",
    "value < least ? NEVER : value",
    "value <= least ? NEVER : value",
    "what is drawn from is what the library draws from",
  ],
  [
    "maths/writing",
    "forbidden?.has(id) ? NEVER : value",
    "value",
    "what is drawn from is what the library draws from",
  ],
  ["maths/weights", "let at = 0;", "let at = 1;", "logits and weights are PyTorch's"],
]) {
  test(`a planted mistake is found: ${wrong}`, () => {
    caught(WANTED, { script, old, new: wrong }, CHECKS[check]);
  });
}
