// Interventions: edits for a run of a model. Heads are switched off, patched from another run, made
// to look elsewhere; a mask is painted; the stream of a layer is exchanged. The chapter on looking
// inside says what they prove and what they do not.

var SoftLookup = SoftLookup || {};

SoftLookup.interventions = (() => {
  "use strict";
  const { matrix, copy } = SoftLookup.arrays;

  /** @param {[number, number][]} heads @param {Place} place */
  const among = (heads, place) =>
    place.kind === "self" &&
    heads.some(([layer, head]) => layer === place.layer && head === place.head);

  /** Heads that give zeros. @param {[number, number][]} heads pairs of layer and head @returns {Edits} */
  function off(heads) {
    return {
      head: (output, place) =>
        among(heads, place) ? matrix(output.rows, output.columns) : undefined,
    };
  }

  /**
   * Heads that give what they gave in another run.
   * @param {[number, number][]} heads @param {{attention: HeadsTrace}[]} layers of the other run
   * @returns {Edits}
   */
  function patched(heads, layers) {
    return {
      head: (_, place) =>
        among(heads, place) ? layers[place.layer].attention.heads[place.head] : undefined,
    };
  }

  /** Heads that mix their values by other weights. @param {[number, number][]} heads @param {(weights: Matrix, place: Place) => Matrix} change @returns {Edits} */
  function reweighted(heads, change) {
    return {
      weights: (weights, place) => (among(heads, place) ? change(weights, place) : undefined),
    };
  }

  /**
   * Weights without one entry: what it had falls to the others (renormalised), or is lost.
   * @param {Matrix} weights @param {number} query @param {number} key @param {boolean} [renormalise]
   */
  function without(weights, query, key, renormalise = true) {
    const made = copy(weights);
    const start = query * made.columns;
    const left = 1 - made.data[start + key];
    made.data[start + key] = 0;
    if (renormalise && left > 0) {
      for (let j = start; j < start + made.columns; j++) made.data[j] /= left;
    }
    return made;
  }

  /** The tokens after a layer put in the place of others. @param {number} layer -1 is before the first @param {(x: Matrix) => Matrix} change @returns {Edits} */
  function streamAfter(layer, change) {
    return { stream: (x, at) => (at === layer ? change(x) : undefined) };
  }

  /** Several edits, one after the other. @param {Edits[]} all @returns {Edits} */
  function together(...all) {
    return {
      weights: (start, place) =>
        all.reduce((now, each) => each.weights?.(now, place) ?? now, start),
      head: (start, place) => all.reduce((now, each) => each.head?.(now, place) ?? now, start),
      stream: (start, layer) => all.reduce((now, each) => each.stream?.(now, layer) ?? now, start),
    };
  }

  return { off, patched, reweighted, without, streamAfter, together };
})();
