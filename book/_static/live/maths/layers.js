// The layers between attentions: linear maps, norms, activations, embeddings, the feed-forward
// network. Weights have PyTorch's layout: a linear layer's matrix has a row for each output.

var SoftLookup = SoftLookup || {};

/**
 * @typedef {object} Linear
 * @property {Matrix} weight A row for each output.
 * @property {Float32Array} [bias]
 */

/**
 * @typedef {object} Norm
 * @property {Float32Array} weight
 * @property {Float32Array} [bias]
 */

SoftLookup.layers = (() => {
  "use strict";
  const { matrix, map, row } = SoftLookup.arrays;
  const { multiplyTransposed } = SoftLookup.products;

  /** x Wᵀ + b. @param {Matrix} x @param {Linear} layer @returns {Matrix} */
  function linear(x, layer) {
    const made = multiplyTransposed(x, layer.weight);
    const { bias } = layer;
    if (bias) {
      for (let i = 0; i < made.rows; i++) {
        const start = i * made.columns;
        for (let j = 0; j < made.columns; j++) made.data[start + j] += bias[j];
      }
    }
    return made;
  }

  /** Each token on its own scale. @param {Matrix} x @param {Norm} norm @param {number} [epsilon] @returns {Matrix} */
  function layerNorm(x, norm, epsilon = 1e-5) {
    const made = matrix(x.rows, x.columns);
    const n = x.columns;
    for (let i = 0; i < x.rows; i++) {
      const token = row(x, i);
      let mean = 0;
      for (let j = 0; j < n; j++) mean += token[j];
      mean /= n;
      let variance = 0;
      for (let j = 0; j < n; j++) variance += (token[j] - mean) ** 2;
      const scale = 1 / Math.sqrt(variance / n + epsilon);
      for (let j = 0; j < n; j++) {
        made.data[i * n + j] = (token[j] - mean) * scale * norm.weight[j] + (norm.bias?.[j] ?? 0);
      }
    }
    return made;
  }

  /** Divide each token by its root mean square. @param {Matrix} x @param {Norm} norm @param {number} [epsilon] @returns {Matrix} */
  function rmsNorm(x, norm, epsilon = 1e-5) {
    const made = matrix(x.rows, x.columns);
    const n = x.columns;
    for (let i = 0; i < x.rows; i++) {
      const token = row(x, i);
      let square = 0;
      for (let j = 0; j < n; j++) square += token[j] ** 2;
      const scale = 1 / Math.sqrt(square / n + epsilon);
      for (let j = 0; j < n; j++) made.data[i * n + j] = token[j] * scale * norm.weight[j];
    }
    return made;
  }

  /** The error function, by its series: every term is positive, so no digits are lost. @param {number} x */
  function erf(x) {
    if (Math.abs(x) > 6) return Math.sign(x);
    let term = x;
    let sum = x;
    for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n++) {
      term *= (2 * x * x) / (2 * n + 1);
      sum += term;
    }
    return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
  }

  /** @param {number} x */
  const relu = (x) => Math.max(x, 0);
  /** x Φ(x), exactly. @param {number} x */
  const gelu = (x) => 0.5 * x * (1 + erf(x / Math.SQRT2));
  /** @param {number} x */
  const sigmoid = (x) => 1 / (1 + Math.exp(-x));
  /** GELU by the tanh formula, as GPT-2 has it; (1 + tanh z) / 2 is the sigmoid of 2 z. @param {number} x */
  const geluTanh = (x) => x * sigmoid(2 * Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x));
  /** @param {number} x */
  const silu = (x) => x * sigmoid(x);

  /** The rows of a table. @param {Matrix} table @param {ArrayLike<number>} ids @param {number} [scale] @returns {Matrix} */
  function embed(table, ids, scale = 1) {
    const made = matrix(ids.length, table.columns);
    for (let i = 0; i < ids.length; i++) {
      if (!(ids[i] >= 0 && ids[i] < table.rows)) {
        throw new RangeError(`token ${ids[i]}; expected 0 to ${table.rows - 1}`);
      }
      const vector = row(table, ids[i]);
      for (let j = 0; j < vector.length; j++) made.data[i * table.columns + j] = vector[j] * scale;
    }
    return made;
  }

  /**
   * Widen each token, apply the activation, project it back.
   * @param {Matrix} x @param {Linear} inner @param {Linear} output @param {(x: number) => number} activation
   * @returns {{output: Matrix, inner: Matrix}} with what the units answered
   */
  function feedForward(x, inner, output, activation) {
    const answered = map(linear(x, inner), activation);
    return { output: linear(answered, output), inner: answered };
  }

  return {
    linear,
    layerNorm,
    rmsNorm,
    erf,
    relu,
    gelu,
    geluTanh,
    sigmoid,
    silu,
    embed,
    feedForward,
  };
})();
