// The picture of the induction circuit: the text or texts, and where each head looks. Layer 1 from the
// place of the answer, layer 2 from the symbol that is asked.

var SoftLookup = SoftLookup || {};

/**
 * @typedef {object} CircuitShown
 * @property {[string, string][]} texts A name and its letters.
 * @property {ReturningSymbol} question
 * @property {Matrix[][]} looks The weights of each head of each layer.
 * @property {number[][]} sizes
 * @property {(layer: number, head: number) => string} state Of a head that is taken: what is done with it.
 * @property {[string, string]} names Where each layer's heads look from.
 */

SoftLookup.circuitDrawing = (() => {
  "use strict";
  const { COLOURS, words, fixed } = SoftLookup.pictures;
  const { fromRows, row } = SoftLookup.arrays;
  const LEFT = 58;
  const RIGHT = 62;

  /** The weights of a layer's heads, from the place that matters. @param {CircuitShown} shown @param {number} layer */
  function rows({ looks, question }, layer) {
    const place = layer === 0 ? question.from + 1 : question.at;
    return fromRows(looks[layer].map((weights) => row(weights, place)));
  }

  /** Where a layer of the circuit would look. @param {ReturningSymbol} question @param {number} layer */
  const wanted = ({ from }, layer) => from + layer;

  /** @param {Svg} svg @param {number} width @param {CircuitShown} shown @returns {number} the height */
  function draw(svg, width, shown) {
    const { texts, question, sizes, state, names } = shown;
    const columns = texts[0][1].length;
    const cell = Math.min(36, (width - LEFT - RIGHT) / columns);
    const x = (/** @type {number} */ place) => LEFT + place * cell;
    let y = 16;
    for (const [name, letters] of texts) {
      words(svg, 0, y, name, { size: 13, colour: COLOURS.quiet });
      Array.from(letters).forEach((letter, place) => {
        const bold =
          place === question.at || place === question.from || place === question.from + 1;
        words(svg, x(place + 0.5), y, letter, { anchor: "middle", bold, size: 15 });
      });
      y += 22;
    }
    underline(svg, x(question.from), y - 16, cell, COLOURS.third);
    underline(svg, x(question.from + 1), y - 16, cell, COLOURS.second);
    underline(svg, x(question.at), y - 16, cell, COLOURS.first);
    words(svg, x(columns) + 8, y - 22, "size", { size: 12, colour: COLOURS.quiet });
    for (const layer of [0, 1]) {
      y += layer ? 24 : 14;
      words(svg, 0, y, names[layer], { size: 13 });
      y += 8;
      const m = rows(shown, layer);
      const height = Math.max(20, Math.min(30, cell));
      drawRows(svg, m, { y, cell, height });
      sizes[layer].forEach((size, head) => {
        const middle = y + (head + 0.5) * height + 4;
        const taken = state(layer, head);
        words(svg, LEFT - 8, middle, `head ${head + 1}`, {
          anchor: "end",
          size: 13,
          bold: Boolean(taken),
        });
        words(svg, x(columns) + 8, middle, taken || fixed(size), {
          size: 13,
          bold: Boolean(taken),
          colour: taken ? COLOURS.fourth : COLOURS.text,
        });
      });
      svg
        .append("rect")
        .attr("x", x(wanted(question, layer)) - 1.5)
        .attr("y", y - 1.5)
        .attr("width", cell + 2)
        .attr("height", m.rows * height + 2)
        .attr("fill", "none")
        .attr("stroke", layer ? COLOURS.second : COLOURS.third)
        .attr("stroke-width", 2);
      y += m.rows * height;
    }
    const quiet = { size: 12, colour: COLOURS.quiet };
    words(svg, 0, y + 20, "framed: where the circuit looks in your text", quiet);
    return y + 26;
  }

  /** @param {Svg} svg @param {number} x @param {number} y @param {number} cell @param {string} colour */
  function underline(svg, x, y, cell, colour) {
    svg
      .append("rect")
      .attr("x", x + 1)
      .attr("y", y)
      .attr("width", cell - 2)
      .attr("height", 3)
      .attr("fill", colour);
  }

  /** Weights in cells that may be lower than wide. @param {Svg} svg @param {Matrix} m @param {{y: number, cell: number, height: number}} box */
  function drawRows(svg, m, { y, cell, height }) {
    for (let head = 0; head < m.rows; head++) {
      for (let place = 0; place < m.columns; place++) {
        const weight = m.data[head * m.columns + place];
        svg
          .append("rect")
          .attr("x", LEFT + place * cell)
          .attr("y", y + head * height)
          .attr("width", cell - 1)
          .attr("height", height - 1)
          .attr("fill", COLOURS.first)
          .attr("fill-opacity", weight)
          .attr("stroke", COLOURS.line)
          .attr("stroke-width", 0.5);
        if (cell < 30 || weight < 0.05) continue;
        const text = fixed(weight).replace(/^0/, "");
        words(svg, LEFT + (place + 0.5) * cell, y + (head + 0.5) * height + 4, text, {
          anchor: "middle",
          size: 12,
          colour: weight > 0.55 ? COLOURS.page : COLOURS.text,
        });
      }
    }
  }

  /** The picture in words. @param {CircuitShown} shown */
  function seen(shown) {
    const { question, state, names, texts } = shown;
    const letters = texts[texts.length - 1][1];
    const of = (/** @type {number} */ layer) => {
      const m = rows(shown, layer);
      const place = wanted(question, layer);
      const each = Array.from({ length: m.rows }, (_, head) => {
        const taken = state(layer, head);
        const weight = fixed(m.data[head * m.columns + place]);
        return `head ${head + 1} ${weight}${taken ? ` (${taken})` : ""}`;
      });
      return `${names[layer]}; on “${letters[place]}” at place ${place + 1}: ${each.join(", ")}.`;
    };
    const read = texts.map(([name, text]) => `${name}: ${text}.`).join(" ");
    return `${read} ${of(0)} ${of(1)}`;
  }

  return { draw, seen };
})();
