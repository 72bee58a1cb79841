// A model beside itself with low-rank adapters: their product is added to the weights of its linear
// layers, both answer the same question, and at each place of an answer it is measured how far they
// are apart. The chapter on answers trains the adapters.

var SoftLookup = SoftLookup || {};

SoftLookup.adapters = (() => {
  "use strict";
  const { matrix, argmax } = SoftLookup.arrays;
  const { softmax } = SoftLookup.attention;

  /** The weight W + factor · B A; down is A, and up is B. @param {Matrix} weight @param {Matrix} down @param {Matrix} up @param {number} factor @returns {Matrix} */
  function merged(weight, down, up, factor) {
    const { rows, columns } = weight;
    const made = matrix(rows, columns, Float32Array.from(weight.data));
    for (let i = 0; i < rows; i++) {
      for (let k = 0; k < down.rows; k++) {
        const times = factor * up.data[i * down.rows + k];
        for (let j = 0; j < columns; j++) {
          made.data[i * columns + j] += times * down.data[k * columns + j];
        }
      }
    }
    return made;
  }

  /**
   * Weights with adapters merged into those linear layers that have one.
   * @param {Bundle} bundle @param {Bundle} adapters name.down and name.up, by a layer's name
   * @param {number} factor
   * @param {Map<string, Linear>} [kept] what was merged, by the whole name
   * @param {string} [prefix]
   * @returns {Bundle}
   */
  function adapted(bundle, adapters, factor, kept = new Map(), prefix = "") {
    /** @param {string} name @returns {Linear} */
    function linear(name) {
      const plain = bundle.linear(name);
      if (!adapters.has(`${name}.down`)) return plain;
      const [down, up] = [adapters.matrix(`${name}.down`), adapters.matrix(`${name}.up`)];
      const found = kept.get(prefix + name) ?? {
        ...plain,
        weight: merged(plain.weight, down, up, factor),
      };
      kept.set(prefix + name, found);
      return found;
    }
    return {
      ...bundle,
      linear,
      part: (inner) =>
        adapted(bundle.part(inner), adapters.part(inner), factor, kept, prefix + inner),
    };
  }

  /**
   * What a model answers, always with its likeliest token, and its scores before each of them.
   * @param {ReturnType<typeof SoftLookup.models.gpt>} model @param {number[]} question
   * @param {number} end the token that ends an answer @param {number} most
   */
  function answered(model, question, end, most) {
    const text = SoftLookup.writing.writer(model);
    text.begin(question);
    /** @type {number[]} */
    const ids = [];
    while (ids.length < most && ids.at(-1) !== end) {
      const id = argmax(text.logits[text.logits.length - 1]);
      ids.push(id);
      text.read([id]);
    }
    return { ids, logits: text.logits.slice(question.length - 1, -1) };
  }

  /** A model's scores before each token of an answer that another gave. @param {ReturnType<typeof SoftLookup.models.gpt>} model @param {number[]} question @param {number[]} answer */
  function reads(model, question, answer) {
    const text = SoftLookup.writing.writer(model);
    text.begin([...question, ...answer]);
    return text.logits.slice(question.length - 1, -1);
  }

  /** The Kullback–Leibler divergence of one next token from another, in nats. @param {Float32Array} ours @param {Float32Array} theirs */
  function apart(ours, theirs) {
    const [p, q] = [softmax(ours), softmax(theirs)];
    return p.reduce((sum, each, i) => sum + (each > 0 ? each * Math.log(each / q[i]) : 0), 0);
  }

  return { merged, adapted, answered, reads, apart };
})();
