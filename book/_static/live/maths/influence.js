// Who moves whom: how far each input token moves each output token, measured from outside, by small
// changes of the input. It knows nothing of masks, so it sees what a mask lets through.

var SoftLookup = SoftLookup || {};

SoftLookup.influence = (() => {
  "use strict";
  const { matrix, copy, add } = SoftLookup.arrays;
  const { multiply, multiplyTransposed } = SoftLookup.products;
  const { attend, softmaxRows } = SoftLookup.attention;
  const STEP = 1 / 16;

  /**
   * The norm of the derivative of each output token by each input token: (outputs, inputs).
   * Central differences at a step and at half of it are combined, so that what remains of the
   * error is of the fourth order (Richardson). What is not moved at all is exactly zero.
   * @param {(x: Matrix) => Matrix} run
   * @param {Matrix} x
   * @returns {Matrix}
   */
  function influence(run, x) {
    const outputs = run(x);
    const squares = new Float64Array(outputs.rows * x.rows);
    for (let at = 0; at < x.data.length; at++) {
      const slope = halved(run, x, at);
      const input = Math.floor(at / x.columns);
      slope.forEach((each, place) => {
        const output = Math.floor(place / outputs.columns);
        squares[output * x.rows + input] += each * each;
      });
    }
    return matrix(outputs.rows, x.rows, Float32Array.from(squares, Math.sqrt));
  }

  /** The derivative by one number of the input. @param {(x: Matrix) => Matrix} run @param {Matrix} x @param {number} at */
  function halved(run, x, at) {
    const wide = central(run, x, at, STEP);
    const narrow = central(run, x, at, STEP / 2);
    return narrow.map((each, place) => (4 * each - wide[place]) / 3);
  }

  /** @param {(x: Matrix) => Matrix} run @param {Matrix} x @param {number} at @param {number} step @returns {number[]} */
  function central(run, x, at, step) {
    const ahead = copy(x);
    const behind = copy(x);
    ahead.data[at] += step;
    behind.data[at] -= step;
    const above = run(ahead).data;
    const below = run(behind).data;
    return Array.from(above, (value, place) => (value - below[place]) / (2 * step));
  }

  /**
   * Layers of attention that add what they find, all with the same projections and the same mask.
   * @param {Matrix} x
   * @param {{query: Matrix, key: Matrix, value: Matrix}} projections
   * @param {Mask} mask
   * @param {{layers: number, late: boolean}} options late: the mask is multiplied onto the weights
   *   after the softmax, a common mistake.
   * @returns {Matrix}
   */
  function layersOfAttention(x, { query, key, value }, mask, { layers, late }) {
    let stream = x;
    for (let layer = 0; layer < layers; layer++) {
      const asked = multiply(stream, query);
      const keys = multiply(stream, key);
      const values = multiply(stream, value);
      const found = late
        ? multiply(maskedTooLate(asked, keys, mask), values)
        : attend(asked, keys, values, { mask }).output;
      stream = add(stream, found);
    }
    return stream;
  }

  /** @param {Matrix} query @param {Matrix} key @param {Mask} mask @returns {Matrix} */
  function maskedTooLate(query, key, mask) {
    const scores = multiplyTransposed(query, key);
    const scaled = scores.data.map((score) => score / Math.sqrt(query.columns));
    const weights = softmaxRows(matrix(scores.rows, scores.columns, scaled));
    return matrix(
      weights.rows,
      weights.columns,
      weights.data.map((weight, at) => weight * mask.data[at]),
    );
  }

  return { influence, layersOfAttention };
})();
