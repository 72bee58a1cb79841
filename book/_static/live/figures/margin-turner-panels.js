// The three panels of the margin turner: the tokens with the street of the one that leads, the way
// of w, and the weights of the softmax along it.

var SoftLookup = SoftLookup || {};

SoftLookup.marginPanels = (() => {
  "use strict";
  const { COLOURS, words, axisBelow, axisLeft, fixed } = SoftLookup.pictures;
  const { logWeights } = SoftLookup.selection;
  const { handle } = SoftLookup.handles;
  const { NAMES } = SoftLookup.marginWords;
  const OF_TOKENS = [COLOURS.first, COLOURS.second, COLOURS.third, COLOURS.fourth];
  const DASHES = ["", "7 4", "2 3", "10 3 2 3"];
  /** How far the plane of the tokens reaches, and the longest w that its panel holds. */
  const REACH = 1.45;
  const LONGEST = 600;
  const TURN = 180 / Math.PI;

  /** @typedef {{x: number, y: number, side: number}} Box */

  /** A line. @param {Marks} parent @param {number[]} ends @param {string} colour @param {number} width @param {string} [dash] */
  function line(parent, [x1, y1, x2, y2], colour, width, dash = "") {
    const made = parent.append("line").attr("x1", x1).attr("y1", y1).attr("x2", x2).attr("y2", y2);
    made.attr("stroke", colour).attr("stroke-width", width);
    if (dash) made.attr("stroke-dasharray", dash);
  }

  /** A frame that cuts off what leaves it. @param {Svg} svg @param {Box} box */
  function framed(svg, { x, y, side }) {
    const inner = svg.append("svg").attr("x", x).attr("y", y).attr("width", side);
    inner.attr("height", side).attr("overflow", "hidden");
    const frame = inner.append("rect").attr("width", side).attr("height", side);
    frame.attr("fill", "none").attr("stroke", COLOURS.line).attr("stroke-width", 2);
    return inner;
  }

  /** The tokens, and the street in front of the one that leads. @param {Svg} svg @param {Box} box @param {Turned} turned @param {(which: number, place: Point) => void} moved */
  function tokens(svg, box, { tokens: places, rays, way, end }, moved) {
    const half = box.side / 2;
    const unit = half / REACH;
    const inner = framed(svg, box);
    const at = (/** @type {number[]} */ [x, y]) => [half + x * unit, half - y * unit];
    line(inner, [0, half, box.side, half], COLOURS.line, 1);
    line(inner, [half, 0, half, box.side], COLOURS.line, 1);
    const first = end.leaders[0];
    const own = end.leaders.length === 1 ? rays[first] : null;
    if (own) {
      const size = Math.hypot(...own.w);
      const [x, y] = own.w.map((part) => part / size);
      line(inner, [half, half, ...at([4 * x, 4 * y])], OF_TOKENS[first], 2, "6 4");
      for (const i of [first, own.support[0]]) {
        const [px, py] = places[i];
        const ends = [...at([px - 4 * y, py + 4 * x]), ...at([px + 4 * y, py - 4 * x])];
        line(inner, ends, COLOURS.quiet, 1.5, "4 4");
      }
      for (const i of own.support) {
        const [cx, cy] = at(places[i]);
        const ring = inner.append("circle").attr("cx", cx).attr("cy", cy).attr("r", 17);
        ring.attr("fill", "none").attr("stroke", COLOURS.text).attr("stroke-width", 2);
      }
    }
    const w = way[way.length - 1];
    const size = Math.hypot(...w);
    if (size > 0) {
      const [x, y] = w.map((part) => (0.5 * part) / size);
      line(inner, [half, half, ...at([x, y])], COLOURS.text, 3);
      arrow(inner, at([x, y]), w);
      const [tx, ty] = at([x + 0.28 * y, y - 0.28 * x]);
      words(inner, tx, ty + 5, "w", { anchor: "middle", bold: true });
    }
    places.forEach((place, i) => {
      const [x, y] = at(place);
      handle(svg, {
        key: NAMES[i],
        label: `token ${NAMES[i]}`,
        value: `${fixed(place[0])} across, worth ${fixed(place[1])}`,
        x: box.x + x,
        y: box.y + y,
        step: 0.05 * unit,
        colour: OF_TOKENS[i],
        moved: (px, py) => moved(i, [(px - box.x - half) / unit, (half - py + box.y) / unit]),
      });
      const letter = { anchor: /** @type {const} */ ("middle"), colour: COLOURS.page, bold: true };
      words(svg, box.x + x, box.y + y + 5, NAMES[i], letter).attr("pointer-events", "none");
    });
  }

  /** The head of an arrow. @param {Marks} parent @param {number[]} tip @param {Point} along its direction, up being positive */
  function arrow(parent, [x, y], along) {
    const turned = 90 - Math.atan2(along[1], along[0]) * TURN;
    const head = parent.append("path").attr("d", d3.symbol(d3.symbolTriangle, 90)() ?? "");
    head.attr("transform", `translate(${x},${y}) rotate(${turned})`).attr("fill", COLOURS.text);
  }

  /** The way of w, its length as a logarithm, and the direction of each widest margin. @param {Svg} svg @param {Box} box @param {Turned} turned @param {(place: Point) => void} moved */
  function ways(svg, box, { rays, way }, moved) {
    const half = box.side / 2;
    const inner = framed(svg, box);
    const far = (/** @type {number} */ size) => (half * Math.log1p(size)) / Math.log1p(LONGEST);
    const at = (/** @type {Point} */ w) => {
      const size = Math.hypot(...w);
      const scale = size > 0 ? far(size) / size : 0;
      return [half + scale * w[0], half - scale * w[1]];
    };
    for (const size of [1, 10, 100]) {
      const ring = inner.append("circle").attr("cx", half).attr("cy", half).attr("r", far(size));
      ring.attr("fill", "none").attr("stroke", COLOURS.line).attr("stroke-width", 1.5);
      const place = half + far(size) * Math.SQRT1_2;
      words(inner, place + 3, place + 12, String(size), { size: 12, colour: COLOURS.quiet });
    }
    rays.forEach((each, i) => {
      if (!each) return;
      const [x, y] = each.w.map((part) => part / Math.hypot(...each.w));
      const out = half - 26;
      const ends = [half, half, half + out * x, half - out * y];
      line(inner, ends, OF_TOKENS[i], 2.5, each.local ? "" : "3 5");
      const name = { anchor: /** @type {const} */ ("middle"), bold: true, colour: OF_TOKENS[i] };
      words(inner, half + (half - 14) * x, half - (half - 14) * y + 5, NAMES[i], name);
    });
    const every = Math.max(1, Math.floor(way.length / 400));
    const shown = way.filter((_, i) => i % every === 0 || i === way.length - 1).map(at);
    const path = inner.append("path").attr("d", d3.line()(/** @type {any} */ (shown)));
    path.attr("fill", "none").attr("stroke", COLOURS.text).attr("stroke-width", 2.5);
    const tip = shown[shown.length - 1];
    const back = shown[shown.length - 2] ?? tip;
    if (Math.hypot(tip[0] - back[0], tip[1] - back[1]) > 0) {
      arrow(inner, tip, [tip[0] - back[0], back[1] - tip[1]]);
    }
    const start = way[0];
    const [x, y] = at(start);
    const size = Math.hypot(...start);
    const angle = Math.round(Math.atan2(start[1], start[0]) * TURN);
    handle(svg, {
      key: "start",
      label: "start of w",
      value: size > 0 ? `${fixed(size, 1)} long, at ${angle} degrees` : "zero",
      x: box.x + x,
      y: box.y + y,
      colour: COLOURS.text,
      moved: (px, py) => {
        const [dx, dy] = [px - box.x - half, half - py + box.y];
        const pixels = Math.hypot(dx, dy);
        const long = Math.min(20, Math.expm1((pixels / half) * Math.log1p(LONGEST)));
        moved(pixels > 0 ? [(long * dx) / pixels, (long * dy) / pixels] : [0, 0]);
      },
    });
    const side = x > half ? -16 : 16;
    words(svg, box.x + x + side, box.y + y + 5, "start", {
      anchor: side < 0 ? "end" : "start",
      size: 13,
    });
  }

  /** The weights of the softmax after each step. @param {Svg} svg @param {{x: number, y: number, width: number, height: number}} box @param {Turned} turned */
  function weights(svg, { x, y, width, height }, { tokens: places, way }) {
    const across = d3.scaleLinear([0, Math.max(100, way.length - 1)], [x, x + width]);
    const up = d3.scaleLinear([0, 1], [y + height, y]);
    axisBelow(svg, across, y + height, { ticks: 4, format: ",.0f", label: "steps of descent" });
    axisLeft(svg, up, x, { ticks: 2, format: ".1f" });
    const every = Math.max(1, Math.floor(way.length / 800));
    const at = way.map((_, i) => i).filter((i) => i % every === 0 || i === way.length - 1);
    const found = at.map((i) => logWeights(places, way[i]).map(Math.exp));
    const ends = places.map((_, token) => ({ token, y: up(found[found.length - 1][token]) }));
    places.forEach((_, token) => {
      const points = at.map((i, k) => [across(i), up(found[k][token])]);
      const path = svg.append("path").attr("d", d3.line()(/** @type {any} */ (points)));
      path.attr("fill", "none").attr("stroke", OF_TOKENS[token]).attr("stroke-width", 2.5);
      path.attr("stroke-dasharray", DASHES[token] || null);
    });
    // Names at the ends, side by side where the lines lie together.
    const taken = /** @type {{y: number, used: number}[]} */ ([]);
    for (const end of ends) {
      let group = taken.find((each) => Math.abs(each.y - end.y) < 14);
      if (!group) {
        group = { y: end.y, used: 0 };
        taken.push(group);
      }
      const left = across(way.length - 1) + 8 + 12 * group.used;
      words(svg, left, group.y + 4, NAMES[end.token], { bold: true, colour: OF_TOKENS[end.token] });
      group.used += 1;
    }
  }

  return { tokens, ways, weights };
})();
