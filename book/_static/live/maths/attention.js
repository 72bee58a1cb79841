// Attention: softmax, masks, the lookup itself and what is asked of its weights. The chapter on
// attention derives it. A mask is true where a query may look, as in the library; a query that may
// look nowhere gets zeros.

var SoftLookup = SoftLookup || {};

/**
 * @typedef {object} Mask Who may look at whom: 1 where a query (row) may look at a key (column).
 * @property {Uint8Array} data
 * @property {number} rows
 * @property {number} columns
 */

/**
 * @typedef {object} Attended What a lookup gives.
 * @property {Matrix} output The average of the values, a row for each query.
 * @property {Matrix} weights A row for each query, a column for each key.
 * @property {Matrix} scores What softmax was taken of; before the mask.
 */

SoftLookup.attention = (() => {
  "use strict";
  const { matrix, row, dot } = SoftLookup.arrays;
  const { multiply, multiplyTransposed } = SoftLookup.products;

  /**
   * Weights from scores: positive, with the sum one.
   * @param {ArrayLike<number>} scores @param {number} [temperature] @returns {Float64Array}
   */
  function softmax(scores, temperature = 1) {
    let most = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < scores.length; i++) most = Math.max(most, scores[i]);
    const made = new Float64Array(scores.length);
    if (most === Number.NEGATIVE_INFINITY) return made;
    let sum = 0;
    for (let i = 0; i < scores.length; i++) {
      made[i] = Math.exp((scores[i] - most) / temperature);
      sum += made[i];
    }
    return made.map((value) => value / sum);
  }

  /** Softmax of each row over what the mask allows. @param {Matrix} scores @param {Mask} [mask] @returns {Matrix} */
  function softmaxRows(scores, mask) {
    if (mask && (mask.rows !== scores.rows || mask.columns !== scores.columns)) {
      throw new RangeError(
        `a mask of ${mask.rows} × ${mask.columns} for scores of ${scores.rows} × ${scores.columns}`,
      );
    }
    const made = matrix(scores.rows, scores.columns);
    const { columns } = scores;
    for (let i = 0; i < scores.rows; i++) {
      const start = i * columns;
      let most = Number.NEGATIVE_INFINITY;
      for (let j = start; j < start + columns; j++) {
        if (!mask || mask.data[j]) most = Math.max(most, scores.data[j]);
      }
      if (most === Number.NEGATIVE_INFINITY) continue;
      let sum = 0;
      for (let j = start; j < start + columns; j++) {
        if (mask && !mask.data[j]) continue;
        const value = Math.exp(scores.data[j] - most);
        made.data[j] = value;
        sum += value;
      }
      for (let j = start; j < start + columns; j++) made.data[j] /= sum;
    }
    return made;
  }

  /**
   * Average the values, weighted by how well each key answers the query.
   * @param {Matrix} query @param {Matrix} key @param {Matrix} value
   * @param {object} [options]
   * @param {Mask} [options.mask] where a query may look
   * @param {Matrix} [options.bias] added to the scaled scores
   * @param {number} [options.scale] what scores are multiplied by; 1/√d where it is left out
   * @param {(weights: Matrix) => Matrix | void} [options.edit] may put other weights in their place
   * @returns {Attended}
   */
  function attend(query, key, value, options = {}) {
    const scale = options.scale ?? 1 / Math.sqrt(query.columns);
    const scores = multiplyTransposed(query, key);
    for (let i = 0; i < scores.data.length; i++) {
      scores.data[i] = scores.data[i] * scale + (options.bias ? options.bias.data[i] : 0);
    }
    let weights = softmaxRows(scores, options.mask);
    weights = options.edit?.(weights) ?? weights;
    return { output: multiply(weights, value), weights, scores };
  }

  /** A mask from a rule. @param {number} rows @param {number} columns @param {(query: number, key: number) => boolean} allowed @returns {Mask} */
  function maskOf(rows, columns, allowed) {
    const data = new Uint8Array(rows * columns);
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < columns; j++) data[i * columns + j] = allowed(i, j) ? 1 : 0;
    }
    return { data, rows, columns };
  }

  /** Nobody looks ahead; the queries are the last of the keys. @param {number} queries @param {number} [keys] @returns {Mask} */
  function causal(queries, keys = queries) {
    return maskOf(queries, keys, (i, j) => j <= i + keys - queries);
  }

  /** Where both masks allow. @param {Mask} first @param {Mask} second @returns {Mask} */
  function both(first, second) {
    const data = first.data.map((value, i) => value & second.data[i]);
    return { data, rows: first.rows, columns: first.columns };
  }

  /** How undecided weights are, in nats. @param {ArrayLike<number>} weights */
  function entropy(weights) {
    let sum = 0;
    for (let i = 0; i < weights.length; i++) {
      if (weights[i] > 0) sum -= weights[i] * Math.log(weights[i]);
    }
    return sum;
  }

  /**
   * One soft lookup of numbers, with all that the chapter on attention asks of it.
   * @param {ArrayLike<number>} query @param {Matrix} keys @param {ArrayLike<number>} values
   * @param {number} temperature
   */
  function lookUp(query, keys, values, temperature) {
    const scores = Float64Array.from({ length: keys.rows }, (_, j) => dot(row(keys, j), query));
    const weights = softmax(scores, temperature);
    const answer = dot(weights, values);
    // The gradient of the answer with respect to the query.
    const slope = new Float64Array(keys.columns);
    weights.forEach((weight, j) => {
      const share = (weight * (values[j] - answer)) / temperature;
      row(keys, j).forEach((entry, k) => {
        slope[k] += share * entry;
      });
    });
    const best = SoftLookup.arrays.argmax(scores);
    const second = scores.reduce(
      (most, score, j) => (j === best ? most : Math.max(most, score)),
      Number.NEGATIVE_INFINITY,
    );
    const gap = scores[best] - second;
    return {
      scores,
      weights,
      answer,
      best,
      gap,
      notBest: weights.reduce((sum, weight, j) => (j === best ? sum : sum + weight), 0),
      bound: (keys.rows - 1) * Math.exp(-gap / temperature),
      sensitivity: SoftLookup.arrays.norm(slope),
    };
  }

  return { softmax, softmaxRows, attend, maskOf, causal, both, entropy, lookUp };
})();
