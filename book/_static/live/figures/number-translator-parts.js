// Two parts of the number translator: the bars of what may be said next, and sentences as the reader
// is told them.

var SoftLookup = SoftLookup || {};

SoftLookup.translatorParts = (() => {
  "use strict";
  const { COLOURS, fixed, significant, words } = SoftLookup.pictures;

  /**
   * A bar for each of the likeliest tokens.
   * @param {Svg} svg @param {{word: string, chance: number}[]} likeliest @param {number} step
   * @param {number} x @param {number} y @param {number} width of the whole picture
   */
  function chances(svg, likeliest, step, x, y, width) {
    const wide = Math.min(width - x, 170);
    words(svg, x, y, `token ${step}, the likeliest:`, { size: 13, colour: COLOURS.quiet });
    likeliest.forEach(({ word, chance }, i) => {
      const top = y + 12 + 40 * i;
      words(svg, x, top + 12, word, { bold: i === 0 });
      words(svg, x + wide, top + 12, fixed(chance), { anchor: "end" });
      const bar = (/** @type {number} */ length) =>
        svg
          .append("rect")
          .attr("x", x)
          .attr("y", top + 18)
          .attr("width", length)
          .attr("height", 9);
      bar(wide).attr("fill", "none").attr("stroke", COLOURS.line);
      bar(wide * chance).attr("fill", COLOURS.first);
    });
  }

  /** The room of what is not written yet. @param {Svg} svg @param {number} x @param {number} y @param {number} width @param {number} height */
  function frame(svg, x, y, width, height) {
    svg
      .append("rect")
      .attr("x", x)
      .attr("y", y)
      .attr("width", width - 1)
      .attr("height", height - 4)
      .attr("fill", "none")
      .attr("stroke", COLOURS.quiet)
      .attr("stroke-dasharray", "3 4");
  }

  /** A sentence with its verdict. @param {string[]} said @param {string[]} due @param {number} chance */
  function told(said, due, chance) {
    const verdict = SoftLookup.numberTranslator.same(said, due) ? "right" : "wrong";
    return `${said.join(" ") || "nothing"} (${verdict}; probability ${significant(chance)})`;
  }

  /** A token in a sentence; the end has a name. @param {string | undefined} word */
  function named(word) {
    return word === undefined || word === "<end>" ? "the end" : `“${word}”`;
  }

  return { chances, frame, told, named };
})();
