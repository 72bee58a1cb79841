// What becomes of the right next symbol, in words and numbers: with every head, and with some of them
// silent or brought from the run on another text.

var SoftLookup = SoftLookup || {};

/**
 * @typedef {object} CircuitState
 * @property {string} letters All that the model knows.
 * @property {number[]} yours The reader's text.
 * @property {number[]} other The shuffled one.
 * @property {number} at The place of the symbol that is asked.
 * @property {number} from Where it last stood in the reader's text.
 * @property {"off" | "patch"} way
 * @property {[number, number][]} heads
 * @property {Matrix} before Probabilities with every head as it is.
 * @property {Matrix} after
 */

SoftLookup.circuitWords = (() => {
  "use strict";
  const { fixed } = SoftLookup.pictures;
  const { said, key } = SoftLookup.induction;

  /** The answers that may come: of your text, of the place where it stood, of the shuffled text. @param {CircuitState} state */
  function answers({ yours, other, at, from, letters }) {
    const there = other.lastIndexOf(yours[at], at - 1);
    const found = [yours[from + 1], other[from + 1], other[there + 1]];
    const [right, place, own] = found.map((id) => ({ id, name: `“${letters[id]}”` }));
    return { right, place, own };
  }

  /** @param {Matrix} m @param {CircuitState} state @param {number} id */
  const probability = (m, { at, letters }, id) => fixed(m.data[at * letters.length + id]);

  /** @param {CircuitState} state @returns {[string, string][]} */
  function candidates(state) {
    const { right, place, own } = answers(state);
    const p = (/** @type {number} */ id) => probability(state.after, state, id);
    if (state.way === "off") return [[`probability of ${right.name}`, p(right.id)]];
    return [
      [`${right.name}, your text’s answer`, p(right.id)],
      [`${place.name}, now at its place`, p(place.id)],
      [`${own.name}, the shuffled text’s`, p(own.id)],
    ];
  }

  /**
   * The shares of the chapter's exam, and what the chapter printed of them.
   * @param {CircuitState} state @param {string} kind
   * @param {{right: number, place: number} | undefined} share once it has been counted
   * @param {Record<string, any>} config @returns {[string, string][]}
   */
  function examined({ way, heads }, kind, share, { exam, printed }) {
    const texts = `the chapter’s ${exam.split(" ").length} texts`;
    const of = way === "off" ? `share right, ${texts}` : `share of clean answers, ${texts}`;
    const beside = (/** @type {string} */ what, /** @type {number | undefined} */ value) => {
      if (value === undefined) return "is being counted";
      const known = printed[key(kind, what, heads)];
      return fixed(value) + (known === undefined ? "" : ` (printed above: ${fixed(known)})`);
    };
    const right = beside(way, share?.right);
    if (way === "off") return [[of, right]];
    return [
      [of, right],
      ["share of what stands in their place", beside("place", share?.place)],
    ];
  }

  /** @param {[number, number][]} heads */
  function named(heads) {
    if (heads.length > 2) return `these ${heads.length} heads`;
    return heads.map(([layer, head]) => `head ${head + 1} of layer ${layer + 1}`).join(" and ");
  }

  /** The outcome in words. @param {CircuitState} state */
  function told(state) {
    const { before, after, heads, way, at, letters } = state;
    const { right, place, own } = answers(state);
    const asked = `“${letters[state.yours[at]]}”`;
    const answer = said(after, at);
    const says = `says “${letters[answer]}”`;
    const [whole, changed] = [before, after].map((m) => probability(m, state, right.id));
    if (way === "off") {
      const start = `After ${asked} stood ${right.name}, so ${right.name} is right. The whole model gives it ${whole}`;
      const verdict = answer === right.id ? "right" : "wrong";
      if (heads.length === 0) return `${start} and ${says}, which is ${verdict}.`;
      return `${start}; without ${named(heads)} it gives it ${changed} and ${says}, which is ${verdict}.`;
    }
    const inYours = own.id === right.id ? "as in yours" : `and in yours ${right.name} did`;
    const start = `The model reads the shuffled text. There ${own.name} follows ${asked}, ${inYours}.`;
    const whose =
      answer === right.id
        ? "your text’s answer"
        : answer === place.id
          ? `which stands where ${right.name} stood in yours`
          : answer === own.id
            ? "the answer of what it reads"
            : "which is neither text’s answer";
    if (heads.length === 0)
      return `${start} It gives ${right.name} ${whole} and ${says}, ${whose}.`;
    return `${start} With ${named(heads)} brought from yours, ${right.name} has ${changed} in place of ${whole}, and the model ${says}, ${whose}.`;
  }

  return { answers, candidates, examined, told };
})();
