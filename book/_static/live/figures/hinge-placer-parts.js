// Three parts of the figure in which hinges are placed: what its lines are, the weights of the units,
// and the greatest error against their number.

var SoftLookup = SoftLookup || {};

SoftLookup.hingeParts = (() => {
  "use strict";
  const { COLOURS, words, axisBelow, axisLeft } = SoftLookup.pictures;
  const turnsOf = SoftLookup.hinges.turns;
  const [LEAST, GREATEST] = [0.05, 3];

  /** What the lines are. @param {Svg} svg */
  function key(svg) {
    const kinds = /** @type {[string, string, number, string, number][]} */ ([
      ["wave", COLOURS.quiet, 5, "", 0.45],
      ["network", COLOURS.first, 2.5, "", 1],
      ["error", COLOURS.second, 3, "4 3", 1],
    ]);
    kinds.forEach(([name, colour, thick, dashes, opacity], i) => {
      const x = 44 + i * 96;
      svg
        .append("path")
        .attr("d", `M${x},10h22`)
        .attr("stroke", colour)
        .attr("stroke-width", thick)
        .attr("stroke-opacity", opacity)
        .attr("stroke-dasharray", dashes);
      words(svg, x + 28, 15, name, { size: 13 });
    });
  }

  /** The weight of each unit, above or below a line. @param {Svg} svg @param {import("d3").ScaleLinear<number, number>} across @param {number} y @param {number[]} places */
  function weights(svg, across, y, places) {
    const turns = turnsOf(places);
    const most = Math.max(1, ...turns.map(Math.abs));
    const heading = "weight of each unit: how the slope changes where it begins";
    const narrow = across(places[places.length - 1]) < 420;
    const lines = narrow
      ? ["weight of each unit: the change of", "slope where it begins"]
      : [heading];
    lines.forEach((each, i) => {
      words(svg, 0, y + 16 * i, each, { size: 13, colour: COLOURS.quiet });
    });
    const middle = y + 52;
    svg
      .append("path")
      .attr("d", `M${across.range()[0]},${middle}H${across.range()[1]}`)
      .attr("stroke", COLOURS.quiet);
    turns.forEach((weight, j) => {
      const tall = (28 * weight) / most;
      svg
        .append("rect")
        .attr("x", across(places[j]) - 3)
        .attr("y", middle - Math.max(0, tall))
        .attr("width", 6)
        .attr("height", Math.abs(tall))
        .attr("fill", weight > 0 ? COLOURS.first : COLOURS.fourth);
    });
    words(svg, 34, middle - 8, "+", { anchor: "end" });
    words(svg, 34, middle + 18, "−", { anchor: "end" });
  }

  /**
   * The greatest error against the width: evenly spaced, at the best places, and the reader's.
   * @param {Svg} svg @param {number} y @param {number} width
   * @param {{units: number, error: number, even: number[], best: number[]}} shown
   */
  function errors(svg, y, width, { units, error, even, best }) {
    const most = best.length;
    const title = "greatest error, by number of units";
    words(svg, 0, y + 8, title, { size: 13, colour: COLOURS.quiet });
    const across = d3.scaleLinear([1, most], [48, width - 88]);
    // A logarithmic axis with a few ticks only.
    const up = Object.assign(d3.scaleLog([LEAST, GREATEST], [y + 160, y + 24]), {
      ticks: () => [0.1, 0.2, 0.5, 1, 2],
      tickFormat: () => String,
    });
    axisBelow(svg, across, y + 160, { ticks: most, format: "d", label: "hidden units" });
    axisLeft(svg, up, 40);
    const kinds = /** @type {[string, number[], string, string][]} */ ([
      ["evenly", even, COLOURS.quiet, "6 4"],
      ["best places", best, COLOURS.first, ""],
    ]);
    for (const [name, runs, colour, dashes] of kinds) {
      const path = d3.line(
        (/** @type {any} */ _, i) => across(i + 1),
        (/** @type {any} */ each) => up(each),
      )(/** @type {any} */ (runs));
      svg
        .append("path")
        .attr("d", path)
        .attr("fill", "none")
        .attr("stroke", colour)
        .attr("stroke-width", 2)
        .attr("stroke-dasharray", dashes);
      words(svg, across(most) + 8, up(runs[most - 1]) + 5, name, { size: 13 });
    }
    const [x, at] = [across(units), up(Math.max(LEAST, Math.min(GREATEST, error)))];
    svg
      .append("path")
      .attr("d", d3.symbol(d3.symbolDiamond, 150)())
      .attr("transform", `translate(${x},${at})`)
      .attr("fill", COLOURS.second)
      .attr("stroke", COLOURS.page);
    words(svg, width, y + 8, "◆ yours", { size: 13, anchor: "end", colour: COLOURS.second });
  }

  return { key, weights, errors };
})();
