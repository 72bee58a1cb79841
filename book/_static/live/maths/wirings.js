// Blocks wired by hand: the two parts of each, with or without the skip, and with a norm in front,
// behind or nowhere; and the measure of how unlike the tokens are. The chapter on residuals and norms
// derives both.

var SoftLookup = SoftLookup || {};

/**
 * @typedef {object} Wiring How the parts of each block are joined.
 * @property {"none" | "pre" | "post"} norm where it stands
 * @property {boolean} skip whether each part's input is added to what it gives
 * @property {"both" | "attention" | "feed_forward"} parts which of the two a block has
 */

SoftLookup.wirings = (() => {
  "use strict";
  const { add, row } = SoftLookup.arrays;
  const { layerNorm, feedForward, relu } = SoftLookup.layers;
  const { multiHead } = SoftLookup.heads;

  /**
   * The tokens before the first block, and after each.
   * @param {Matrix} x @param {Bundle} parts blocks.0., blocks.1., … @param {number} layers
   * @param {number} heads @param {Wiring} wiring @returns {Matrix[]}
   */
  function run(x, parts, layers, heads, { norm, skip, parts: wanted }) {
    const after = [x];
    for (let layer = 0; layer < layers; layer++) {
      const block = parts.part(`blocks.${layer}.`);
      const around = (/** @type {string} */ name, /** @type {(x: Matrix) => Matrix} */ part) => {
        const normed = (/** @type {Matrix} */ each) => layerNorm(each, block.norm(name));
        const given = part(norm === "pre" ? normed(x) : x);
        const joined = skip ? add(x, given) : given;
        x = norm === "post" ? normed(joined) : joined;
      };
      if (wanted !== "feed_forward") {
        const attention = block.part("self_attention.");
        around("norm_1", (each) => multiHead(each, attention, { heads }).output);
      }
      if (wanted !== "attention") {
        const inner = block.linear("feed_forward.inner_projection");
        const output = block.linear("feed_forward.output_projection");
        around("norm_2", (each) => feedForward(each, inner, output, relu).output);
      }
      after.push(x);
    }
    return after;
  }

  /** What tells the tokens apart, as a share of the whole: 0 if they are all the same. @param {Matrix} x */
  function distinctness(x) {
    const mean = new Float64Array(x.columns);
    for (let i = 0; i < x.rows; i++) {
      row(x, i).forEach((value, j) => {
        mean[j] += value / x.rows;
      });
    }
    let apart = 0;
    let whole = 0;
    x.data.forEach((value, at) => {
      apart += (value - mean[at % x.columns]) ** 2;
      whole += value ** 2;
    });
    return Math.sqrt(apart / whole);
  }

  return { run, distinctness };
})();
