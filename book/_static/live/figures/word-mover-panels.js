// The four panels of the word mover: X; a query, the keys, the scores and the weights; V; and Y.

var SoftLookup = SoftLookup || {};

/**
 * @typedef {object} Shown What the panels show.
 * @property {Carried} found
 * @property {string[]} names the words
 * @property {number} chosen the word that is followed
 * @property {number} best the word to which it gives its largest weight
 * @property {string} read what is read off its output
 */

SoftLookup.wordMoverPanels = (() => {
  "use strict";
  const { COLOURS } = SoftLookup.pictures;
  const { below, matrix, sliceRows } = SoftLookup.arrays;
  const { signed, looks, heading, TALL, NAMES } = SoftLookup.wordMover;
  /** A cell is as wide as eight of them leave it, within these bounds. */
  const LEAST = 27;
  const MOST = 35;
  const BETWEEN = 24;
  /** From a heading to the rows below it. */
  const DOWN = 26;

  /** Draw all: in two columns if there is room. @param {Svg} svg @param {number} width @param {Shown} shown @returns {number} the height */
  function panels(svg, width, shown) {
    const wide = width >= 2 * (NAMES + 8 * LEAST) + BETWEEN;
    const half = wide ? (width - BETWEEN) / 2 : width;
    const n = shown.names.length;
    const asked = shown.found.query ? n + 1 : n;
    const rows = wide ? [asked, asked, n, n] : [n, asked, n, n];
    let y = 16;
    [tokens, asking, values, outputs].forEach((panel, i) => {
      panel(svg, wide && i % 2 ? half + BETWEEN : 0, y, shown, half);
      if (!wide || i % 2) y += DOWN + rows[i] * TALL + 34;
    });
    return y - 34;
  }

  /** @typedef {(svg: Svg, x: number, y: number, shown: Shown, width: number) => void} Panel */

  /** @type {Panel} */
  function tokens(svg, x, y, { found, names, chosen }, width) {
    heading(svg, x, y, "X", "the words’ own vectors");
    framed(svg, found.x, [x, y, width], names, [[chosen, COLOURS.second]]);
  }

  /** The query, the keys, the scores and the weights. @type {Panel} */
  function asking(svg, x, y, { found, names, chosen, best }, width) {
    const { query, key, scores, weights } = found;
    if (!query || !key) {
      heading(
        svg,
        x,
        y,
        "The table of places",
        `its row for place ${chosen + 1}: numbers, and weights`,
      );
      const places = names.map((_, i) => `place ${i + 1}`);
      framed(svg, matrix(names.length, 0), [x, y, width], places, []);
      looks(svg, scores, weights, chosen, { x: x + NAMES, y: y + DOWN, width: width - NAMES });
      return;
    }
    heading(svg, x, y, `q of “${names[chosen]}”, and K`, "then scores, q · k / √4, and weights");
    const own = sliceRows(query, chosen, chosen + 1);
    framed(
      svg,
      below([own, key]),
      [x, y, width],
      ["q", ...names],
      [
        [0, COLOURS.second],
        [1 + best, COLOURS.third],
      ],
    );
    const left = NAMES + query.columns * cellOf(width);
    looks(svg, scores, weights, chosen, { x: x + left, y: y + DOWN + TALL, width: width - left });
  }

  /** @type {Panel} */
  function values(svg, x, y, { found, names, best }, width) {
    heading(svg, x, y, "V", "what each word hands over");
    framed(svg, found.value, [x, y, width], names, [[best, COLOURS.third]]);
  }

  /** @type {Panel} */
  function outputs(svg, x, y, { found, names, chosen, read }, width) {
    heading(svg, x, y, "Y", `averages of V; the framed row is read as “${read}”`);
    framed(svg, found.output, [x, y, width], names, [[chosen, COLOURS.second]]);
  }

  /** @param {number} width */
  const cellOf = (width) => Math.min(MOST, Math.max(LEAST, (width - NAMES - 2) / 8));

  /** A table with some of its rows framed. @param {Svg} svg @param {Matrix} m @param {[number, number, number]} place x, y and width @param {string[]} names @param {[number, string][]} marks */
  function framed(svg, m, [x, y, width], names, marks) {
    signed(svg, m, { x, y: y + DOWN, cell: cellOf(width), names, framed: marks });
  }

  return { panels };
})();
