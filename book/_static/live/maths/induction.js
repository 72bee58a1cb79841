// The circuit of the chapter on looking inside: eight different symbols, then some of them again.
// After each that returns, the right next symbol is the one that followed it before. Heads are taken
// out of a run, or carried from the run on one text into the run on another.

var SoftLookup = SoftLookup || {};

/**
 * @typedef {object} ReturningSymbol
 * @property {number} at The place of the symbol that returns.
 * @property {number} from The place where it last stood.
 */

/**
 * @typedef {object} HeadsTaken
 * @property {"off" | "patch"} way Silent in the reader's own text, or brought from it to another.
 * @property {[number, number][]} heads Pairs of layer and head.
 */

SoftLookup.induction = (() => {
  "use strict";
  const { softmaxRows } = SoftLookup.attention;
  const { argmax, row } = SoftLookup.arrays;
  const { off, patched } = SoftLookup.interventions;
  // How many orders are tried for the other text.
  const TRIES = 3000;

  /** The symbols of a text. @param {Bundle} bundle @param {string} text */
  const read = ({ config }, text) => Array.from(text, (letter) => config.letters.indexOf(letter));

  /** What the model is asked: a symbol returns that stood among the first. @param {number[]} ids @param {number} half @returns {ReturningSymbol[]} */
  function questions(ids, half) {
    const asked = [];
    for (let at = half; at < Math.min(ids.length, 2 * half - 1); at++) {
      const from = ids.lastIndexOf(ids[at], at - 1);
      if (from >= 0 && from < half - 1) asked.push({ at, from });
    }
    return asked;
  }

  /** What keeps a text from being read; nothing, if it can be. @param {Bundle} bundle @param {string} text */
  function fault(bundle, text) {
    const { letters, half } = bundle.config;
    const strange = Array.from(text).find((letter) => !letters.includes(letter));
    if (strange) {
      return `This model knows the letters ${letters[0]} to ${letters.at(-1)}; “${strange}” is none of them.`;
    }
    if (text.length > 2 * half)
      return `That is long: the model has ${2 * half} places, and this text has ${text.length} letters.`;
    if (text.length <= half)
      return `Write ${half + 1} letters or more: ${half} different ones, then some of them again.`;
    const twice = Array.from(text.slice(0, half)).find((each, i) => text.indexOf(each) !== i);
    if (twice)
      return `The first ${half} letters have to differ, as in every text of the training; “${twice}” stands there twice.`;
    if (questions(read(bundle, text), half).length === 0)
      return `Repeat something: after the first ${half} letters, write one of the first ${half - 1} again.`;
    return "";
  }

  /**
   * The same text behind its first half in another order. Of the orders tried, the one in which most
   * questions have three different answers: of either text, and what stands at the place.
   * @param {number[]} ids @param {number} half
   */
  function shuffled(ids, half) {
    const { shuffled } = SoftLookup.random.generator(14);
    const asked = questions(ids, half);
    const first = ids.slice(0, half);
    let best = first;
    let most = -1;
    for (let i = 0; i < TRIES && most < asked.length; i++) {
      const order = shuffled(first);
      const plain = asked.filter(({ at, from }) => {
        const there = order.indexOf(ids[at]);
        const answers = [first[from + 1], order[from + 1], order[there + 1]];
        return there < half - 1 && new Set(answers).size === 3;
      });
      if (plain.length > most) [best, most] = [order, plain.length];
    }
    return [...best, ...ids.slice(half)];
  }

  /**
   * Read a text with every head, and with some of them taken.
   * @param {Bundle} bundle of both models @param {string} kind
   * @param {number[]} yours @param {number[]} other the same behind a shuffled first half
   * @param {HeadsTaken} taken
   */
  function run(bundle, kind, yours, other, { way, heads }) {
    const model = SoftLookup.models.attentionOnly(bundle.part(`${kind}.`));
    const clean = model.run(yours);
    const whole = way === "off" ? clean : model.run(other);
    const edits = way === "off" ? off(heads) : patched(heads, clean.layers);
    const changed = heads.length ? model.run(way === "off" ? yours : other, { edits }) : whole;
    // A head that is carried over looked where it looked in the text that it comes from.
    const looks = changed.layers.map(({ attention }, layer) =>
      attention.weights.map((weights, head) =>
        way === "patch" && heads.some(([l, h]) => l === layer && h === head)
          ? clean.layers[layer].attention.weights[head]
          : weights,
      ),
    );
    return { before: softmaxRows(whole.logits), after: softmaxRows(changed.logits), looks };
  }

  /** The symbol that gets most. @param {Matrix} scores or probabilities @param {number} at */
  const said = (scores, at) => argmax(row(scores, at));

  /** What the heads give on a text of the exam, once it has been read. @type {Map<string, {attention: HeadsTrace}[]>} */
  const given = new Map();

  /** @param {Bundle} bundle @param {string} kind @param {number[]} ids */
  function givenOn(bundle, kind, ids) {
    const name = `${kind} ${ids}`;
    const { run } = SoftLookup.models.attentionOnly(bundle.part(`${kind}.`));
    const known = given.get(name) ?? run(ids).layers.map(({ attention }) => ({ attention }));
    given.set(name, known);
    return known;
  }

  /**
   * The chapter's exam, or a part of it: of all questions, how many are answered as the clean text
   * would have it, and how many by what stands at the place of that answer in the text that is read.
   * @param {Bundle} bundle @param {string} kind @param {HeadsTaken} taken
   * @param {number} [from] the first text @param {number} [to] behind the last
   */
  function exam(bundle, kind, { way, heads }, from = 0, to = Number.POSITIVE_INFINITY) {
    const { half } = bundle.config;
    const lists = [bundle.config.exam, bundle.config.shuffled];
    const [texts, orders] = lists.map((list) => list.split(" ").slice(from, to));
    const model = SoftLookup.models.attentionOnly(bundle.part(`${kind}.`));
    const count = { all: 0, right: 0, place: 0 };
    texts.forEach((/** @type {string} */ text, /** @type {number} */ i) => {
      const ids = read(bundle, text).slice(0, 2 * half - 1);
      const other = [...read(bundle, orders[i]), ...ids.slice(half)];
      const carried = way === "patch" && heads.length > 0;
      const edits = carried ? patched(heads, givenOn(bundle, kind, ids)) : off(heads);
      const { logits } = model.run(way === "off" ? ids : other, { edits });
      for (const question of questions(ids, half)) {
        const answer = said(logits, question.at);
        count.all += 1;
        if (answer === ids[question.from + 1]) count.right += 1;
        if (answer === other[question.from + 1]) count.place += 1;
      }
    });
    return count;
  }

  /** The name of a number of the chapter. @param {string} kind @param {string} what @param {[number, number][]} heads */
  const key = (kind, what, heads) =>
    [kind, what, ...heads.map(([layer, head]) => `${layer}-${head}`)].join(" ");

  return { read, questions, fault, shuffled, run, said, exam, key };
})();
