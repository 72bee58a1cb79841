// Words as vectors by their spelling: pairs of neighbouring letters are counted, and the vector is
// scaled to length one. The chapter on attention asks its dictionary of mountains so.

var SoftLookup = SoftLookup || {};

SoftLookup.letterPairs = (() => {
  "use strict";

  /** A word in the letters that are counted: in lower case, and without accents. @param {string} word */
  function plain(word) {
    return word.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  }

  /** The characters of a word that are no letters here. @param {string} word @param {string} letters */
  function unknown(word, letters) {
    const inside = letters.replace(/[$^]/g, "");
    return [...new Set(plain(word))].filter((letter) => !inside.includes(letter));
  }

  /** The vector of a word. @param {string} word @param {string} letters with ^ for the beginning and $ for the end */
  function vector(word, letters) {
    const places = [...`^${plain(word)}$`].map((letter) => letters.indexOf(letter));
    if (places.includes(-1))
      throw new RangeError(`no letters: ${unknown(word, letters).join(" ")}`);
    const counts = new Float32Array(letters.length ** 2);
    for (let i = 0; i + 1 < places.length; i++)
      counts[places[i] * letters.length + places[i + 1]] += 1;
    const length = SoftLookup.arrays.norm(counts);
    return counts.map((count) => count / length);
  }

  return { plain, unknown, vector };
})();
