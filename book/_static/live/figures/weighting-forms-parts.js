// What the figure of the seven forms tells in words: a form's weights, what they read, and what the
// form can or cannot do with these scores.

var SoftLookup = SoftLookup || {};

SoftLookup.weightingWords = (() => {
  "use strict";
  const { fixed, significant } = SoftLookup.pictures;
  const KEYS = Array.from("ABCDE");
  const CUT = ["ReLU", "normalised ReLU"];
  /** @type {Record<string, string>} */
  const SUBJECTS = {
    softmax: "Softmax",
    sigmoid: "Sigmoid",
    ReLU: "ReLU",
    "normalised ReLU": "Normalised ReLU",
    square: "The square",
    "positive linear": "The positive linear form",
    linear: "The linear form",
  };

  /** A weight; 0 without decimals is zero exactly. @param {number} weight */
  const shown = (weight) => (weight === 0 ? "0" : fixed(weight));

  /** @param {number[]} numbers */
  const total = (numbers) => numbers.reduce((sum, each) => sum + each, 0);

  /**
   * What the form can or cannot do with these scores.
   * @param {string} form @param {number[]} scores @param {number[]} weights @param {number} wanted
   */
  function remark(form, scores, weights, wanted) {
    const none = weights.every((each) => each === 0);
    if (CUT.includes(form)) {
      if (none) return "No score is above zero, so nothing is read, and no gradient comes back.";
      if (weights[wanted] === 0) {
        return `Key ${KEYS[wanted]} is dead: its weight is zero and passes it no gradient.`;
      }
      const cut = weights.filter((each) => each === 0).length;
      if (cut === 0) return "No key is cut off, for every score is above zero.";
      if (cut === KEYS.length - 1) return "All other keys are cut off.";
      return `${cut === 1 ? "1 key is" : `${cut} keys are`} cut off, with a weight of zero.`;
    }
    if (none) return "All scores are zero, and so are all its weights.";
    const below = scores.filter((score) => score < 0).length;
    if (form === "linear") {
      if (below === 0) return "None of its weights is below zero, because no score is.";
      if (below === KEYS.length) return "All its weights are below zero.";
      return below === 1
        ? "1 of its weights is below zero."
        : `${below} of its weights are below zero.`;
    }
    if (form === "square") {
      const lowest = scores.indexOf(Math.min(...scores));
      if (below === 0) return "No score is below zero; one that is would count like its opposite.";
      const score = scores[lowest];
      return `Key ${KEYS[lowest]}, with the score ${fixed(score)}, counts like one with ${fixed(-score)}.`;
    }
    const least = Math.min(...weights);
    return `None of its weights is quite zero; the smallest is ${significant(least)}.`;
  }

  /**
   * The outcome in words.
   * @param {string} form
   * @param {{scores: number[], weights: number[], answer: number, values: number[], wanted: number}} now
   */
  function told(form, { scores, weights, answer, values, wanted }) {
    const outside = answer < Math.min(...values) - 1e-9 || answer > Math.max(...values) + 1e-9;
    return (
      `${SUBJECTS[form]} gives key ${KEYS[wanted]} the weight ${shown(weights[wanted])}, and all ` +
      `keys together ${shown(total(weights))}. It reads ${fixed(answer)}` +
      `${outside ? ", which lies outside the values" : ""}. ${remark(form, scores, weights, wanted)}`
    );
  }

  /** How far a change of all scores has moved a form's weights. @param {string} change @param {number[]} before @param {number[]} now */
  function moved(change, before, now) {
    const most = Math.max(...before.map((each, j) => Math.abs(each - now[j])));
    if (most < 1e-9) return `${change} moved none of its weights.`;
    return most < 0.01
      ? `${change} moved its weights by less than 0.01.`
      : `${change} moved its weights by up to ${fixed(most)}.`;
  }

  return { KEYS, SUBJECTS, shown, total, told, moved };
})();
