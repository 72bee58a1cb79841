// Small digits read by a Vision Transformer, as in the chapter on vision: drawn, moved by whole
// pixels, without some of their patches; and the rankings of patches that the chapter compares.

var SoftLookup = SoftLookup || {};

/**
 * @typedef {object} Treatment What is done to a drawing before a model gets it.
 * @property {number} [down] pixels; negative is up
 * @property {number} [across] pixels to the right; negative is to the left
 * @property {Iterable<number>} [hidden] patches that become paper, in reading order from 0
 */

/**
 * @typedef {object} Reading What a model makes of an image.
 * @property {Float64Array} probabilities of the ten digits
 * @property {Float32Array} logits
 * @property {number} said
 * @property {Matrix[]} looks for each layer the class token's weights: a row a head, a column a patch
 * @property {Float64Array} rollout the class token's shares of the patches
 * @property {Float64Array} last the last layer's weights, in the mean of its heads
 */

SoftLookup.digitReading = (() => {
  "use strict";
  const { argmax, matrix, row } = SoftLookup.arrays;
  const { multiply } = SoftLookup.products;
  const { softmax } = SoftLookup.attention;
  const SIDE = 8;
  const PATCH = 2;
  const ACROSS = SIDE / PATCH;
  // A drawing has room around the window, so that what is moved out can be moved back.
  const ROOM = 3;
  const WHOLE = SIDE + 2 * ROOM;
  const INK = 16;
  // What a stroke leaves on the paper beside it: the scans have soft edges.
  const EDGE = 4;

  /** The patch in which a pixel of the window lies. @param {number} i @param {number} j */
  const patchOf = (i, j) => Math.floor(i / PATCH) * ACROSS + Math.floor(j / PATCH);

  /** Where a pixel of the window lies in a drawing that is moved. @param {number} i @param {number} j @param {Treatment} treatment */
  const placeOf = (i, j, { down = 0, across = 0 }) => (i + ROOM - down) * WHOLE + j + ROOM - across;

  /** A drawing from letters, “a” for paper to “q” for full ink, row after row; without letters, empty paper. @param {string} [letters] */
  function drawing(letters = "") {
    const made = new Uint8Array(WHOLE * WHOLE);
    Array.from(letters, (letter, at) => {
      made[placeOf(Math.floor(at / SIDE), at % SIDE, {})] = letter.charCodeAt(0) - 97;
    });
    return made;
  }

  /**
   * The drawing with a dot of ink, or of paper, on a pixel of the window.
   * @param {Uint8Array} drawn @param {number} i @param {number} j @param {boolean} inked
   * @param {Treatment} [treatment] how the drawing is moved
   */
  function dotted(drawn, i, j, inked, treatment = {}) {
    const made = drawn.slice();
    made[placeOf(i, j, treatment)] = inked ? INK : 0;
    if (!inked) return made;
    for (const [row, column] of [
      [i - 1, j],
      [i + 1, j],
      [i, j - 1],
      [i, j + 1],
    ]) {
      if (Math.min(row, column) < 0 || Math.max(row, column) >= SIDE) continue;
      const place = placeOf(row, column, treatment);
      made[place] = Math.max(made[place], EDGE);
    }
    return made;
  }

  /** The greys that the window shows, from 0 for paper to 16 for ink. @param {Uint8Array} drawn @param {Treatment} treatment */
  function greys(drawn, treatment) {
    const hidden = new Set(treatment.hidden ?? []);
    return Float32Array.from({ length: SIDE * SIDE }, (_, at) => {
      const i = Math.floor(at / SIDE);
      const j = at % SIDE;
      return hidden.has(patchOf(i, j)) ? 0 : drawn[placeOf(i, j, treatment)];
    });
  }

  /** The image that the model gets: -1 for paper, 1 for ink. @param {Uint8Array} drawn @param {Treatment} [treatment] */
  const image = (drawn, treatment = {}) =>
    greys(drawn, treatment).map((grey) => grey / (INK / 2) - 1);

  /** How dark each patch is: the mean of its pixels. @param {ArrayLike<number>} pixels */
  function ink(pixels) {
    const made = new Float64Array(ACROSS * ACROSS);
    for (let at = 0; at < SIDE * SIDE; at++) {
      made[patchOf(Math.floor(at / SIDE), at % SIDE)] += pixels[at] / (PATCH * PATCH);
    }
    return made;
  }

  /** The mean over heads. @param {Matrix[]} heads */
  function meanOf(heads) {
    const made = matrix(heads[0].rows, heads[0].columns);
    for (const { data } of heads) {
      data.forEach((weight, at) => {
        made.data[at] += weight / heads.length;
      });
    }
    return made;
  }

  /**
   * Attention roll-out: each layer hands on half of what was there, and mixes in half of what its
   * heads have gathered; layer follows layer, so the later one stands on the left.
   * @param {Matrix[][]} layers the weights of each head of each layer
   */
  function rollout(layers) {
    /** @type {Matrix | undefined} */
    let total;
    for (const heads of layers) {
      const step = meanOf(heads);
      for (let at = 0; at < step.data.length; at++) {
        const own = at % (step.columns + 1) === 0 ? 1 : 0;
        step.data[at] = (own + step.data[at]) / 2;
      }
      total = total ? multiply(step, total) : step;
    }
    return /** @type {Matrix} */ (total);
  }

  /** What the class token, which stands first, has of each patch. @param {Matrix} weights */
  const ofClass = (weights) => Float64Array.from(row(weights, 0).subarray(1));

  /** @param {ReturnType<typeof SoftLookup.models.vit>} vit @param {Float32Array} pixels @returns {Reading} */
  function read(vit, pixels) {
    const { logits, layers } = vit.run(pixels, SIDE, SIDE);
    const weights = layers.map(({ attention }) => attention.weights);
    const looks = weights.map((heads) => {
      const made = matrix(heads.length, ACROSS * ACROSS);
      heads.forEach((head, h) => {
        made.data.set(ofClass(head), h * made.columns);
      });
      return made;
    });
    return {
      logits: logits.data,
      probabilities: softmax(logits.data),
      said: argmax(logits.data),
      looks,
      rollout: ofClass(rollout(weights)),
      last: ofClass(meanOf(weights[weights.length - 1])),
    };
  }

  /** Ranks from 1, the smallest first; equals share the mean of their ranks. @param {ArrayLike<number>} values */
  function ranks(values) {
    return Array.from(values, (value) => {
      let below = 0;
      let equal = 0;
      for (let i = 0; i < values.length; i++) {
        if (values[i] < value) below += 1;
        if (values[i] === value) equal += 1;
      }
      return below + (equal + 1) / 2;
    });
  }

  /** Spearman's rank correlation; none where all values of one are equal. @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
  function rankCorrelation(a, b) {
    const middle = (a.length + 1) / 2;
    const one = ranks(a).map((rank) => rank - middle);
    const other = ranks(b).map((rank) => rank - middle);
    const product = (/** @type {number[]} */ x, /** @type {number[]} */ y) =>
      x.reduce((sum, each, i) => sum + each * y[i], 0);
    const spread = Math.sqrt(product(one, one) * product(other, other));
    return spread === 0 ? undefined : product(one, other) / spread;
  }

  /** The patch that ranks highest among those that are not hidden; the first of equals, -1 if none is left. @param {ArrayLike<number>} scores @param {Set<number>} hidden */
  function highest(scores, hidden) {
    let best = -1;
    for (let patch = 0; patch < scores.length; patch++) {
      if (!hidden.has(patch) && (best < 0 || scores[patch] > scores[best])) best = patch;
    }
    return best;
  }

  return {
    ...{ SIDE, ACROSS, ROOM, INK, patchOf, placeOf },
    ...{ drawing, dotted, greys, image, ink, rollout, read, rankCorrelation, highest },
  };
})();
