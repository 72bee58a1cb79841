// Whole models that read one sequence: the GPT, the model of attention alone, the Vision
// Transformer. Each is made from a bundle of weights, with the library's names and configuration,
// and a run returns everything: each head's weights and output, the stream, the logits.

var SoftLookup = SoftLookup || {};

/**
 * @typedef {object} RunOptions
 * @property {Edits} [edits] What is exchanged on the way.
 * @property {KeyValues[]} [caches] From makeCaches: the ids are then only the new ones.
 * @property {Mask} [mask] In place of the causal mask; a row for each query.
 * @property {ArrayLike<number>} [at] Where the tokens stand, in place of 0, 1, 2, …
 */

SoftLookup.models = (() => {
  "use strict";
  const { add, below, matrix } = SoftLookup.arrays;
  const { multiplyTransposed } = SoftLookup.products;
  const { causal } = SoftLookup.attention;
  const { embed, layerNorm, linear } = SoftLookup.layers;
  const { range, sinusoidal, sinusoidalGrid, alibiBias } = SoftLookup.positions;
  const { multiHead, makeCache } = SoftLookup.heads;
  const { stack } = SoftLookup.blocks;

  /**
   * What each kind of positions does to a sequence: adds, turns or lowers.
   * @param {Bundle} bundle with positions.table where positions are learned
   * @param {string} kind @param {Matrix} x @param {ArrayLike<number>} at
   * @param {number} heads @param {ArrayLike<number>} [keysAt]
   * @returns {{x: Matrix, rotateAt?: ArrayLike<number>, bias?: Matrix[]}}
   */
  function placed(bundle, kind, x, at, heads, keysAt = at) {
    switch (kind) {
      case "learned":
        return { x: add(x, embed(bundle.matrix("table"), at)) };
      case "sinusoidal":
        return { x: add(x, sinusoidal(at, x.columns)) };
      case "rotary":
        return { x, rotateAt: at };
      case "alibi":
        return { x, bias: alibiBias(heads, at, keysAt) };
      default:
        return { x };
    }
  }

  /** A GPT. Its config is the library's GPTConfig. @param {Bundle} bundle */
  function gpt(bundle) {
    const { n_heads, n_layers, d_model, max_length, positions = "learned" } = bundle.config;
    const table = bundle.matrix("embedding.table");
    // GPT's embeddings are drawn with a spread of 0.02, and grow beside sinusoids.
    const scale = positions === "sinusoidal" ? 50 : 1;
    const config = {
      n_heads,
      norm: /** @type {const} */ ("pre"),
      activation: /** @type {const} */ ("gelu_tanh"),
    };

    /**
     * Score every next token.
     * @param {ArrayLike<number>} ids @param {RunOptions} [options]
     */
    function run(ids, { edits, caches, mask, at } = {}) {
      const before = caches?.[0].length ?? 0;
      if (ids.length === 0 || before + ids.length > max_length) {
        throw new RangeError(`${before + ids.length} tokens; expected 1 to ${max_length}`);
      }
      const where = at ?? range(ids.length, before);
      const keysAt = [...range(before), ...Array.from(where)];
      const embedded = embed(table, ids, scale);
      const start = placed(bundle.part("positions."), positions, embedded, where, n_heads, keysAt);
      const { output, layers } = stack(start.x, bundle.part("stack."), n_layers, config, {
        mask: mask ?? causal(ids.length, before + ids.length),
        bias: start.bias,
        rotateAt: start.rotateAt,
        caches,
        edits,
      });
      return { logits: multiplyTransposed(output, table), output, layers, embedded: start.x };
    }

    const makeCaches = () => Array.from({ length: n_layers }, makeCache);
    return { config: bundle.config, d_head: d_model / n_heads, table, run, makeCaches };
  }

  /** The model of attention alone, from the chapter on looking inside. @param {Bundle} bundle */
  function attentionOnly(bundle) {
    const { n_heads, n_layers } = bundle.config;

    /** @param {ArrayLike<number>} ids @param {RunOptions} [options] */
    function run(ids, { edits, mask, at } = {}) {
      const where = at ?? range(ids.length);
      let x = embed(bundle.matrix("embedding.table"), ids);
      x = add(x, embed(bundle.matrix("positions.table"), where));
      const embedded = x;
      x = edits?.stream?.(x, -1) ?? x;
      const layers = [];
      for (let layer = 0; layer < n_layers; layer++) {
        const normed = layerNorm(x, bundle.norm(`norms.${layer}`));
        const attention = multiHead(normed, bundle.part(`layers.${layer}.`), {
          heads: n_heads,
          layer,
          mask: mask ?? causal(ids.length),
          edits,
        });
        x = add(x, attention.output);
        x = edits?.stream?.(x, layer) ?? x;
        layers.push({ attention, x });
      }
      const output = layerNorm(x, bundle.norm("final_norm"));
      return { logits: linear(output, bundle.linear("scores")), output, layers, embedded };
    }

    return { config: bundle.config, run };
  }

  /** The Vision Transformer. Its config is the library's ViTConfig. @param {Bundle} bundle */
  function vit(bundle) {
    const { patch_size: size, d_model, n_heads, n_layers, n_channels: channels } = bundle.config;
    const { pooling = "class", positions = "learned", epsilon = 1e-6 } = bundle.config;
    const block = {
      n_heads,
      epsilon,
      norm: /** @type {const} */ ("pre"),
      activation: /** @type {const} */ ("gelu"),
    };

    /** Cut an image, channel after channel, into patches in reading order. @param {ArrayLike<number>} image @param {number} height @param {number} width */
    function patches(image, height, width) {
      const down = height / size;
      const across = width / size;
      const made = matrix(down * across, channels * size * size);
      let to = 0;
      for (let p = 0; p < down * across; p++) {
        const top = Math.floor(p / across) * size;
        const left = (p % across) * size;
        for (let c = 0; c < channels; c++) {
          for (let i = 0; i < size; i++) {
            for (let j = 0; j < size; j++) {
              made.data[to++] = image[(c * height + top + i) * width + left + j];
            }
          }
        }
      }
      return made;
    }

    /**
     * Score every class.
     * @param {ArrayLike<number>} image @param {number} height @param {number} width
     * @param {{edits?: Edits, mask?: Mask}} [options]
     */
    function run(image, height, width, options = {}) {
      let x = linear(patches(image, height, width), bundle.linear("embedding.projection"));
      const hasClass = pooling === "class";
      if (hasClass) x = below([matrix(1, d_model, bundle.vector("class_token")), x]);
      if (positions === "learned") x = add(x, bundle.matrix("positions.table"));
      if (positions === "sinusoidal") {
        const grid = sinusoidalGrid(height / size, width / size, d_model);
        x = add(x, hasClass ? below([matrix(1, d_model), grid]) : grid);
      }
      const { output, layers } = stack(x, bundle.part("stack."), n_layers, block, options);
      const pooled = matrix(1, d_model);
      const first = hasClass ? 1 : output.rows;
      for (let i = 0; i < first; i++) {
        for (let j = 0; j < d_model; j++) pooled.data[j] += output.data[i * d_model + j] / first;
      }
      return { logits: linear(pooled, bundle.linear("head")), output, layers, embedded: x };
    }

    return { config: bundle.config, patches, run };
  }

  return { gpt, attentionOnly, vit, placed };
})();
