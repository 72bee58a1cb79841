// Speculative decoding at one place: what comes out when a draft proposes a token and a rule keeps it
// or draws another. A rule keeps a token some number of times as often as it should, and replaces it
// from what is left of the target, or from the target itself.

var SoftLookup = SoftLookup || {};

SoftLookup.speculation = (() => {
  "use strict";

  /** What two distributions share. @param {number[]} target @param {number[]} draft */
  const shared = (target, draft) => target.reduce((sum, p, i) => sum + Math.min(p, draft[i]), 0);

  /** With what probability each token is kept, if it is proposed. @param {number[]} target @param {number[]} draft @param {number} often */
  const kept = (target, draft, often) => target.map((p, i) => Math.min(1, (often * p) / draft[i]));

  /** What is left of the target when the draft is taken off, as a distribution. @param {number[]} target @param {number[]} draft */
  function left(target, draft) {
    const above = target.map((p, i) => Math.max(0, p - draft[i]));
    const total = above.reduce((sum, each) => sum + each, 0);
    return total > 0 ? above.map((each) => each / total) : target;
  }

  /**
   * The distribution of the token that comes out, and how often the proposal is kept.
   * @param {number[]} target @param {number[]} draft
   * @param {{often: number, from: "left" | "target"}} rule
   */
  function written(target, draft, { often, from }) {
    const keep = kept(target, draft, often);
    const share = draft.reduce((sum, q, i) => sum + q * keep[i], 0);
    const other = from === "left" ? left(target, draft) : target;
    return { share, tokens: draft.map((q, i) => q * keep[i] + (1 - share) * other[i]) };
  }

  /** How far two distributions are apart: the share of tokens that would have to change. @param {number[]} one @param {number[]} other */
  const apart = (one, other) => 1 - shared(one, other);

  return { shared, kept, left, written, apart };
})();
