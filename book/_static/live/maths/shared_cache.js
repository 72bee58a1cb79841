// What the caches of a model take: a key and a value for each shared head, in each layer, for each
// token of each text. The chapter on today's model counts them.

var SoftLookup = SoftLookup || {};

/**
 * @typedef {object} CachedModel The sizes on which a cache depends, and what the weights take.
 * @property {number} layers How many blocks.
 * @property {number} heads How many heads ask.
 * @property {number} d_head The width of a head.
 * @property {number} number_bytes How many bytes a number takes.
 * @property {number} weight_bytes What the weights take, in bytes.
 */

SoftLookup.sharedCache = (() => {
  "use strict";

  /** What one token adds, in bytes. @param {CachedModel} model @param {number} shared */
  function perToken(model, shared) {
    return 2 * model.layers * shared * model.d_head * model.number_bytes;
  }

  /** What texts of a length take. @param {CachedModel} model @param {number} shared @param {number} length @param {number} texts */
  function bytes(model, shared, length, texts) {
    return texts * length * perToken(model, shared);
  }

  /** The longest length at which the caches take no more than the weights. @param {CachedModel} model @param {number} shared @param {number} texts */
  function longest(model, shared, texts) {
    return Math.floor(model.weight_bytes / (texts * perToken(model, shared)));
  }

  return { perToken, bytes, longest };
})();
