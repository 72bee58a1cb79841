// Which token a query learns to select, in the plane: one input, one query of length one, and so one
// vector w = W z. Its widest margins are found exactly, its descent takes steps of one length.

var SoftLookup = SoftLookup || {};

/** @typedef {[number, number]} Point */

/**
 * @typedef {object} Ray Where a token is farthest ahead of its nearest rival.
 * @property {Point} w the shortest w with which the token leads every other by at least 1
 * @property {number[]} support the rivals at margin exactly 1
 * @property {boolean} local whether the token is worth more than each of these
 */

SoftLookup.selection = (() => {
  "use strict";
  // The length of a step, as the chapter takes it.
  const STEP = 0.1;
  // Margins closer to 1 than this are 1.
  const EXACT = 1e-9;

  /** @param {Point} a @param {Point} b */
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1];
  /** @param {Point} a @param {Point} b @returns {Point} */
  const minus = (a, b) => [a[0] - b[0], a[1] - b[1]];

  /** The shortest w with all its products with these points at least 1; null if there is none. @param {Point[]} points @returns {Point | null} */
  function shortest(points) {
    /** @type {Point[]} */
    const candidates = [];
    points.forEach((one, i) => {
      const size = dot(one, one);
      // One support vector: w points along it. Two: both products are 1.
      if (size > 0) candidates.push([one[0] / size, one[1] / size]);
      for (const other of points.slice(i + 1)) {
        const area = one[0] * other[1] - one[1] * other[0];
        if (Math.abs(area) < EXACT) continue;
        candidates.push([(other[1] - one[1]) / area, (one[0] - other[0]) / area]);
      }
    });
    const kept = candidates.filter((w) => points.every((each) => dot(each, w) >= 1 - EXACT));
    return kept.length ? kept.reduce((a, b) => (dot(b, b) < dot(a, a) ? b : a)) : null;
  }

  /** The widest margin of one token; null if no direction puts it ahead of all others. @param {Point[]} tokens @param {number[]} worths @param {number} selected @returns {Ray | null} */
  function ray(tokens, worths, selected) {
    const rivals = tokens.map((_, i) => i).filter((i) => i !== selected);
    const lead = (/** @type {number} */ i) => minus(tokens[selected], tokens[i]);
    const w = shortest(rivals.map(lead));
    if (!w) return null;
    const support = rivals.filter((i) => dot(lead(i), w) < 1 + 1e-6);
    return { w, support, local: support.every((i) => worths[selected] > worths[i]) };
  }

  /** What the label would say of each token, were it looked at alone. @param {Point[]} tokens @param {Point} head */
  const worthsOf = (tokens, head) => tokens.map((each) => dot(each, head));

  /** The logarithms of the softmax's weights. @param {Point[]} tokens @param {Point} w */
  function logWeights(tokens, w) {
    const scores = tokens.map((each) => dot(each, w));
    const most = Math.max(...scores);
    const sum = Math.log(scores.reduce((total, score) => total + Math.exp(score - most), 0));
    return scores.map((score) => score - most - sum);
  }

  /**
   * The step that descent takes: of one length, or none where there is no slope. All terms of the
   * gradient are divided by the largest weight of a loser, so that none is too small to be held.
   * @param {Point[]} tokens @param {number[]} worths @param {Point} w @returns {Point}
   */
  function step(tokens, worths, w) {
    const logs = logWeights(tokens, w);
    const first = logs.indexOf(Math.max(...logs));
    // Worths beside that of the favourite: where all are the same, there is exactly no slope.
    const over = worths.map((worth) => worth - worths[first]);
    const reading = logs.reduce((sum, log, i) => sum + Math.exp(log) * over[i], 0);
    const apart = tokens.map((token) => minus(token, tokens[first]));
    const losers = tokens.map((_, i) => i).filter((i) => dot(apart[i], apart[i]) > 0);
    const most = Math.max(...losers.map((i) => logs[i]));
    /** @type {Point} */
    const pull = [0, 0];
    for (const i of losers) {
      const factor = Math.exp(logs[i] - most) * (over[i] - reading);
      pull[0] += factor * apart[i][0];
      pull[1] += factor * apart[i][1];
    }
    const length = Math.hypot(...pull);
    return length === 0 ? [0, 0] : [(STEP * pull[0]) / length, (STEP * pull[1]) / length];
  }

  /** The way of w from its start, with every step. @param {Point[]} tokens @param {number[]} worths @param {Point} start @param {number} steps */
  function descend(tokens, worths, start, steps) {
    const way = [start];
    for (let i = 0; i < steps; i++) {
      const [x, y] = way[i];
      const by = step(tokens, worths, way[i]);
      way.push([x + by[0], y + by[1]]);
    }
    return way;
  }

  /** The angle between two vectors in degrees; NaN if one of them has no direction. @param {Point} a @param {Point} b */
  function angle(a, b) {
    if (dot(a, a) === 0 || dot(b, b) === 0) return Number.NaN;
    const across = a[0] * b[1] - a[1] * b[0];
    return (Math.abs(Math.atan2(across, dot(a, b))) * 180) / Math.PI;
  }

  /** Who leads, and what the next step does to the lead. @param {Point[]} tokens @param {number[]} worths @param {Point} w */
  function standing(tokens, worths, w) {
    const logs = logWeights(tokens, w);
    const order = tokens.map((_, i) => i).sort((a, b) => logs[b] - logs[a]);
    const level = (/** @type {number} */ at) =>
      order.filter((i) => Math.abs(logs[i] - logs[order[at]]) < EXACT).sort((a, b) => a - b);
    const leaders = level(0);
    const nearest = leaders.length < tokens.length ? level(leaders.length) : [];
    const change = nearest.length
      ? dot(minus(tokens[order[0]], tokens[nearest[0]]), step(tokens, worths, w))
      : 0;
    return { logs, leaders, nearest, change };
  }

  return { shortest, ray, worthsOf, logWeights, descend, angle, standing };
})();
