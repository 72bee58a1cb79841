// The models of the chapter on several heads: two questions at once into ten records, one layer of
// attention, and a linear reader. What is read is a sum over the heads, so heads can be cut from it.

var SoftLookup = SoftLookup || {};

/**
 * @typedef {object} RecordsAsked Ten records, and which two of them are asked for, in order.
 * @property {number[]} names
 * @property {number[]} values
 * @property {number[]} places
 */

/**
 * @typedef {object} HeadShare What one head has to do with a question.
 * @property {Float64Array} weights on each record
 * @property {Float64Array} adds to each logit: all values of the first answer, then of the second
 */

SoftLookup.twoQuestions = (() => {
  "use strict";
  const { matrix, add, argmax, sliceColumns } = SoftLookup.arrays;
  const { multiply, multiplyTransposed } = SoftLookup.products;
  const { softmax } = SoftLookup.attention;
  const { embed, linear } = SoftLookup.layers;
  const { range } = SoftLookup.positions;
  const { split } = SoftLookup.heads;
  const LETTERS = "abcdefghijklmnopqrstuvwxyz";

  /** The questions of the chapter's test, from the text in which they travel. @param {Record<string, any>} config @returns {RecordsAsked[]} */
  function questions({ questions: text, records }) {
    const size = 2 * records + 2;
    return Array.from({ length: text.length / size }, (_, i) => {
      const signs = text.slice(i * size, (i + 1) * size).split("");
      return {
        names: signs.slice(0, records).map((/** @type {string} */ each) => LETTERS.indexOf(each)),
        values: signs.slice(records, 2 * records).map(Number),
        places: signs.slice(2 * records).map(Number),
      };
    });
  }

  /**
   * A model made ready: all records and all questions there are, projected once, and for each head
   * what the value of each record would add to the logits.
   * @param {Bundle} parts @param {Record<string, any>} config @param {number} heads
   */
  function model(parts, config, heads) {
    const pairs = (
      /** @type {string} */ one,
      /** @type {string} */ other,
      /** @type {number} */ b,
    ) => {
      const a = config.names;
      const first = embed(
        parts.matrix(`${one}.weight`),
        range(a * b).map((i) => Math.floor(i / b)),
      );
      return add(
        first,
        embed(
          parts.matrix(`${other}.weight`),
          range(a * b).map((i) => i % b),
        ),
      );
    };
    const asked = pairs("asked_first", "asked_second", config.names);
    const records = pairs("name", "value", config.values);
    const project = (/** @type {Matrix} */ x, /** @type {string} */ name) =>
      split(linear(x, parts.linear(`attend.${name}_projection`)), heads);
    const queries = project(asked, "query");
    const keys = project(records, "key");
    const output = parts.linear("attend.output_projection");
    const reader = parts.linear("reader");
    // W_O and the reader are one matrix; a head owns its columns.
    const both = multiply(reader.weight, output.weight);
    const width = config.width / heads;
    const adds = project(records, "value").map((value, h) =>
      multiplyTransposed(value, sliceColumns(both, h * width, (h + 1) * width)),
    );
    const bias = linear(matrix(1, config.width, output.bias), reader).data;

    /** What each head looks at and adds. @param {RecordsAsked} question @returns {HeadShare[]} */
    function shares({ names, values, places }) {
      const pair = names[places[0]] * config.names + names[places[1]];
      const held = names.map((name, i) => name * config.values + values[i]);
      return queries.map((query, h) => {
        const scores = new Float64Array(held.length);
        held.forEach((at, j) => {
          for (let k = 0; k < width; k++) {
            scores[j] += query.data[pair * width + k] * keys[h].data[at * width + k];
          }
          scores[j] /= Math.sqrt(width);
        });
        const weights = softmax(scores);
        const sum = new Float64Array(bias.length);
        held.forEach((at, j) => {
          const start = at * sum.length;
          for (let k = 0; k < sum.length; k++) sum[k] += weights[j] * adds[h].data[start + k];
        });
        return { weights, adds: sum };
      });
    }

    /** The logits when only some heads are in the sum. @param {HeadShare[]} found @param {boolean[]} on */
    function logits(found, on) {
      const sum = Float64Array.from(bias);
      found.forEach(({ adds }, h) => {
        if (on[h]) for (let k = 0; k < sum.length; k++) sum[k] += adds[k];
      });
      return sum;
    }

    return { shares, logits };
  }

  /** The two values that logits name. @param {Float64Array} logits */
  function answers(logits) {
    const half = logits.length / 2;
    return [argmax(logits.subarray(0, half)), argmax(logits.subarray(half))];
  }

  /**
   * How many first and second answers are right.
   * @param {ReturnType<typeof model>} made @param {RecordsAsked[]} asked @param {HeadShare[][]} found of each question @param {boolean[]} on
   */
  function right(made, asked, found, on) {
    const count = [0, 0];
    asked.forEach(({ values, places }, i) => {
      answers(made.logits(found[i], on)).forEach((answer, which) => {
        if (answer === values[places[which]]) count[which] += 1;
      });
    });
    return count;
  }

  return { questions, model, answers, right };
})();
