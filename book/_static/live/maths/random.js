// Chance with a seed: the same draws in every browser, so that a reader can come back to them.

var SoftLookup = SoftLookup || {};

SoftLookup.random = (() => {
  "use strict";

  /** A source of chance. Its steps are those of the generator known as mulberry32. @param {number} seed */
  function generator(seed) {
    let state = seed >>> 0;

    /** From 0 to below 1. */
    function uniform() {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    }

    /** A standard normal number. */
    function normal() {
      return Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
    }

    /** A place, drawn with the probabilities given. @param {ArrayLike<number>} probabilities */
    function draw(probabilities) {
      let left = uniform();
      let last = 0;
      for (let i = 0; i < probabilities.length; i++) {
        if (probabilities[i] <= 0) continue;
        last = i;
        left -= probabilities[i];
        if (left < 0) return i;
      }
      return last;
    }

    /** The same things in another order. @template T @param {T[]} things @returns {T[]} */
    function shuffled(things) {
      const made = [...things];
      for (let i = made.length - 1; i > 0; i--) {
        const j = Math.floor(uniform() * (i + 1));
        [made[i], made[j]] = [made[j], made[i]];
      }
      return made;
    }

    return { uniform, normal, draw, shuffled };
  }

  return { generator };
})();
