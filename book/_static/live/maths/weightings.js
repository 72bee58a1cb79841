// From the scores of a query to the weights of its keys, in the seven forms that the chapter on open
// questions compares. Keys have one number, their score, and the query is 1; so positive linear
// attention, which needs queries and keys and not their products alone, can stand among the others.

var SoftLookup = SoftLookup || {};

SoftLookup.weightings = (() => {
  "use strict";
  const { softmax } = SoftLookup.attention;
  const { relu, sigmoid } = SoftLookup.layers;

  /** Shares of a sum; zeros where the sum is zero. @param {number[]} weights */
  function shares(weights) {
    const total = weights.reduce((sum, each) => sum + each, 0);
    return weights.map((each) => (total === 0 ? 0 : each / total));
  }

  /** elu(x) + 1, above zero everywhere. @param {number} x */
  const feature = (x) => (x > 0 ? x + 1 : Math.exp(x));

  /** @type {Record<string, (scores: number[]) => number[]>} */
  const forms = {
    softmax: (scores) => Array.from(softmax(scores)),
    sigmoid: (scores) => scores.map((score) => sigmoid(score - Math.log(scores.length))),
    ReLU: (scores) => scores.map((score) => relu(score) / scores.length),
    "normalised ReLU": (scores) => shares(scores.map(relu)),
    square: (scores) => scores.map((score) => (score * score) / scores.length),
    "positive linear": (scores) => shares(scores.map((score) => feature(1) * feature(score))),
    linear: (scores) => scores.map((score) => score / Math.sqrt(scores.length)),
  };

  /** What is read out: the sum of the values by their weights. @param {number[]} weights @param {number[]} values */
  function read(weights, values) {
    return weights.reduce((sum, weight, j) => sum + weight * values[j], 0);
  }

  /** The expected squared error of a lookup of one key, for independent values of variance one. @param {number[]} weights @param {number} wanted */
  function lookupError(weights, wanted) {
    return weights.reduce((sum, weight, j) => sum + (weight - (j === wanted ? 1 : 0)) ** 2, 0);
  }

  return { forms, read, lookupError };
})();
