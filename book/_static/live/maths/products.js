// Products of matrices: nearly all the time that a model takes is spent here. Sums are kept in
// double precision.

var SoftLookup = SoftLookup || {};

SoftLookup.products = (() => {
  "use strict";
  const { matrix } = SoftLookup.arrays;

  /** The product a b. @param {Matrix} a @param {Matrix} b @returns {Matrix} */
  function multiply(a, b) {
    if (a.columns !== b.rows) throw new RangeError(`${a.columns} columns times ${b.rows} rows`);
    const made = matrix(a.rows, b.columns);
    const sums = new Float64Array(b.columns);
    for (let i = 0; i < a.rows; i++) {
      sums.fill(0);
      for (let k = 0; k < a.columns; k++) {
        const factor = a.data[i * a.columns + k];
        if (factor === 0) continue;
        const start = k * b.columns;
        for (let j = 0; j < b.columns; j++) sums[j] += factor * b.data[start + j];
      }
      made.data.set(sums, i * b.columns);
    }
    return made;
  }

  /**
   * The product a bᵀ: every row of a with every row of b. Four rows of the one meet two of the other
   * at a time, so that each number that is read serves several products.
   * @param {Matrix} a @param {Matrix} b @returns {Matrix}
   */
  function multiplyTransposed(a, b) {
    if (a.columns !== b.columns) throw new RangeError(`rows of ${a.columns} and ${b.columns}`);
    const made = matrix(a.rows, b.rows);
    const alone = a.rows % 4;
    const odd = b.rows % 2;
    for (let i = 0; i < alone; i++) oneRow(a, b, made, i, 0);
    for (let i = alone; i < a.rows; i++) if (odd) oneRow(a, b, made, i, b.rows - 1);
    for (let i = alone; i < a.rows; i += 4) fourRows(a, b, made, i, b.rows - odd);
    return made;
  }

  /** One row with each of the others from a first. @param {Matrix} a @param {Matrix} b @param {Matrix} made @param {number} i @param {number} first */
  function oneRow(a, b, made, i, first) {
    const n = a.columns;
    const x = a.data;
    const w = b.data;
    const at = i * n;
    let j = first;
    for (; j + 4 <= b.rows; j += 4) {
      const b0 = j * n;
      const b1 = b0 + n;
      const b2 = b1 + n;
      const b3 = b2 + n;
      let s0 = 0;
      let s1 = 0;
      let s2 = 0;
      let s3 = 0;
      for (let k = 0; k < n; k++) {
        const value = x[at + k];
        s0 += value * w[b0 + k];
        s1 += value * w[b1 + k];
        s2 += value * w[b2 + k];
        s3 += value * w[b3 + k];
      }
      const to = i * b.rows + j;
      made.data[to] = s0;
      made.data[to + 1] = s1;
      made.data[to + 2] = s2;
      made.data[to + 3] = s3;
    }
    for (; j < b.rows; j++) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += x[at + k] * w[j * n + k];
      made.data[i * b.rows + j] = sum;
    }
  }

  /** Four rows with an even number of the others. @param {Matrix} a @param {Matrix} b @param {Matrix} made @param {number} i @param {number} count */
  function fourRows(a, b, made, i, count) {
    const n = a.columns;
    const x = a.data;
    const w = b.data;
    const y = made.data;
    const a0 = i * n;
    const a1 = a0 + n;
    const a2 = a1 + n;
    const a3 = a2 + n;
    for (let j = 0; j < count; j += 2) {
      const b0 = j * n;
      const b1 = b0 + n;
      let s0 = 0;
      let s1 = 0;
      let s2 = 0;
      let s3 = 0;
      let t0 = 0;
      let t1 = 0;
      let t2 = 0;
      let t3 = 0;
      for (let k = 0; k < n; k++) {
        const first = w[b0 + k];
        const second = w[b1 + k];
        const x0 = x[a0 + k];
        const x1 = x[a1 + k];
        const x2 = x[a2 + k];
        const x3 = x[a3 + k];
        s0 += x0 * first;
        s1 += x1 * first;
        s2 += x2 * first;
        s3 += x3 * first;
        t0 += x0 * second;
        t1 += x1 * second;
        t2 += x2 * second;
        t3 += x3 * second;
      }
      const to = i * b.rows + j;
      y[to] = s0;
      y[to + 1] = t0;
      y[to + b.rows] = s1;
      y[to + b.rows + 1] = t1;
      y[to + 2 * b.rows] = s2;
      y[to + 2 * b.rows + 1] = t2;
      y[to + 3 * b.rows] = s3;
      y[to + 3 * b.rows + 1] = t3;
    }
  }

  return { multiply, multiplyTransposed };
})();
