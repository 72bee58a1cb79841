// What the margin turner says: who leads and how far w has turned, and which tokens cannot lead.

var SoftLookup = SoftLookup || {};

/**
 * @typedef {object} Turned A descent, and all that is told of it.
 * @property {Point[]} tokens
 * @property {number[]} worths
 * @property {(Ray | null)[]} rays
 * @property {Point[]} way w after each step, from the start on
 * @property {{logs: number[], leaders: number[], nearest: number[], change: number}} end
 */

SoftLookup.marginWords = (() => {
  "use strict";
  const { fixed, whole } = SoftLookup.pictures;
  const { angle, descend, ray, standing, worthsOf } = SoftLookup.selection;
  const NAMES = "abcd";
  const EXACT = 1e-9;

  /** Names of tokens, as in “a, b and c”. @param {number[]} which */
  function named(which) {
    const names = which.map((i) => NAMES[i]);
    if (names.length < 2) return names.join("");
    return `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
  }

  /** Descend, and find the margins. @param {Point[]} tokens @param {Point} head @param {Point} start @param {number} steps @returns {Turned} */
  function turn(tokens, head, start, steps) {
    const worths = worthsOf(tokens, head);
    const way = descend(tokens, worths, start, steps);
    const rays = tokens.map((_, i) => ray(tokens, worths, i));
    return { tokens, worths, rays, way, end: standing(tokens, worths, way[steps]) };
  }

  /** A weight of any size, from its logarithm. @param {number} log */
  function weight(log) {
    const value = Math.exp(log);
    if (value > 0.9995) return ">0.999";
    if (value >= 0.001) return fixed(value, 3);
    const exponent = Math.floor(log / Math.LN10);
    const digit = Math.round(10 ** (log / Math.LN10 - exponent));
    return digit < 10 ? `${digit}e−${-exponent}` : `1e−${-exponent - 1}`;
  }

  /** The same in a sentence. @param {number} log */
  const leading = (log) => weight(log).replace(">", "over ");

  /** Those of the greatest worth. @param {number[]} worths */
  function best(worths) {
    const most = Math.max(...worths);
    return worths.map((_, i) => i).filter((i) => most - worths[i] < EXACT);
  }

  /** The length of w. @param {Point} w */
  const length = (w) => fixed(Math.hypot(...w), 1);

  /** Who leads, how far w has turned, and what comes next. @param {Turned} turned */
  function told({ worths, rays, way, end }) {
    const steps = way.length - 1;
    const w = way[steps];
    const when = `${steps ? `After ${whole(steps)} steps` : "At the start"} w is ${length(w)} long`;
    const [first] = end.leaders;
    if (end.leaders.length === worths.length) return `${when}, and all tokens weigh the same.`;
    if (end.leaders.length > 1)
      return `${when}, and ${named(end.leaders)} share the largest weight.`;
    const own = rays[first];
    const leads = `${when}, and ${NAMES[first]} has the largest weight, ${leading(end.logs[first])}.`;
    if (!own) return leads;
    const [before, after] = [way[0], w].map((each) => fixed(angle(each, own.w), 1));
    const then = before !== after && before !== "NaN" ? `; at the start it was ${before}°` : "";
    const apart = ` The angle from w to ${NAMES[first]}’s widest margin is ${after}°${then}.`;
    return `${leads}${apart} ${standingOf(worths, own, first)}${next(end)}`;
  }

  /** Whether a token's direction is locally optimal. @param {number[]} worths @param {Ray} own @param {number} first */
  function standingOf(worths, { support, local }, first) {
    const name = NAMES[first];
    const tops = best(worths);
    if (tops.includes(first)) {
      return tops.length === 1
        ? `${name} is the best token.`
        : `${name} is one of several best tokens.`;
    }
    const kept = `${support.length > 1 ? "each of its support tokens" : "its support token"}, ${named(support)}`;
    return local
      ? `${name} is not the best token, but it is worth more than ${kept}: its direction is locally optimal.`
      : `${name} is not worth more than ${kept}: its direction is not locally optimal.`;
  }

  /** What the next step does to the lead. @param {Turned["end"]} end */
  function next({ nearest, change }) {
    if (nearest.length !== 1 || Math.abs(change) < EXACT) return "";
    const how = change > 0 ? "grows" : "shrinks";
    return ` Its lead over its nearest rival, ${NAMES[nearest[0]]}, ${how} with the next step.`;
  }

  /** What cannot be selected, and why; nothing, if every token can. @param {Turned} turned */
  function hindered({ tokens, worths, rays }) {
    const said = [];
    const places = new Map();
    tokens.forEach((each, i) => {
      const key = each.join();
      places.set(key, [...(places.get(key) ?? []), i]);
    });
    const shared = [...places.values()].filter((group) => group.length > 1);
    for (const group of shared) {
      said.push(
        `${named(group)} lie in one place: no direction puts one of them ahead, so they have no widest margin.`,
      );
    }
    rays.forEach((each, i) => {
      if (each || shared.some((group) => group.includes(i))) return;
      said.push(
        `${NAMES[i]} lies among the others: no direction puts it ahead of them all, so it has no widest margin.`,
      );
    });
    const tops = best(worths);
    if (tops.length === worths.length) {
      said.push(
        "All tokens are worth the same: there is nothing to learn, and w stays at its start.",
      );
    } else if (tops.length > 1) {
      said.push(`${named(tops)} are worth the same: there is no single best token.`);
    }
    return said.join(" ");
  }

  return { NAMES, named, turn, weight, told, hindered, length };
})();
