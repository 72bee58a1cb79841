// Numerals as the chapters write them: a number in English words, and in the parts of its German
// word, up to 999,999. Also which English word a German part translates, and which numbers are new
// to a translator of the chapter on encoder and decoder, and how.

var SoftLookup = SoftLookup || {};

SoftLookup.numerals = (() => {
  "use strict";
  const LARGEST = 999_999;
  const ENGLISH = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen " +
    "fifteen sixteen seventeen eighteen nineteen"
  ).split(" ");
  const ENGLISH_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
  const GERMAN = (
    "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn " +
    "fünfzehn sechzehn siebzehn achtzehn neunzehn"
  ).split(" ");
  const GERMAN_TENS = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split(" ");

  /** @param {number} n below a thousand, above zero @param {boolean} after whether thousands stand before @returns {string[]} */
  function englishBelow(n, after) {
    const hundreds = Math.floor(n / 100);
    const rest = n % 100;
    /** @type {string[]} */
    const words = hundreds ? [ENGLISH[hundreds], "hundred"] : [];
    if (rest && (hundreds || after)) words.push("and");
    if (rest >= 20) words.push(ENGLISH_TENS[Math.floor(rest / 10) - 2]);
    const unit = rest < 20 ? rest : rest % 10;
    return unit ? [...words, ENGLISH[unit]] : words;
  }

  /** The number in English words: 42 is forty, two. @param {number} n @returns {string[]} */
  function english(n) {
    if (n === 0) return [ENGLISH[0]];
    const thousands = Math.floor(n / 1000);
    const before = thousands ? [...englishBelow(thousands, false), "thousand"] : [];
    return [...before, ...englishBelow(n % 1000, thousands > 0)];
  }

  /** @param {number} n below a thousand @param {string} one how a last one is said @returns {string[]} */
  function germanBelow(n, one) {
    const hundreds = Math.floor(n / 100);
    const rest = n % 100;
    const words = hundreds ? [GERMAN[hundreds], "hundert"] : [];
    if (rest === 0) return words;
    if (rest < 20) return [...words, rest === 1 ? one : GERMAN[rest]];
    const ten = GERMAN_TENS[Math.floor(rest / 10) - 2];
    return rest % 10 ? [...words, GERMAN[rest % 10], "und", ten] : [...words, ten];
  }

  /** The number in the parts of its German word: 42 is zwei, und, vierzig. @param {number} n @returns {string[]} */
  function german(n) {
    if (n === 0) return [GERMAN[0]];
    const thousands = Math.floor(n / 1000);
    const before = thousands ? [...germanBelow(thousands, "ein"), "tausend"] : [];
    return [...before, ...germanBelow(n % 1000, "eins")];
  }

  /** What a German part means in English; nothing for "und". @param {string} part @returns {string | undefined} */
  function meaning(part) {
    if (part === "eins") return "one";
    if (part === "hundert") return "hundred";
    if (part === "tausend") return "thousand";
    const unit = GERMAN.indexOf(part);
    return unit >= 0 ? ENGLISH[unit] : ENGLISH_TENS[GERMAN_TENS.indexOf(part)];
  }

  /** For each German part, the place of the English word that it translates; -1 for "und". @param {number} n @returns {number[]} */
  function alignment(n) {
    const fence = (/** @type {string | undefined} */ word) =>
      word === "hundred" || word === "thousand";
    /** @type {Map<string, number>} */
    const places = new Map();
    let fences = 0;
    english(n).forEach((word, place) => {
      places.set(`${fences} ${word}`, place);
      if (fence(word)) fences += 1;
    });
    fences = 0;
    return german(n).map((part) => {
      const means = meaning(part);
      const place = places.get(`${fences} ${means}`) ?? -1;
      if (fence(means)) fences += 1;
      return place;
    });
  }

  /**
   * In which ways a number is new to a translator.
   * @param {number} n @param {{held_out: number[], longest: number}} trained which pairs it never
   *   saw, and how many English words it saw at most; it never saw zero
   */
  function news(n, { held_out, longest }) {
    const pair = held_out.includes(n % 100) || held_out.includes(Math.floor(n / 1000) % 100);
    return { pair, length: english(n).length > longest, construction: n >= 100_000, zero: n === 0 };
  }

  /** The number that somebody wrote, thousands marked or not; or what is wrong with it. @param {string} text @returns {{number?: number, fault: string}} */
  function read(text) {
    const written = text.trim();
    if (written === "") return { fault: "Write a whole number from 0 to 999,999, in digits." };
    if (!/^(\d+|\d{1,3}([, ]\d{3})+)$/.test(written)) {
      return { fault: "Write digits alone, as 97531: a whole number from 0 to 999,999." };
    }
    const number = Number(written.replace(/\D/g, ""));
    if (number > LARGEST) return { fault: "The numerals of this chapter end at 999,999." };
    return { number, fault: "" };
  }

  return { english, german, alignment, news, read, meaning };
})();
