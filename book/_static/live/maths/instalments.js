// Softmax in instalments: one query goes through its keys block by block, and remembers a maximum, a
// sum and a weighted sum. Whenever the maximum moves, what was summed is corrected; whoever forgets
// that can be followed as well. The chapter on the quadratic wall derives it.

var SoftLookup = SoftLookup || {};

/**
 * @typedef {object} Instalment What is known after a block.
 * @property {number} maximum The greatest score so far.
 * @property {number} total The sum of exp(score − maximum).
 * @property {number} weighted The same, each term times its value.
 * @property {number} output weighted / total.
 * @property {number} correction What the old sums should be multiplied by: 1 if the maximum stays.
 * @property {number} added What the block added to the sum.
 * @property {number[]} weights Of each key so far.
 */

SoftLookup.instalments = (() => {
  "use strict";

  /**
   * Take in block after block.
   * @param {number[]} scores @param {number[]} values @param {number} size of a block
   * @param {{forget?: boolean}} [options] forget: leave out the correction
   * @returns {Instalment[]}
   */
  function run(scores, values, size, { forget = false } = {}) {
    const found = [];
    let maximum = Number.NEGATIVE_INFINITY;
    let total = 0;
    let weighted = 0;
    /** @type {number[]} */
    let terms = [];
    for (let start = 0; start < scores.length; start += size) {
      const block = scores.slice(start, start + size);
      const greatest = Math.max(maximum, ...block);
      const correction = start === 0 ? 1 : Math.exp(maximum - greatest);
      const kept = forget ? 1 : correction;
      const fresh = block.map((score) => Math.exp(score - greatest));
      const added = fresh.reduce((sum, each) => sum + each, 0);
      total = kept * total + added;
      weighted =
        kept * weighted + fresh.reduce((sum, each, j) => sum + each * values[start + j], 0);
      maximum = greatest;
      terms = [...terms.map((term) => kept * term), ...fresh];
      const sum = total;
      const weights = terms.map((term) => term / sum);
      const output = weighted / total;
      found.push({ maximum, total, weighted, output, correction, added, weights });
    }
    return found;
  }

  /** Over the whole row at once. @param {number[]} scores @param {number[]} values */
  function atOnce(scores, values) {
    const weights = SoftLookup.attention.softmax(scores);
    return {
      weights,
      output: values.reduce((sum, value, j) => sum + weights[j] * value, 0),
    };
  }

  /** Numbers from a line; or what keeps it from being read. @param {string} line @param {number} most @returns {{scores: number[], fault: string}} */
  function read(line, most) {
    const parts = line.split(/[\s,;]+/).filter(Boolean);
    const scores = parts.map((part) => Number(part.replace("−", "-")));
    const strange = parts.findIndex((part) => !/^[-−+]?(\d+\.?\d*|\.\d+)$/.test(part));
    const fault =
      parts.length === 0
        ? "Write one score or more, with spaces between them."
        : parts.length > most
          ? `That is long: there is room for ${most} scores here, and these are ${parts.length}.`
          : strange >= 0
            ? `“${parts[strange].slice(0, 20)}” is not a number; write scores as 2 or −1.5, with spaces between them.`
            : scores.some((score) => Math.abs(score) > 1000)
              ? "Scores from −1000 to 1000 can be drawn here; one of these is farther from zero."
              : "";
    return { scores, fault };
  }

  return { run, atOnce, read };
})();
