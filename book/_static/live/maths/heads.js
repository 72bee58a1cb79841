// Attention in several heads, with everything that a figure may want to see or exchange: the
// weights and the output of each head, and edits that put others in their place. A cache keeps the
// keys and values of the tokens before.

var SoftLookup = SoftLookup || {};

/**
 * @typedef {object} Place Where in a model something happens.
 * @property {number} layer
 * @property {number} head
 * @property {"self" | "cross"} kind Whether tokens look at their own sequence or into a memory.
 */

/**
 * @typedef {object} Edits What is exchanged while a model runs; whoever returns nothing changes nothing.
 * @property {(weights: Matrix, place: Place) => Matrix | void} [weights]
 * @property {(output: Matrix, place: Place) => Matrix | void} [head] Before the heads are mixed.
 * @property {(x: Matrix, layer: number) => Matrix | void} [stream] The tokens after each layer; -1 is before the first.
 */

/**
 * @typedef {object} KeyValues The keys and values of the tokens so far, for each head.
 * @property {number} length
 * @property {Matrix[]} keys
 * @property {Matrix[]} values
 */

/**
 * @typedef {object} HeadsTrace What the heads of one attention did.
 * @property {Matrix} output After the heads are mixed.
 * @property {Matrix[]} weights
 * @property {Matrix[]} scores
 * @property {Matrix[]} heads What each head gave.
 * @property {Matrix[]} queries
 * @property {Matrix[]} keys
 * @property {Matrix[]} values
 */

/**
 * @typedef {object} HeadsOptions
 * @property {number} heads How many.
 * @property {number} [layer]
 * @property {"self" | "cross"} [kind]
 * @property {Matrix} [memory] Where the keys and values come from; the tokens themselves if left out.
 * @property {Mask} [mask]
 * @property {Matrix[]} [bias] For each head.
 * @property {ArrayLike<number>} [rotateAt] Rotary positions of the queries.
 * @property {KeyValues} [cache]
 * @property {Edits} [edits]
 */

SoftLookup.heads = (() => {
  "use strict";
  const { matrix, sliceColumns, beside } = SoftLookup.arrays;
  const { attend } = SoftLookup.attention;
  const { linear } = SoftLookup.layers;
  const { rotate } = SoftLookup.positions;

  /** The columns of each head. @param {Matrix} x @param {number} heads @returns {Matrix[]} */
  function split(x, heads) {
    const width = x.columns / heads;
    return Array.from({ length: heads }, (_, h) => sliceColumns(x, h * width, (h + 1) * width));
  }

  /**
   * @param {Matrix} x the tokens that ask
   * @param {Bundle} parts the projections: query_projection, key_projection, and so on
   * @param {HeadsOptions} options
   * @returns {HeadsTrace}
   */
  function multiHead(x, parts, options) {
    const { heads, memory, rotateAt, cache, edits, layer = 0, kind = "self" } = options;
    const source = memory ?? x;
    const project = (/** @type {string} */ name, /** @type {Matrix} */ from) =>
      split(linear(from, parts.linear(`${name}_projection`)), heads);
    const turn = (/** @type {Matrix} */ each) => (rotateAt ? rotate(each, rotateAt) : each);
    const queries = project("query", x).map(turn);
    let keys = project("key", source).map(turn);
    let values = project("value", source);
    if (cache) ({ keys, values } = append(cache, keys, values));
    const each = queries.map((query, head) => {
      const place = { layer, head, kind };
      const found = attend(query, keys[head], values[head], {
        mask: options.mask,
        bias: options.bias?.[head],
        edit: (weights) => edits?.weights?.(weights, place),
      });
      return { ...found, output: edits?.head?.(found.output, place) ?? found.output };
    });
    const given = each.map(({ output }) => output);
    return {
      output: linear(beside(given), parts.linear("output_projection")),
      weights: each.map(({ weights }) => weights),
      scores: each.map(({ scores }) => scores),
      heads: given,
      queries,
      keys,
      values,
    };
  }

  /** An empty cache. @returns {KeyValues} */
  function makeCache() {
    return { length: 0, keys: [], values: [] };
  }

  /** Append new keys and values, and give all of them. @param {KeyValues} cache @param {Matrix[]} keys @param {Matrix[]} values */
  function append(cache, keys, values) {
    const length = cache.length + keys[0].rows;
    const joined = (/** @type {Matrix | undefined} */ old, /** @type {Matrix} */ fresh) => {
      const size = length * fresh.columns;
      // Room grows by doubling: the buffer is shared by views of its beginning.
      let buffer = old ? new Float32Array(old.data.buffer) : new Float32Array(0);
      if (buffer.length < size) {
        const larger = new Float32Array(2 * size);
        larger.set(old?.data ?? []);
        buffer = larger;
      }
      buffer.set(fresh.data, size - fresh.data.length);
      return matrix(length, fresh.columns, buffer.subarray(0, size));
    };
    cache.keys = keys.map((key, h) => joined(cache.keys[h], key));
    cache.values = values.map((value, h) => joined(cache.values[h], value));
    cache.length = length;
    return { keys: cache.keys, values: cache.values };
  }

  /** Forget all but the first tokens. @param {KeyValues} cache @param {number} length */
  function rewind(cache, length) {
    const first = (/** @type {Matrix} */ held) =>
      matrix(length, held.columns, held.data.subarray(0, length * held.columns));
    cache.keys = cache.keys.map(first);
    cache.values = cache.values.map(first);
    cache.length = length;
  }

  return { split, multiHead, makeCache, rewind };
})();
