// Blocks and stacks of blocks: attention and a feed-forward network, each with its residual and its
// norm in front (pre) or behind (post). A decoder block looks into a memory as well. The chapter on
// residuals and norms derives them. Parts have the names of the library's modules.

var SoftLookup = SoftLookup || {};

/**
 * @typedef {object} BlockConfig
 * @property {number} n_heads
 * @property {"pre" | "post"} [norm]
 * @property {boolean} [residual]
 * @property {"relu" | "gelu" | "gelu_tanh"} [activation]
 * @property {number} [epsilon]
 */

/**
 * @typedef {object} BlockOptions What a run may see, keep and change.
 * @property {Mask} [mask]
 * @property {Matrix[]} [bias]
 * @property {ArrayLike<number>} [rotateAt]
 * @property {KeyValues[]} [caches] One a block.
 * @property {Edits} [edits]
 * @property {Matrix} [memory] For decoder blocks.
 * @property {Mask} [memoryMask]
 */

/**
 * @typedef {object} BlockTrace
 * @property {HeadsTrace} attention
 * @property {HeadsTrace} [cross]
 * @property {Matrix} units What the units of the feed-forward network answered.
 * @property {Matrix} x The tokens after the block.
 */

SoftLookup.blocks = (() => {
  "use strict";
  const { add } = SoftLookup.arrays;
  const { layerNorm, feedForward, relu, gelu, geluTanh } = SoftLookup.layers;
  const { multiHead } = SoftLookup.heads;
  const ACTIVATIONS = { relu, gelu, gelu_tanh: geluTanh };

  /**
   * One block; with a memory, a decoder block.
   * @param {Matrix} x @param {Bundle} parts @param {BlockConfig} config
   * @param {BlockOptions} [options] @param {number} [layer] @returns {BlockTrace}
   */
  function block(x, parts, config, options = {}, layer = 0) {
    const { norm = "pre", residual = true, activation = "relu", epsilon, n_heads } = config;
    const { memory, edits } = options;
    let norms = 0;
    // x + f(norm(x)), or norm(x + f(x)).
    const around = (/** @type {Matrix} */ from, /** @type {(x: Matrix) => Matrix} */ part) => {
      norms += 1;
      const weights = parts.norm(`norm_${norms}`);
      if (norm === "pre") {
        const changed = part(layerNorm(from, weights, epsilon));
        return residual ? add(from, changed) : changed;
      }
      const changed = part(from);
      return layerNorm(residual ? add(from, changed) : changed, weights, epsilon);
    };
    /** @type {HeadsTrace | undefined} */
    let attention;
    /** @type {HeadsTrace | undefined} */
    let cross;
    /** @type {Matrix | undefined} */
    let units;
    x = around(x, (normed) => {
      const { mask, bias, rotateAt, caches } = options;
      const shared = { heads: n_heads, layer, edits, mask, bias, rotateAt };
      attention = multiHead(normed, parts.part("self_attention."), {
        ...shared,
        cache: caches?.[layer],
      });
      return attention.output;
    });
    if (memory) {
      x = around(x, (normed) => {
        const into = { heads: n_heads, layer, kind: /** @type {const} */ ("cross"), memory, edits };
        const mask = options.memoryMask;
        cross = multiHead(normed, parts.part("cross_attention."), { ...into, mask });
        return cross.output;
      });
    }
    x = around(x, (normed) => {
      const inner = parts.linear("feed_forward.inner_projection");
      const output = parts.linear("feed_forward.output_projection");
      const answered = feedForward(normed, inner, output, ACTIVATIONS[activation]);
      units = answered.inner;
      return answered.output;
    });
    x = edits?.stream?.(x, layer) ?? x;
    return {
      attention: /** @type {HeadsTrace} */ (attention),
      cross,
      units: /** @type {Matrix} */ (units),
      x,
    };
  }

  /**
   * Blocks on top of each other, and the last norm that pre-norm blocks need.
   * @param {Matrix} x @param {Bundle} parts blocks.0., blocks.1., …, and final_norm
   * @param {number} layers @param {BlockConfig} config @param {BlockOptions} [options]
   * @returns {{output: Matrix, layers: BlockTrace[]}}
   */
  function stack(x, parts, layers, config, options = {}) {
    x = options.edits?.stream?.(x, -1) ?? x;
    /** @type {BlockTrace[]} */
    const traces = [];
    for (let layer = 0; layer < layers; layer++) {
      const trace = block(x, parts.part(`blocks.${layer}.`), config, options, layer);
      traces.push(trace);
      x = trace.x;
    }
    const last = (config.norm ?? "pre") === "pre" && parts.has("final_norm.weight");
    const output = last ? layerNorm(x, parts.norm("final_norm"), config.epsilon) : x;
    return { output, layers: traces };
  }

  return { block, stack };
})();
