// The maths of the figures against PyTorch: every model, every kind of positions, every intervention.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load, expected, near, caught } = require("./live.js");

const WANTED = ["maths", "recurrent", "translators"];
const known = expected("maths");

/** @type {Record<string, (SoftLookup: any) => void>} */
const CHECKS = {
  "a GPT with every kind of positions": ({ models, weights }) => {
    for (const each of known.gpt) {
      const model = models.gpt(weights.unpack(each));
      const run = model.run(known.tokens);
      near(run.logits, each.logits);
      each.heads.forEach((head, h) => near(run.layers[1].attention.heads[h], head));
    }
  },
  "a cache gives the same logits, token by token": ({ models, weights, arrays }) => {
    for (const each of known.gpt) {
      const model = models.gpt(weights.unpack(each));
      const caches = model.makeCaches();
      const first = model.run(known.tokens.slice(0, 3), { caches }).logits;
      const rest = known.tokens.slice(3).map((id) => model.run([id], { caches }).logits);
      near(arrays.below([first, ...rest]), each.logits);
    }
  },
  "a head that is switched off": ({ models, weights, interventions }) => {
    for (const each of known.gpt) {
      const model = models.gpt(weights.unpack(each));
      near(model.run(known.tokens, { edits: interventions.off([[0, 1]]) }).logits, each.without);
    }
  },
  "a head that is patched from another run": ({ models, weights, interventions }) => {
    for (const each of known.gpt) {
      const model = models.gpt(weights.unpack(each));
      const other = model.run([...known.tokens].reverse());
      const edits = interventions.patched([[1, 2]], other.layers);
      near(model.run(known.tokens, { edits }).logits, each.patched);
    }
  },
  "a mask painted by hand, with a row that sees nothing": ({ models, weights, attention }) => {
    const { painted } = known;
    const mask = attention.maskOf(7, 7, (i, j) => painted.mask[i][j] === 1);
    const run = models.gpt(weights.unpack(painted)).run(known.tokens, { mask });
    near(run.logits, painted.logits);
    near(run.layers[0].attention.weights[0].data.slice(21, 28), [0, 0, 0, 0, 0, 0, 0]);
  },
  "the model of attention alone": ({ models, weights }) => {
    const { attention_only: known_reader } = known;
    const model = models.attentionOnly(weights.unpack(known_reader));
    near(model.run(known.tokens).logits, known_reader.logits);
  },
  "the Vision Transformer, both ways of pooling": ({ models, weights }) => {
    for (const each of known.vit) {
      near(models.vit(weights.unpack(each)).run(each.image, 6, 9).logits, each.logits);
    }
  },
  "the Transformer, both places of the norm": ({ translators, weights }) => {
    for (const each of known.transformer) {
      const model = translators.transformer(weights.unpack(each));
      const memory = model.encode(known.tokens).output;
      near(memory, each.memory);
      near(model.decode([1, 6, 3, 8], memory).logits, each.logits);
    }
  },
  "the recurrent translator, with its alignment": ({ translators, weights }) => {
    const { seq2seq } = known;
    const model = translators.recurrent(weights.unpack(seq2seq));
    const run = model.decode(model.encode(known.tokens), seq2seq.target);
    near(run.logits, seq2seq.logits);
    near(run.weights, seq2seq.weights);
  },
  "the plain recurrent network and the LSTM": ({ recurrent, arrays, weights }) => {
    const x = arrays.fromRows(known.x);
    for (const [name, run] of [
      ["RNN", recurrent.rnn],
      ["LSTM", recurrent.lstm],
    ]) {
      const parts = weights.unpack(known[name]).part("cell.");
      near(run(x, recurrent.cell(parts)).states, known[name].states);
    }
  },
  "both norms": ({ layers, arrays, weights }) => {
    const x = arrays.fromRows(known.x);
    const norm = weights.unpack(known.layer_norm);
    near(
      layers.layerNorm(x, { weight: norm.vector("weight"), bias: norm.vector("bias") }),
      known.layer_norm.output,
    );
    const square = weights.unpack(known.rms_norm);
    near(layers.rmsNorm(x, { weight: square.vector("weight") }), known.rms_norm.output);
  },
  "the activations": ({ layers }) => {
    for (const [name, values] of Object.entries(known.activations)) {
      near(known.wide.map(layers[name]), values, 1e-6);
    }
  },
};

const world = load(WANTED);
for (const [name, check] of Object.entries(CHECKS)) test(name, () => check(world));

test("half precision is read as it was written", () => {
  const { weights } = world;
  const read = (/** @type {number} */ bits) =>
    weights.fromHalf(Uint8Array.of(bits & 255, bits >> 8))[0];
  const cases = [
    [0x3c00, 1],
    [0xc000, -2],
    [0x0001, 2 ** -24],
    [0x8001, -(2 ** -24)],
    [0x7bff, 65504],
    [0x0400, 2 ** -14],
    [0x03ff, 1023 * 2 ** -24],
  ];
  for (const [bits, value] of cases) assert.equal(read(bits), value);
  assert.ok(Object.is(read(0x8000), -0));
});

test("what does not fit is refused", () => {
  const { arrays, products, models, weights } = world;
  const model = models.gpt(weights.unpack(known.gpt[0]));
  assert.throws(() => model.run([]), /expected 1 to 13/);
  assert.throws(() => model.run(Array(14).fill(1)), /expected 1 to 13/);
  assert.throws(() => model.run([11]), /expected 0 to 10/);
  assert.throws(() => products.multiply(arrays.matrix(2, 3), arrays.matrix(2, 3)), /3 columns/);
  assert.throws(() => weights.get("nowhere"), /no weights nowhere/);
});

test("chance is the same for a seed, and keeps the probabilities", () => {
  const { random } = world;
  const draws = random.generator(7);
  const again = random.generator(7);
  assert.equal(draws.uniform(), again.uniform());
  const counts = [0, 0, 0, 0];
  for (let i = 0; i < 20000; i++) counts[draws.draw([0.5, 0, 0.3, 0.2])] += 1;
  near(
    counts.map((count) => count / 20000),
    [0.5, 0, 0.3, 0.2],
    0.02,
  );
});

// Mistakes that a hurried hand could make, each with the check that must see it.
const MISTAKES = [
  [
    "maths/attention",
    "j <= i + keys - queries",
    "j < i + keys - queries",
    "a GPT with every kind of positions",
  ],
  [
    "maths/attention",
    "if (mask && !mask.data[j]) continue;",
    "if (mask?.data[j]) continue;",
    "a mask painted by hand, with a row that sees nothing",
  ],
  [
    "maths/attention",
    "options.scale ?? 1 / Math.sqrt(query.columns)",
    "options.scale ?? 1",
    "a GPT with every kind of positions",
  ],
  [
    "maths/heads",
    "const turn = (/** @type {Matrix} */ each) => (rotateAt ? rotate(each, rotateAt) : each);",
    "const turn = (each) => (rotateAt && kind ? rotate(each, [...rotateAt].fill(0)) : each);",
    "a GPT with every kind of positions",
  ],
  [
    "maths/heads",
    "buffer.set(fresh.data, size - fresh.data.length);",
    "buffer.set(fresh.data, 0);",
    "a cache gives the same logits, token by token",
  ],
  ["maths/layers", "variance / n + epsilon", "variance / (n - 1) + epsilon", "both norms"],
  ["maths/layers", "0.044715", "0.44715", "the activations"],
  [
    "maths/blocks",
    'if (norm === "pre") {',
    'if (norm !== "none") {',
    "the Transformer, both places of the norm",
  ],
  [
    "maths/interventions",
    "layer === place.layer && head === place.head",
    "layer === place.layer",
    "a head that is switched off",
  ],
  [
    "maths/interventions",
    "layers[place.layer].attention.heads[place.head]",
    "layers[place.layer].attention.heads[0]",
    "a head that is patched from another run",
  ],
  [
    "maths/recurrent",
    "(1 - update) * fresh + update * old",
    "update * fresh + (1 - update) * old",
    "the recurrent translator, with its alignment",
  ],
  [
    "maths/recurrent",
    "sigmoid(gate(1, i)) * old +",
    "sigmoid(gate(0, i)) * old +",
    "the plain recurrent network and the LSTM",
  ],
  [
    "maths/positions",
    "made.data[i * width + j] = Math.sin(angle);",
    "made.data[i * width + j] = Math.cos(angle);",
    "the Transformer, both places of the norm",
  ],
  ["maths/weights", "exponent + 112", "exponent + 111", "both norms"],
  [
    "maths/models",
    "const first = hasClass ? 1 : output.rows;",
    "const first = output.rows;",
    "the Vision Transformer, both ways of pooling",
  ],
];
for (const [script, old, wrong, check] of MISTAKES) {
  test(`a planted mistake is found: ${wrong}`, () => {
    caught(WANTED, { script, old, new: wrong }, CHECKS[check]);
  });
}
