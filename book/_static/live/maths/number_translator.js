// The translator of the chapter on encoder and decoder writes a number in German: greedily and with
// beams, with the chances of each token and where the decoder looked when it said it.

var SoftLookup = SoftLookup || {};

/**
 * @typedef {object} Translation
 * @property {string[]} source English words.
 * @property {string[]} due The German parts that are right.
 * @property {string[]} said What greedy search wrote.
 * @property {boolean} ended Whether it came to an end by itself.
 * @property {string[]} beams What beam search wrote.
 * @property {number} chance The probability of the greedy sentence, its end included.
 * @property {number} beamsChance
 * @property {Matrix} logits A row for each token that was chosen.
 * @property {Matrix[]} weights Cross-attention of each layer, the mean of its heads.
 */

SoftLookup.numberTranslator = (() => {
  "use strict";
  const { matrix, row } = SoftLookup.arrays;
  const { softmax } = SoftLookup.attention;

  /** The mean of a layer's heads. @param {Matrix[]} heads */
  function mean(heads) {
    const made = matrix(heads[0].rows, heads[0].columns);
    for (const { data } of heads) {
      data.forEach((weight, i) => {
        made.data[i] += weight / heads.length;
      });
    }
    return made;
  }

  /** Translate a number. @param {Bundle} bundle @param {number} number @returns {Translation} */
  function translate(bundle, number) {
    const { english, german, start, end, limit, beams } = bundle.config;
    const model = SoftLookup.translators.transformer(bundle);
    const source = SoftLookup.numerals.english(number);
    const ids = source.map((word) => english.indexOf(word));
    const memory = model.encode(ids).output;
    const next = (/** @type {number[]} */ written) => model.decode(written, memory).logits;
    const written = SoftLookup.translators.greedy(next, { start, end, limit });
    const [best] = SoftLookup.translators.beamSearch(next, { start, end, limit, beams });
    const { logits, layers } = model.decode([start, ...written], memory);
    const ended = written.length < limit;
    const chosen = ended ? [...written, end] : written;
    const surprise = chosen.map((id, i) => Math.log(softmax(row(logits, i))[id]));
    const words = (/** @type {number[]} */ tokens) => tokens.map((id) => german[id]);
    return {
      source,
      due: SoftLookup.numerals.german(number),
      said: words(written),
      ended,
      beams: words(best.tokens),
      chance: Math.exp(surprise.reduce((sum, each) => sum + each, 0)),
      beamsChance: Math.exp(best.logProbability),
      logits,
      weights: layers.map(({ cross }) => mean(/** @type {HeadsTrace} */ (cross).weights)),
    };
  }

  /** The likeliest tokens of a step, the best first. @param {Bundle} bundle @param {Translation} translation @param {number} step @param {number} count */
  function likeliest(bundle, { logits }, step, count) {
    const words = /** @type {string[]} */ (bundle.config.german);
    return Array.from(softmax(row(logits, step)), (chance, id) => ({ word: words[id], chance }))
      .sort((a, b) => b.chance - a.chance)
      .slice(0, count);
  }

  /** Whether two sentences are the same. @param {string[]} one @param {string[]} other */
  const same = (one, other) => one.join(" ") === other.join(" ");

  /** The first step at which a sentence departs from what is due; none if it is right. @param {string[]} said @param {string[]} due */
  function firstMistake(said, due) {
    if (same(said, due)) return undefined;
    const at = said.findIndex((word, i) => word !== due[i]);
    return at < 0 ? said.length : at;
  }

  return { translate, likeliest, same, firstMistake };
})();
