// Loads the figures' scripts as a page does, in order, into a world of their own. A test is a
// function of that world, so that it can be tried on scripts with a mistake planted in them.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");

const LIVE = path.join(__dirname, "..", "..", "book", "_static", "live");
const GROUPS = JSON.parse(fs.readFileSync(path.join(LIVE, "groups.json"), "utf8"));

/** Where weights lie that are made when the book is built, and not kept beside the others. */
const MADE = process.env.LIVE_MADE;

/** The scripts that a list names, groups unfolded. */
function scriptsOf(wanted) {
  return [...new Set(wanted.flatMap((each) => GROUPS[each] ?? [each]))];
}

/** The source of a script. */
function source(script) {
  const kept = path.join(LIVE, `${script}.js`);
  if (fs.existsSync(kept)) return fs.readFileSync(kept, "utf8");
  if (!MADE) throw new Error(`${script}.js is not there; run these tests by pytest tests/live`);
  return fs.readFileSync(path.join(MADE, `${script}.js`), "utf8");
}

/**
 * A new world with these scripts: its SoftLookup.
 * @param wanted names of scripts, or of groups
 * @param planted a mistake: in which script, which words, what stands there instead
 */
function load(wanted, planted) {
  const world = vm.createContext({ atob, console, TextEncoder, TextDecoder });
  for (const script of scriptsOf(wanted)) {
    let text = source(script);
    if (planted?.script === script) {
      assert.equal(text.split(planted.old).length, 2, `${planted.old} stands once in ${script}`);
      text = text.replace(planted.old, () => planted.new);
    }
    vm.runInContext(text, world, { filename: script });
  }
  return vm.runInContext("SoftLookup", world);
}

/** The same in this world, where nothing stands between a script and Math: for taking times. */
function loadHere(wanted) {
  for (const script of scriptsOf(wanted)) {
    vm.runInThisContext(source(script), { filename: script });
  }
  return globalThis.SoftLookup;
}

/** The values that PyTorch computed. */
function expected(name) {
  return JSON.parse(fs.readFileSync(path.join(__dirname, "expected", `${name}.json`), "utf8"));
}

/** All numbers of a matrix, or of arrays within arrays. */
function flat(numbers) {
  return Array.from(numbers.data ?? numbers).flat(Number.POSITIVE_INFINITY);
}

/** The largest difference between what was computed and what was expected. */
function difference(computed, wanted) {
  const [a, b] = [flat(computed), flat(wanted)];
  assert.equal(a.length, b.length, "as many numbers");
  return a.reduce((most, each, i) => {
    const apart = Math.abs(each - b[i]);
    return Number.isNaN(apart) ? Number.POSITIVE_INFINITY : Math.max(most, apart);
  }, 0);
}

/** Equal to 1e-4, the bound of all figures; of large numbers, relatively. */
function near(computed, wanted, tolerance = 1e-4) {
  const size = Math.max(1, ...flat(wanted).map(Math.abs));
  const apart = difference(computed, wanted);
  assert.ok(apart <= tolerance * size, `${apart} apart, of ${size}; expected at most ${tolerance}`);
}

/** A planted mistake is found: the check fails on it. */
function caught(wanted, planted, check) {
  const world = load(wanted, planted);
  assert.throws(() => check(world), `nobody noticed ${planted.new}`);
}

module.exports = {
  LIVE,
  GROUPS,
  scriptsOf,
  source,
  load,
  loadHere,
  expected,
  flat,
  difference,
  near,
  caught,
};
