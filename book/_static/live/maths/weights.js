// Trained weights as they travel: half-precision numbers, little-endian, in base64, with a table of
// names and shapes. The matrices of a large model travel as bytes, each row with the size of its step.
// A script in weights/ registers a bundle; it is unpacked when first asked for.

var SoftLookup = SoftLookup || {};

/**
 * @typedef {object} Packed What a script in weights/ registers.
 * @property {Record<string, any>} config Sizes, vocabularies, whatever the figure needs beside weights.
 * @property {[string, number[]][]} [tensors] Names and shapes, in the order of the data.
 * @property {string} [data] Half-precision numbers; of a matrix in bytes, the step of each row.
 * @property {string} [bytes] All matrices, in whole steps from -127 to 127.
 */

/**
 * @typedef {object} Bundle Unpacked weights, or a part of them.
 * @property {Record<string, any>} config
 * @property {(name: string) => boolean} has
 * @property {(name: string) => Float32Array} vector
 * @property {(name: string) => Matrix} matrix With a row for each entry of the first axis.
 * @property {(name: string) => Linear} linear The layer of that name: weight, and bias if it has one.
 * @property {(name: string) => Norm} norm
 * @property {(prefix: string) => Bundle} part What stands beneath a prefix.
 */

SoftLookup.weights = (() => {
  "use strict";
  /** @type {Map<string, Packed>} */
  const registered = new Map();
  /** @type {Map<string, Bundle>} */
  const unpacked = new Map();

  /** Called by the scripts in weights/. @param {string} name @param {Packed} packed */
  function register(name, packed) {
    registered.set(name, packed);
    unpacked.delete(name);
  }

  /** A bundle by its name. @param {string} name @returns {Bundle} */
  function get(name) {
    const packed = registered.get(name);
    if (!packed) throw new Error(`there are no weights ${name}`);
    const bundle = unpacked.get(name) ?? unpack(packed);
    unpacked.set(name, bundle);
    return bundle;
  }

  /** Half precision to single. @param {Uint8Array} bytes @returns {Float32Array} */
  function fromHalf(bytes) {
    const made = new Float32Array(bytes.length / 2);
    const bits = new Uint32Array(made.buffer);
    for (let i = 0; i < made.length; i++) {
      const half = bytes[2 * i] | (bytes[2 * i + 1] << 8);
      const sign = (half & 0x8000) << 16;
      const exponent = (half >> 10) & 0x1f;
      const digits = half & 0x3ff;
      if (exponent === 0) {
        made[i] = digits * 2 ** -24;
        bits[i] |= sign;
      } else {
        bits[i] = sign | ((exponent === 31 ? 0xff : exponent + 112) << 23) | (digits << 13);
      }
    }
    return made;
  }

  /** A matrix from its whole steps. @param {Int8Array} steps @param {Float32Array} sizes of a row's step @returns {Float32Array} */
  function fromSteps(steps, sizes) {
    const columns = steps.length / sizes.length;
    return Float32Array.from(steps, (each, i) => each * sizes[Math.floor(i / columns)]);
  }

  /** @param {string} text @returns {Uint8Array} */
  function fromBase64(text) {
    const characters = atob(text);
    const made = new Uint8Array(characters.length);
    for (let i = 0; i < made.length; i++) made[i] = characters.charCodeAt(i);
    return made;
  }

  /** @param {Packed} packed @returns {Bundle} */
  function unpack(packed) {
    const numbers = fromHalf(fromBase64(packed.data ?? ""));
    /** @type {Map<string, {shape: number[], data: Float32Array}>} */
    const tensors = new Map();
    const steps = packed.bytes && new Int8Array(fromBase64(packed.bytes).buffer);
    let at = 0;
    let step = 0;
    for (const [name, shape] of packed.tensors ?? []) {
      const size = shape.reduce((product, each) => product * each, 1);
      const inBytes = steps && shape.length === 2;
      const held = numbers.subarray(at, at + (inBytes ? shape[0] : size));
      at += held.length;
      const data = inBytes ? fromSteps(steps.subarray(step, step + size), held) : held;
      if (inBytes) step += size;
      tensors.set(name, { shape, data });
    }
    if (steps && step !== steps.length) {
      throw new Error(`${steps.length} bytes; expected ${step}`);
    }
    if (at !== numbers.length) throw new Error(`${numbers.length} numbers; expected ${at}`);
    return bundle(packed.config, tensors, "");
  }

  /** @param {Record<string, any>} config @param {Map<string, {shape: number[], data: Float32Array}>} tensors @param {string} prefix @returns {Bundle} */
  function bundle(config, tensors, prefix) {
    const find = (/** @type {string} */ name) => {
      const found = tensors.get(prefix + name);
      if (!found) throw new Error(`there are no weights ${prefix}${name}`);
      return found;
    };
    const has = (/** @type {string} */ name) => tensors.has(prefix + name);
    const vector = (/** @type {string} */ name) => find(name).data;
    const matrix = (/** @type {string} */ name) => {
      const { shape, data } = find(name);
      return SoftLookup.arrays.matrix(shape[0], data.length / shape[0], data);
    };
    const withBias = (/** @type {string} */ name) =>
      has(`${name}.bias`) ? vector(`${name}.bias`) : undefined;
    return {
      config,
      has,
      vector,
      matrix,
      linear: (name) => ({ weight: matrix(`${name}.weight`), bias: withBias(name) }),
      norm: (name) => ({ weight: vector(`${name}.weight`), bias: withBias(name) }),
      part: (inner) => bundle(config, tensors, prefix + inner),
    };
  }

  return { register, get, unpack, fromHalf };
})();
