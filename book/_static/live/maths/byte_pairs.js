// Byte pairs: text to tokens and back, as the library's tokenizer cuts it. A text is cut into words
// with the space before them; the bytes of each are joined, pair by pair, in the order in which the
// pairs were learned. The chapter on the next word does the merging by hand.

var SoftLookup = SoftLookup || {};

SoftLookup.bytePairs = (() => {
  "use strict";
  // White space as Unicode has it, which is not quite what JavaScript's \s means.
  const SPACE = "\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
  const WORDS = new RegExp(
    `'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^${SPACE}\\p{L}\\p{N}]+|[${SPACE}]+(?![^${SPACE}])|[${SPACE}]+`,
    "gu",
  );

  /**
   * A tokenizer.
   * @param {number[]} alphabet the byte that each of the first 256 tokens stands for
   * @param {[number, number][]} merges pairs of tokens; each made the next token
   */
  function tokenizer(alphabet, merges) {
    /** @type {number[][]} */
    const bytes = alphabet.map((byte) => [byte]);
    /** @type {Map<number, number>} */
    const ranks = new Map();
    const size = alphabet.length + merges.length;
    merges.forEach(([first, second], rank) => {
      bytes.push([...bytes[first], ...bytes[second]]);
      ranks.set(first * size + second, rank);
    });
    const tokenOfByte = new Map(alphabet.map((byte, id) => [byte, id]));

    /** The tokens of a word: join the pair that was learned first, until none is left. @param {string} word */
    function encodeWord(word) {
      const ids = Array.from(new TextEncoder().encode(word), (byte) => tokenOfByte.get(byte) ?? 0);
      for (;;) {
        let best = Number.POSITIVE_INFINITY;
        let at = -1;
        for (let i = 0; i + 1 < ids.length; i++) {
          const rank = ranks.get(ids[i] * size + ids[i + 1]) ?? Number.POSITIVE_INFINITY;
          if (rank < best) {
            best = rank;
            at = i;
          }
        }
        if (at < 0) return ids;
        ids.splice(at, 2, alphabet.length + best);
      }
    }

    /** The tokens of a text; any text has some, but the empty one. @param {string} text @returns {number[]} */
    function encode(text) {
      return (text.match(WORDS) ?? []).flatMap(encodeWord);
    }

    /** The text of tokens. Bytes that are no whole character become �. @param {number[]} ids */
    function decode(ids) {
      return new TextDecoder().decode(Uint8Array.from(ids.flatMap((id) => bytes[id])));
    }

    /** A token as it is shown: a dot for its space, an arrow for a new line. @param {number} id */
    function visible(id) {
      return decode([id]).replace(/ /g, "·").replace(/\n/g, "↵");
    }

    return { size, encode, decode, visible };
  }

  return { tokenizer };
})();
