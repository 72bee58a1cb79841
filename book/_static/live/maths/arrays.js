// Matrices of single-precision numbers, as PyTorch holds them: a row for each token, and what the
// other files do with them. Sums are kept in double precision. Nothing here changes its arguments.

var SoftLookup = SoftLookup || {};

/**
 * @typedef {object} Matrix A table of numbers, row after row.
 * @property {Float32Array} data
 * @property {number} rows
 * @property {number} columns
 */

SoftLookup.arrays = (() => {
  "use strict";

  /** A matrix of zeros, or of the numbers given. @param {number} rows @param {number} columns @param {Float32Array} [data] @returns {Matrix} */
  function matrix(rows, columns, data) {
    const held = data ?? new Float32Array(rows * columns);
    if (held.length !== rows * columns) {
      throw new RangeError(`${held.length} numbers for ${rows} × ${columns}`);
    }
    return { data: held, rows, columns };
  }

  /** A matrix from rows of numbers. @param {ArrayLike<number>[]} rows @returns {Matrix} */
  function fromRows(rows) {
    const made = matrix(rows.length, rows[0]?.length ?? 0);
    rows.forEach((row, i) => {
      if (row.length !== made.columns) {
        throw new RangeError(`row ${i} has ${row.length} numbers; expected ${made.columns}`);
      }
      made.data.set(row, i * made.columns);
    });
    return made;
  }

  /** The rows as ordinary arrays. @param {Matrix} m @returns {number[][]} */
  function toRows(m) {
    return Array.from({ length: m.rows }, (_, i) => Array.from(row(m, i)));
  }

  /** One row: a view, not a copy. @param {Matrix} m @param {number} i */
  function row(m, i) {
    return m.data.subarray(i * m.columns, (i + 1) * m.columns);
  }

  /** @param {Matrix} m @returns {Matrix} */
  function copy(m) {
    return matrix(m.rows, m.columns, m.data.slice());
  }

  /** @param {Matrix} m @returns {Matrix} */
  function transpose(m) {
    const made = matrix(m.columns, m.rows);
    for (let i = 0; i < m.rows; i++) {
      for (let j = 0; j < m.columns; j++) made.data[j * m.rows + i] = m.data[i * m.columns + j];
    }
    return made;
  }

  /** @param {Matrix} a @param {Matrix} b @returns {Matrix} */
  function add(a, b) {
    if (a.rows !== b.rows || a.columns !== b.columns) {
      throw new RangeError(`${a.rows} × ${a.columns} and ${b.rows} × ${b.columns}`);
    }
    return matrix(
      a.rows,
      a.columns,
      a.data.map((value, i) => value + b.data[i]),
    );
  }

  /** A function of each number. @param {Matrix} m @param {(value: number) => number} change @returns {Matrix} */
  function map(m, change) {
    const made = matrix(m.rows, m.columns);
    for (let i = 0; i < m.data.length; i++) made.data[i] = change(m.data[i]);
    return made;
  }

  /** Columns from start to before end. @param {Matrix} m @param {number} start @param {number} end @returns {Matrix} */
  function sliceColumns(m, start, end) {
    const made = matrix(m.rows, end - start);
    for (let i = 0; i < m.rows; i++)
      made.data.set(row(m, i).subarray(start, end), i * made.columns);
    return made;
  }

  /** Rows from start to before end. @param {Matrix} m @param {number} start @param {number} end @returns {Matrix} */
  function sliceRows(m, start, end) {
    return matrix(end - start, m.columns, m.data.slice(start * m.columns, end * m.columns));
  }

  /** Matrices below one another. @param {Matrix[]} parts @returns {Matrix} */
  function below(parts) {
    const columns = parts[0].columns;
    const made = matrix(
      parts.reduce((sum, each) => sum + each.rows, 0),
      columns,
    );
    let at = 0;
    for (const each of parts) {
      if (each.columns !== columns)
        throw new RangeError(`${each.columns} below ${columns} columns`);
      made.data.set(each.data, at);
      at += each.data.length;
    }
    return made;
  }

  /** Matrices beside one another. @param {Matrix[]} parts @returns {Matrix} */
  function beside(parts) {
    const rows = parts[0].rows;
    const made = matrix(
      rows,
      parts.reduce((sum, each) => sum + each.columns, 0),
    );
    let column = 0;
    for (const each of parts) {
      if (each.rows !== rows) throw new RangeError(`${each.rows} beside ${rows} rows`);
      for (let i = 0; i < rows; i++) made.data.set(row(each, i), i * made.columns + column);
      column += each.columns;
    }
    return made;
  }

  /** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
  function dot(a, b) {
    let sum = 0;
    for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
    return sum;
  }

  /** The length of a vector. @param {ArrayLike<number>} vector */
  function norm(vector) {
    return Math.sqrt(dot(vector, vector));
  }

  /** The place of the largest number; the first of them. @param {ArrayLike<number>} vector */
  function argmax(vector) {
    let best = 0;
    for (let i = 1; i < vector.length; i++) if (vector[i] > vector[best]) best = i;
    return best;
  }

  return {
    matrix,
    fromRows,
    toRows,
    row,
    copy,
    transpose,
    add,
    map,
    sliceColumns,
    sliceRows,
    below,
    beside,
    dot,
    norm,
    argmax,
  };
})();
