// How a model that sees a set is told the order: sinusoids, which are added; rotary positions,
// which turn queries and keys; ALiBi, which lowers the score of what is far. The chapter on
// positions derives each. Positions may be any numbers, so that a figure can move tokens.

var SoftLookup = SoftLookup || {};

SoftLookup.positions = (() => {
  "use strict";
  const { matrix, beside, below, sliceRows } = SoftLookup.arrays;

  /** Positions start, start + 1, … @param {number} length @param {number} [start] */
  function range(length, start = 0) {
    return Array.from({ length }, (_, i) => start + i);
  }

  /** Sine and cosine of each clock, a row for each position. @param {ArrayLike<number>} at @param {number} width @param {number} [base] */
  function sinusoidal(at, width, base = 10000) {
    const made = matrix(at.length, width);
    for (let i = 0; i < at.length; i++) {
      for (let j = 0; j < width; j += 2) {
        const angle = at[i] * base ** (-j / width);
        made.data[i * width + j] = Math.sin(angle);
        made.data[i * width + j + 1] = Math.cos(angle);
      }
    }
    return made;
  }

  /** Patches in reading order: half of the width tells the row, half the column. @param {number} rows @param {number} columns @param {number} width */
  function sinusoidalGrid(rows, columns, width) {
    const down = sinusoidal(range(rows), width / 2);
    const across = sinusoidal(range(columns), width / 2);
    const places = range(rows * columns);
    const pick = (/** @type {Matrix} */ table, /** @type {number} */ i) =>
      sliceRows(table, i, i + 1);
    return beside([
      below(places.map((i) => pick(down, Math.floor(i / columns)))),
      below(places.map((i) => pick(across, i % columns))),
    ]);
  }

  /** Turn each pair of columns by an angle that grows with the position. @param {Matrix} x @param {ArrayLike<number>} at @param {number} [base] */
  function rotate(x, at, base = 10000) {
    const made = matrix(x.rows, x.columns);
    for (let j = 0; j < x.columns; j += 2) {
      const frequency = base ** (-j / x.columns);
      for (let i = 0; i < x.rows; i++) {
        const cosine = Math.cos(at[i] * frequency);
        const sine = Math.sin(at[i] * frequency);
        const k = i * x.columns + j;
        made.data[k] = x.data[k] * cosine - x.data[k + 1] * sine;
        made.data[k + 1] = x.data[k] * sine + x.data[k + 1] * cosine;
      }
    }
    return made;
  }

  /** How steeply each head's score falls with distance. @param {number} heads */
  function alibiSlopes(heads) {
    const power = 2 ** Math.floor(Math.log2(heads));
    const slopes = range(power, 1).map((i) => 2 ** ((-8 * i) / power));
    const between = range(power).map((i) => 2 ** ((-4 * (2 * i + 1)) / power));
    return [...slopes, ...between].slice(0, heads);
  }

  /** What is added to the scores, a matrix for each head. @param {number} heads @param {ArrayLike<number>} queries @param {ArrayLike<number>} keys @returns {Matrix[]} */
  function alibiBias(heads, queries, keys) {
    return alibiSlopes(heads).map((slope) => {
      const made = matrix(queries.length, keys.length);
      for (let i = 0; i < queries.length; i++) {
        for (let j = 0; j < keys.length; j++) {
          made.data[i * keys.length + j] = -slope * Math.abs(queries[i] - keys[j]);
        }
      }
      return made;
    });
  }

  return { range, sinusoidal, sinusoidalGrid, rotate, alibiSlopes, alibiBias };
})();
