// What a block brings, in words and numbers: the maximum, the correction, the sums, and in the end
// whether the output is that of the whole row.

var SoftLookup = SoftLookup || {};

/**
 * @typedef {object} InstalmentState
 * @property {number[]} scores
 * @property {number} size Of a block.
 * @property {boolean} forget
 * @property {number} taken How many blocks have been taken in.
 * @property {Instalment[]} notes After each block.
 * @property {{output: number, weights: ArrayLike<number>}} whole Over the whole row at once.
 */

SoftLookup.instalmentWords = (() => {
  "use strict";
  const { fixed, significant } = SoftLookup.pictures;
  // Beyond this two outputs differ by more than the rounding of a long sum.
  const ROUNDING = 1e-9;

  /** @param {number} value */
  const score = (value) => String(value).replace("-", "−");

  /** A sum or a factor: four decimals, or two digits where it is very small. @param {number} value */
  const number = (value) =>
    value === 0 ? "0" : Math.abs(value) < 1e-4 ? significant(value) : fixed(value, 4);

  /** A correction; what is too small to be held is at least bounded. @param {number} value @param {string} is @param {string} below */
  const shrinks = (value, is, below) =>
    value === 0 ? `${below}1e−300` : `${is}${value === 1 ? 1 : number(value)}`;

  /** Whether the output is that of the whole row. @param {InstalmentState} state */
  function isEqual({ notes, whole }) {
    const { output } = notes[notes.length - 1];
    return Math.abs(output - whole.output) <= ROUNDING * Math.max(1, Math.abs(whole.output));
  }

  /** @param {InstalmentState} state @returns {[string, string][]} */
  function numbers(state) {
    const { notes, taken, forget } = state;
    if (taken === 0)
      return [["maximum", "none yet"], ["sum", "0"], ["weighted sum", "0"], ...memory(state)];
    const now = notes[taken - 1];
    const before = notes[taken - 2];
    const moved = before && now.maximum !== before.maximum;
    const correction = before
      ? `e^(${score(before.maximum)} − ${bracketed(now.maximum)}) ${shrinks(now.correction, "= ", "< ")}`
      : "nothing to correct";
    const kept = forget ? 1 : now.correction;
    return [
      ["maximum", score(now.maximum) + (moved ? ` (was ${score(before.maximum)})` : "")],
      [forget && moved ? "correction, forgotten" : "correction", correction],
      [
        "sum",
        before
          ? `${kept === 1 ? "" : `${number(kept)} × `}${number(before.total)} + ${number(now.added)} = ${number(now.total)}`
          : number(now.total),
      ],
      ["weighted sum", number(now.weighted)],
      ["output so far", `${number(now.weighted)} / ${number(now.total)} = ${fixed(now.output, 4)}`],
      ...memory(state),
    ];
  }

  /** @param {number} value */
  const bracketed = (value) => (value < 0 ? `(${score(value)})` : score(value));

  /** What has to be held at once. @param {InstalmentState} state @returns {[string, string][]} */
  function memory({ scores, size }) {
    const n = scores.length;
    return [
      ["held at once, by blocks", `${many(size, "score")} + 3 notes = ${size + 3}`],
      ["held at once, the whole row", many(n, "score")],
      ["with 100,000 keys", `${size + 3} against 100,000`],
    ];
  }

  /** @param {number} count @param {string} thing */
  const many = (count, thing) => `${count} ${thing}${count === 1 ? "" : "s"}`;

  /** Why it did no harm to leave out the correction. @param {Instalment[]} notes */
  const spared = (notes) =>
    notes[0].maximum === notes[notes.length - 1].maximum
      ? "Nothing had to be corrected: no score is greater than the first block’s greatest."
      : "The correction was left out, and here it makes no difference.";

  /** The outcome in words. @param {InstalmentState} state */
  function told(state) {
    const { notes, taken, forget, whole } = state;
    const all = notes.length;
    if (taken === 0)
      return `None of the ${many(all, "block")} has been taken in: there is nothing to give yet.`;
    const now = notes[taken - 1];
    const before = notes[taken - 2];
    const which = all === 1 ? "The only block" : `Block ${taken} of ${all}`;
    const so = taken < all ? ` So far the output is ${fixed(now.output, 4)}.` : ` ${ended(state)}`;
    if (!before) return `${which} is summed against its own maximum, ${score(now.maximum)}.${so}`;
    if (now.maximum === before.maximum)
      return `${which} brings no greater score, so what was summed stays as it is.${so}`;
    const moves = `${which} brings a greater score, and the maximum moves from ${score(before.maximum)} to ${score(now.maximum)}`;
    const factor = shrinks(now.correction, "", "less than ");
    return forget
      ? `${moves}. What was summed should now be multiplied by ${factor}, and is not.${so}`
      : `${moves}. What was summed is multiplied by ${factor}.${so}`;

    /** @param {InstalmentState} state */
    function ended(state) {
      const { output } = notes[all - 1];
      if (isEqual(state)) {
        const apart = Math.abs(output - whole.output);
        const how = apart === 0 ? "to the last bit" : `to rounding (${significant(apart)})`;
        const harmless = !forget || all === 1 ? "" : ` ${spared(notes)}`;
        return `The output is ${fixed(output, 4)}, and the softmax over the whole row gives the same, ${how}.${harmless}`;
      }
      return `The output is ${fixed(output, 4)}, and the softmax over the whole row gives ${fixed(whole.output, 4)}: the keys before a greater score were given too much weight.`;
    }
  }

  return { numbers, told, isEqual, score };
})();
