// Writing: what is drawn from when a model has scored the next token, and a writer that keeps the
// keys and values of what it has read, so that each token goes through the model once. The chapter
// on the next word says what temperature, top-k and top-p do, and why their order matters.

var SoftLookup = SoftLookup || {};

/**
 * @typedef {object} Knobs
 * @property {number} temperature 0 takes the likeliest token.
 * @property {number} [topK] keep so many
 * @property {number} [topP] keep the fewest likeliest that have so much together
 * @property {Set<number>} [forbidden]
 * @property {boolean} [cutFirst] top-k and top-p before the temperature, and not after it
 */

SoftLookup.writing = (() => {
  "use strict";
  const { row, argmax } = SoftLookup.arrays;
  const { softmax } = SoftLookup.attention;
  const NEVER = Number.NEGATIVE_INFINITY;

  /** All but the k largest become impossible; ties for the last place stay. @param {Float64Array} logits @param {number} k */
  function topK(logits, k) {
    const least = Float64Array.from(logits).sort()[Math.max(0, logits.length - k)];
    return logits.map((value) => (value < least ? NEVER : value));
  }

  /** The fewest likeliest that have p together stay. @param {Float64Array} logits @param {number} p */
  function topP(logits, p) {
    const probabilities = softmax(logits);
    const order = Array.from(logits.keys()).sort((a, b) => logits[b] - logits[a] || a - b);
    const made = logits.slice();
    let before = 0;
    for (const id of order) {
      if (before >= p) made[id] = NEVER;
      before += probabilities[id];
    }
    return made;
  }

  /** What the next token is drawn from. @param {ArrayLike<number>} logits @param {Knobs} knobs @returns {Float64Array} */
  function drawnFrom(logits, { temperature, topK: k, topP: p, forbidden, cutFirst = false }) {
    /** @type {Float64Array} */
    let now = Float64Array.from(logits, (value, id) => (forbidden?.has(id) ? NEVER : value));
    const heat = (/** @type {Float64Array} */ each) => each.map((value) => value / temperature);
    const cut = (/** @type {Float64Array} */ each) => {
      const few = k ? topK(each, k) : each;
      return p && p < 1 ? topP(few, p) : few;
    };
    if (temperature === 0) {
      const best = argmax(now);
      return now.map((_, id) => (id === best ? 1 : 0));
    }
    now = cutFirst ? heat(cut(now)) : cut(heat(now));
    return softmax(now);
  }

  /** A text that grows. @param {ReturnType<typeof SoftLookup.models.gpt>} model */
  function writer(model) {
    /** @type {number[]} */
    let ids = [];
    let caches = model.makeCaches();
    /** @type {Float32Array[]} The scores of what comes after each token. */
    let logits = [];
    /** @type {Float32Array[][][]} For each token, layer and head: how much it took from each. */
    let looked = [];

    /** Read more. @param {number[]} more */
    function read(more) {
      const run = model.run(more, { caches });
      more.forEach((id, i) => {
        ids.push(id);
        logits.push(row(run.logits, i).slice());
        const seen = ids.length;
        looked.push(
          run.layers.map(({ attention }) =>
            attention.weights.map((weights) => row(weights, i).slice(0, seen)),
          ),
        );
      });
    }

    /** Begin anew with a text. @param {number[]} start */
    function begin(start) {
      ids = [];
      logits = [];
      looked = [];
      caches = model.makeCaches();
      read(start);
    }

    /** Forget all but the first tokens. @param {number} length */
    function rewind(length) {
      ids.length = length;
      logits.length = length;
      looked.length = length;
      for (const cache of caches) SoftLookup.heads.rewind(cache, length);
    }

    return {
      begin,
      read,
      rewind,
      get ids() {
        return ids;
      },
      get logits() {
        return logits;
      },
      get looked() {
        return looked;
      },
    };
  }

  return { drawnFrom, writer };
})();
