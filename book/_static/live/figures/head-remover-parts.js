// Parts of the head remover: where each head looks and what it adds, and what the model answers.

var SoftLookup = SoftLookup || {};

/**
 * @typedef {object} Removal What is shown.
 * @property {RecordsAsked} question
 * @property {HeadShare[]} shares
 * @property {boolean[]} on which heads are in the sum
 * @property {number[]} answers
 * @property {Float64Array[]} sure of each value, for the first answer and the second
 */

SoftLookup.headRemover = (() => {
  "use strict";
  const { COLOURS, words: write, fixed } = SoftLookup.pictures;
  const TALL = 24;
  const NAMES = 68;
  const ORDER = ["1st", "2nd"];
  const MARKS = [COLOURS.second, COLOURS.third];

  /** @param {Svg} svg @param {number} width @param {Removal} shown @returns {number} the height */
  function panels(svg, width, shown) {
    const wide = width >= 560;
    const left = wide ? width * 0.52 : width;
    const below = looks(svg, left, shown);
    const x = wide ? left + 24 : 0;
    const y = wide ? 0 : below + 24;
    const half = (width - x - 16) / 2;
    const ends = [0, 1].map((which) => answer(svg, x + which * (half + 16), y, half, shown, which));
    return Math.max(below, ...ends);
  }

  /** The weights of each head on each record, and what it adds. @param {Svg} svg @param {number} width @param {Removal} shown */
  function looks(svg, width, { question, shares, on }) {
    const cell = Math.min(110, (width - NAMES) / shares.length);
    const quiet = { size: 12, colour: COLOURS.quiet };
    const top = 44;
    write(svg, 0, 13, "Where heads look, as name: value", { bold: true });
    write(svg, NAMES - 8, top - 8, "head", { ...quiet, anchor: "end" });
    const { names, values, places } = question;
    names.forEach((name, j) => {
      const asked = places.indexOf(j);
      const y = top + j * TALL;
      if (asked >= 0) write(svg, 0, y + 16, ORDER[asked], { size: 12, bold: true });
      const record = `${name}: ${values[j]}`;
      write(svg, NAMES - 6, y + 16, record, { anchor: "end", size: 13, bold: asked >= 0 });
    });
    const end = top + names.length * TALL;
    write(svg, 0, end + 22, "added to the right value, above the mean", quiet);
    ORDER.forEach((order, which) => {
      write(svg, NAMES - 6, end + 46 + which * TALL, order, {
        anchor: "end",
        size: 13,
        bold: true,
      });
    });
    shares.forEach((share, h) => {
      const x = NAMES + h * cell;
      const middle = x + (cell - 1) / 2;
      const ink = on[h] ? COLOURS.text : COLOURS.quiet;
      const number = write(svg, middle, top - 8, String(h + 1), { anchor: "middle", colour: ink });
      number.attr("font-weight", on[h] ? 600 : 400);
      if (!on[h]) number.attr("text-decoration", "line-through");
      share.weights.forEach((weight, j) => {
        shade(svg, x, top + j * TALL, cell, weight * (on[h] ? 1 : 0.35));
        if (weight < 0.005) return;
        const shown = fixed(weight).replace(/^0/, "");
        const colour = on[h] && weight > 0.55 ? COLOURS.page : ink;
        write(svg, middle, top + j * TALL + 16, shown, { anchor: "middle", size: 12, colour });
      });
      ORDER.forEach((_, which) => {
        const added = on[h] ? decimal(addition(share, question, which)) : "out";
        const y = end + 46 + which * TALL;
        write(svg, middle, y, added, { anchor: "middle", size: 12, colour: ink });
      });
    });
    places.forEach((place, asked) => {
      frame(svg, NAMES, top + place * TALL, shares.length * cell, MARKS[asked]);
    });
    return end + 46 + TALL + 8;
  }

  /** What a head adds to the logit of the right value, above the mean of what it adds to all. @param {HeadShare} share @param {RecordsAsked} question @param {number} which */
  function addition({ adds }, { values, places }, which) {
    const size = adds.length / 2;
    const own = adds.subarray(which * size, (which + 1) * size);
    return own[values[places[which]]] - d3.sum(own) / size;
  }

  /** With one decimal, and never "−0.0". @param {number} value */
  const decimal = (value) => fixed(Math.round(value * 10) / 10 + 0, 1);

  /** @param {Svg} svg @param {number} x @param {number} y @param {number} cell @param {number} share */
  function shade(svg, x, y, cell, share) {
    svg
      .append("rect")
      .attr("x", x)
      .attr("y", y)
      .attr("width", cell - 1)
      .attr("height", TALL - 1)
      .attr("fill", COLOURS.first)
      .attr("fill-opacity", share)
      .attr("stroke", COLOURS.line)
      .attr("stroke-width", 0.5);
  }

  /** @param {Svg} svg @param {number} x @param {number} y @param {number} width @param {string} colour */
  function frame(svg, x, y, width, colour) {
    svg
      .append("rect")
      .attr("x", x - 1.5)
      .attr("y", y - 1.5)
      .attr("width", width + 2)
      .attr("height", TALL + 2)
      .attr("fill", "none")
      .attr("stroke", colour)
      .attr("stroke-width", 2);
  }

  /** One of the two answers: how sure the model is of each value. @param {Svg} svg @param {number} x @param {number} y @param {number} width @param {Removal} shown @param {number} which */
  function answer(svg, x, y, width, { question, answers, sure }, which) {
    const right = question.values[question.places[which]];
    const said = answers[which];
    write(svg, x, y + 13, which ? "Second answer" : "First answer", { bold: true });
    const verdict = said === right ? `${said}, right` : `${said}, wrong: ${right} is right`;
    write(svg, x, y + 33, verdict, { size: 13 });
    const long = width - 20 - 34;
    sure[which].forEach((share, value) => {
      const top = y + 44 + value * TALL;
      write(svg, x + 6, top + 16, String(value), { size: 13, bold: value === right });
      svg
        .append("rect")
        .attr("x", x + 20)
        .attr("y", top + 4)
        .attr("width", Math.max(0.5, long * share))
        .attr("height", TALL - 9)
        .attr("fill", value === said ? COLOURS.first : COLOURS.quiet);
      write(svg, x + 24 + long * share, top + 16, fixed(share), { size: 12 });
      if (value === right) frame(svg, x + 1.5, top, width - 1.5, MARKS[which]);
    });
    return y + 44 + sure[which].length * TALL + 8;
  }

  return { panels };
})();
