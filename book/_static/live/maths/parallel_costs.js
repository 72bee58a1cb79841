// What a worker sends and holds when a training is shared out: by data, by shards, by cut matrices, or
// in stages. The formulas are those of the library's traffic and memory; all numbers are float32.

var SoftLookup = SoftLookup || {};

/** @typedef {"data" | "sharded" | "tensor" | "pipeline"} ParallelKind */

/**
 * @typedef {object} ParallelModel A model's sizes, and how many parameters its parts have.
 * @property {string} name What it is called.
 * @property {number} parameters How many it has in all.
 * @property {number} layers How many blocks.
 * @property {number} block The parameters of a block.
 * @property {number} cut Those of a block that tensor parallelism cuts.
 * @property {number} first What stands before the blocks.
 * @property {number} last What stands behind them, the output among it.
 * @property {number} table The table of embeddings, if it is the output once more; otherwise 0.
 * @property {number} d_model The width of a token.
 * @property {number} length The tokens of a text.
 * @property {number} heads How many heads ask.
 * @property {number} shared_heads How many heads of keys and values answer.
 * @property {number} inner The inner width of the feed-forward networks.
 */

/**
 * @typedef {object} Unequal What cannot be shared out equally.
 * @property {number} count How many there are.
 * @property {string} what Of what.
 * @property {number} among How many should have equally many.
 * @property {string} whom Who they are.
 */

SoftLookup.parallelCosts = (() => {
  "use strict";
  const NUMBER_BYTES = 4;

  /** What each sends round a ring until all have the whole. @param {number} size @param {number} workers */
  const gathered = (size, workers) => (size * (workers - 1)) / workers;

  /** What each sends until all have the sum of all. @param {number} size @param {number} workers */
  const allReduced = (size, workers) => 2 * gathered(size, workers);

  /** What Adam's training holds: weights, gradients and two averages. @param {number} parameters */
  const training = (parameters) => 4 * NUMBER_BYTES * parameters;

  /** The bytes of a batch between two blocks. @param {ParallelModel} model @param {number} batch */
  const stream = (model, batch) => NUMBER_BYTES * batch * model.length * model.d_model;

  /** The parameters of each stage; the last has a copy of a table that is the output, too. @param {ParallelModel} model @param {number} count */
  function stages({ parameters, layers, block, first, last }, count) {
    if (count === 1) return [parameters];
    const each = new Array(count).fill((layers / count) * block);
    each[0] += first;
    each[count - 1] += last;
    return each;
  }

  /** The bytes that the fullest worker holds, activations left out. @param {ParallelKind} kind @param {ParallelModel} model @param {number} workers */
  function holds(kind, model, workers) {
    const all = model.parameters;
    if (kind === "data") return training(all);
    if (kind === "sharded") return training(all) / workers;
    if (kind === "pipeline") return training(Math.max(...stages(model, workers)));
    const cut = model.layers * model.cut;
    return training(all - cut) + training(cut) / workers;
  }

  /** The bytes that the busiest worker sends in a step. @param {ParallelKind} kind @param {ParallelModel} model @param {number} workers @param {number} batch */
  function sends(kind, model, workers, batch) {
    const weights = NUMBER_BYTES * model.parameters;
    const between = stream(model, batch);
    if (kind === "data") return allReduced(weights, workers);
    // The weights are gathered forwards and backwards, and the gradients summed in parts.
    if (kind === "sharded") return 3 * gathered(weights, workers);
    // Two sums a block forwards, and two backwards.
    if (kind === "tensor") return 4 * model.layers * allReduced(between, workers);
    if (workers === 1) return 0;
    const ends = between + allReduced(NUMBER_BYTES * model.table, 2);
    // Those between the ends hand on the stream one way, and its gradient the other.
    return workers > 2 ? Math.max(ends, 2 * between) : ends;
  }

  /** What keeps the workers from having equal shares; null if nothing does. @param {ParallelKind} kind @param {ParallelModel} model @param {number} workers @param {number} batch @param {number} microBatches @returns {Unequal | null} */
  function unequal(kind, model, workers, batch, microBatches) {
    const shares = /** @type {Record<ParallelKind, [number, string][]>} */ ({
      data: [[batch, "texts"]],
      sharded: [[batch, "texts"]],
      tensor: [
        [model.shared_heads, "heads of keys"],
        [model.heads, "heads"],
        [model.inner, "inner units"],
      ],
      pipeline: [[model.layers, "blocks"]],
    });
    for (const [count, what] of shares[kind]) {
      if (count % workers) return { count, what, among: workers, whom: "workers" };
    }
    if (kind === "pipeline" && batch % microBatches) {
      return { count: batch, what: "texts", among: microBatches, whom: "micro-batches" };
    }
    return null;
  }

  return { gathered, allReduced, training, stream, stages, holds, sends, unequal };
})();
