// One sentence carried through a trained layer, step by step: self-attention, or the table that has a
// weight for each pair of places. The chapter on self-attention trains both on the same sentences.

var SoftLookup = SoftLookup || {};

/**
 * @typedef {object} Carried What a layer makes of a sentence, a row for each word.
 * @property {Matrix} x
 * @property {Matrix} [query] The table of places has neither queries nor keys.
 * @property {Matrix} [key]
 * @property {Matrix} value
 * @property {Matrix} scores
 * @property {Matrix} weights
 * @property {Matrix} output
 * @property {Matrix} said How sure the layer is of each word of the language.
 */

SoftLookup.carried = (() => {
  "use strict";
  const { row } = SoftLookup.arrays;
  const { multiply } = SoftLookup.products;
  const { attend, softmaxRows } = SoftLookup.attention;
  const { embed } = SoftLookup.layers;
  const MOST_WORDS = 12;
  const MOST_LETTERS = 200;

  /** @param {Bundle} held @param {"attention" | "places"} kind @param {number[]} ids @returns {Carried} */
  function carry(held, kind, ids) {
    const parts = held.part(`${kind}.`);
    const x = embed(parts.matrix("table"), ids);
    const value = multiply(x, parts.matrix("W_V"));
    const found = kind === "attention" ? looked(parts, x, value) : placed(parts, value);
    const said = softmaxRows(multiply(found.output, parts.matrix("readout")));
    return { x, value, ...found, said };
  }

  /** @param {Bundle} parts @param {Matrix} x @param {Matrix} value */
  function looked(parts, x, value) {
    const query = multiply(x, parts.matrix("W_Q"));
    const key = multiply(x, parts.matrix("W_K"));
    return { query, key, ...attend(query, key, value) };
  }

  /** @param {Bundle} parts @param {Matrix} value */
  function placed(parts, value) {
    const scores = parts.matrix("places");
    const weights = softmaxRows(scores);
    return { scores, weights, output: multiply(weights, value) };
  }

  /**
   * The largest change of any number of an output, when each word is compared with itself.
   * @param {Matrix} before @param {Matrix} after
   * @param {number[]} order which row of before each row of after comes from
   */
  function change(before, after, order) {
    let most = 0;
    order.forEach((from, to) => {
      const old = row(before, from);
      row(after, to).forEach((each, k) => {
        most = Math.max(most, Math.abs(each - old[k]));
      });
    });
    return most;
  }

  /** A list with one of its entries in another place. @template T @param {T[]} list @param {number} from @param {number} to @returns {T[]} */
  function moved(list, from, to) {
    const made = list.filter((_, i) => i !== from);
    made.splice(to, 0, list[from]);
    return made;
  }

  /**
   * The words of a sentence as places in the vocabulary, or what keeps it from being read.
   * @param {string} text @param {string[]} vocabulary @param {number} [places] how many words it must have
   * @returns {{ids: number[], fault: string}}
   */
  function parse(text, vocabulary, places) {
    const refuse = (/** @type {string} */ fault) => ({ ids: [], fault });
    if (text.length > MOST_LETTERS) {
      return refuse(`That is a long text. Write up to ${MOST_WORDS} words of the language.`);
    }
    const words = text
      .toLowerCase()
      .split(/[\s.,;:!?]+/)
      .filter((word) => word);
    const strange = words.find((word) => !vocabulary.includes(word));
    if (strange) {
      const near = vocabulary.find((word) => word.startsWith(strange));
      const known = near
        ? `It knows “${near}”.`
        : "The list under “The chosen word is” has them all.";
      return refuse(
        `“${strange}” is not among the language’s ${vocabulary.length} words. ${known}`,
      );
    }
    if (words.length < 2)
      return refuse("Write at least two words: one alone has nobody to look at.");
    if (words.length > MOST_WORDS) {
      return refuse(`Those are ${words.length} words; this figure has room for ${MOST_WORDS}.`);
    }
    const fault = places ? faultOfPlaces(words.length, places) : "";
    return { ids: words.map((word) => vocabulary.indexOf(word)), fault };
  }

  /** Why a table of places cannot take so many words. @param {number} words @param {number} places */
  function faultOfPlaces(words, places) {
    if (words === places) return "";
    return `The table has weights for ${places} places, and takes ${places} words; this sentence has ${words}.`;
  }

  return { carry, change, moved, parse, faultOfPlaces };
})();
