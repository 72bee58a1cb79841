// Pictures: an SVG as wide as its place, drawn anew when that changes, so that its words keep their
// size on a telephone; colours that follow the page's theme; numbers as the chapters print them.

var SoftLookup = SoftLookup || {};

/** @typedef {import("d3").Selection<SVGSVGElement, unknown, null, undefined>} Svg */
/** @typedef {import("d3").Selection<any, any, any, any>} Marks Anything that can be appended to. */

SoftLookup.pictures = (() => {
  "use strict";

  // The page's own colours, each with another value in the dark theme. Never the only sign.
  const COLOURS = {
    first: "var(--accent)",
    second: "var(--question)",
    third: "var(--proof)",
    fourth: "var(--caution)",
    text: "var(--text)",
    quiet: "var(--quiet)",
    line: "var(--line)",
    page: "var(--page)",
    raised: "var(--raised)",
  };

  /**
   * A picture that draws itself anew when its width changes.
   * @param {HTMLElement} parent
   * @param {(svg: Svg, width: number) => {height: number, alt: string}} draw is given an empty SVG;
   *   tells its height and, in words, what is seen
   * @param {{interactive?: boolean}} [options] interactive: with handles or cells that take the focus
   */
  function picture(parent, draw, { interactive = false } = {}) {
    const svg = d3.select(parent).append("svg").attr("class", "live-picture");
    svg.attr("role", interactive ? "group" : "img");
    let drawn = 0;

    function redraw() {
      const width = Math.floor(parent.clientWidth);
      if (width === 0) return;
      drawn = width;
      const focused = document.activeElement?.getAttribute("data-key");
      svg.selectAll("*").remove();
      const { height, alt } = draw(/** @type {any} */ (svg), width);
      svg.attr("viewBox", `0 0 ${width} ${height}`).attr("width", width).attr("height", height);
      svg.attr("aria-label", alt);
      if (interactive && focused) {
        const again = svg.select(`[data-key="${focused}"]`).node();
        if (again instanceof SVGElement) again.focus();
      }
    }

    new ResizeObserver(() => {
      if (Math.floor(parent.clientWidth) !== drawn) redraw();
    }).observe(parent);
    return { redraw, node: () => /** @type {SVGSVGElement} */ (svg.node()) };
  }

  /** Words in a picture. @param {Marks} parent @param {number} x @param {number} y @param {string} words @param {{anchor?: "start" | "middle" | "end", colour?: string, bold?: boolean, size?: number}} [options] */
  function words(
    parent,
    x,
    y,
    words,
    { anchor = "start", colour = COLOURS.text, bold = false, size = 14 } = {},
  ) {
    const text = parent.append("text").attr("x", x).attr("y", y).text(words);
    return text
      .attr("text-anchor", anchor)
      .attr("font-size", size)
      .attr("font-weight", bold ? 600 : 400)
      .attr("fill", colour);
  }

  /** An axis at the bottom of a picture. @param {Marks} parent @param {import("d3").AxisScale<any>} scale @param {number} y @param {{ticks?: number, format?: string, label?: string}} [options] */
  function axisBelow(parent, scale, y, { ticks = 5, format, label } = {}) {
    const axis = d3.axisBottom(scale).ticks(ticks, format).tickSizeOuter(0);
    parent
      .append("g")
      .attr("class", "live-axis")
      .attr("transform", `translate(0,${y})`)
      .call(/** @type {any} */ (axis));
    if (label) {
      const [from, to] = scale.range();
      words(parent, (from + to) / 2, y + 36, label, {
        anchor: "middle",
        colour: COLOURS.quiet,
        size: 13,
      });
    }
  }

  /** An axis at the left of a picture. @param {Marks} parent @param {import("d3").AxisScale<any>} scale @param {number} x @param {{ticks?: number, format?: string}} [options] */
  function axisLeft(parent, scale, x, { ticks = 5, format } = {}) {
    const axis = d3.axisLeft(scale).ticks(ticks, format).tickSizeOuter(0);
    parent
      .append("g")
      .attr("class", "live-axis")
      .attr("transform", `translate(${x},0)`)
      .call(/** @type {any} */ (axis));
  }

  /** A number with so many decimals. @param {number} value @param {number} [digits] */
  const fixed = (value, digits = 2) => value.toFixed(digits).replace("-", "−");
  /** A whole number with its thousands marked, as 5,895. @param {number} value */
  const whole = (value) => Math.round(value).toLocaleString("en-GB").replace("-", "−");
  /** A number to so many significant digits, as 0.00032 or 1.2e-9. @param {number} value @param {number} [digits] */
  const significant = (value, digits = 2) =>
    (value !== 0 && Math.abs(value) < 1e-4
      ? value.toExponential(digits - 1)
      : String(Number(value.toPrecision(digits)))
    ).replace(/-/g, "−");
  /** A power of ten, as 10⁻²⁰. @param {number} order */
  const power = (order) =>
    `10${String(order).replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)])}`.replace("-", "⁻");

  const UNITS = ["bytes", "kB", "MB", "GB", "TB"];
  /** Bytes in the unit in which they are between 1 and 1,000, as 68.9 GB. @param {number} count */
  function byteSize(count) {
    const order = count < 1 ? 0 : Math.floor(Math.log10(count) / 3 + 1e-9);
    const unit = Math.min(UNITS.length - 1, order);
    const scaled = count / 1000 ** unit;
    const words = scaled >= 100 || Number.isInteger(scaled) ? Math.round(scaled) : fixed(scaled, 1);
    return `${words} ${UNITS[unit]}`;
  }

  return {
    COLOURS,
    picture,
    words,
    axisBelow,
    axisLeft,
    fixed,
    whole,
    significant,
    power,
    byteSize,
  };
})();
