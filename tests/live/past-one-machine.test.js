// Past one machine: what a worker holds and sends is what the library counts, in published sizes and in
// four workers that trained; and each pass of a pipeline runs when the library's timetable has it.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { load, expected, near, caught } = require("./live.js");

const WANTED = ["maths", "maths/parallel_costs", "maths/timetables", "weights/past-one-machine"];
const known = expected("past-one-machine");

function costsAreTheLibrarys(SoftLookup) {
  const { models } = SoftLookup.weights.get("past-one-machine").config;
  const { holds, sends, unequal } = SoftLookup.parallelCosts;
  for (const [name, kind, workers, batch, both] of known.cases) {
    const model = models.find((each) => each.name === name);
    const reason = unequal(kind, model, workers, batch, 1);
    assert.equal(reason === null, both !== null, `${name}, ${kind}, ${workers} workers`);
    if (both === null) continue;
    near([holds(kind, model, workers) / both[0]], [1], 1e-6);
    if (both[1] === 0) assert.equal(sends(kind, model, workers, batch), 0);
    else near([sends(kind, model, workers, batch) / both[1]], [1], 1e-6);
  }
}

function countedIsFormula(SoftLookup) {
  const { model, held } = known.small;
  const { holds, training, stages } = SoftLookup.parallelCosts;
  assert.deepEqual(Array.from(stages(model, 4), training), held.pipeline);
  assert.equal(holds("pipeline", model, 4), Math.max(...held.pipeline));
  for (const kind of ["data", "tensor"]) {
    assert.deepEqual(new Array(4).fill(holds(kind, model, 4)), held[kind]);
  }
  // A shard is a whole number of rows, so the last is the smallest.
  const sharded = held.sharded.reduce((sum, each) => sum + each, 0);
  assert.equal(4 * holds("sharded", model, 4), sharded);
}

function passesAreTheLibrarys(SoftLookup) {
  const { planned } = SoftLookup.timetables;
  for (const { schedule, micro_batches, rows } of known.tables) {
    const table = planned(schedule, rows.length, micro_batches);
    const plain = table.map((row) => row.map((each) => Object.values(each)));
    assert.deepEqual(JSON.parse(JSON.stringify(plain)), rows);
  }
}

function waitsAreTheLibrarys(SoftLookup) {
  const { planned, idleShare, idleFormula, mostKept } = SoftLookup.timetables;
  for (const [schedule, stages, microBatches, idle, kept] of known.waits) {
    const table = planned(schedule, stages, microBatches);
    near([idleShare(table), idleFormula(stages, microBatches)], [idle, idle], 1e-7);
    assert.equal(Math.max(...table.map(mostKept)), kept);
  }
}

const world = load(WANTED);
test("at published sizes a worker holds and sends what the library says", () =>
  costsAreTheLibrarys(world));
test("four workers that trained held what the formulas say", () => countedIsFormula(world));
test("each pass of four stages runs when the library has it", () => passesAreTheLibrarys(world));
test("every pipeline waits as long as the library's, and as the formula says", () =>
  waitsAreTheLibrarys(world));

test("what does not divide is named", () => {
  const { models } = world.weights.get("past-one-machine").config;
  const { unequal } = world.parallelCosts;
  const [, , xl, , llama] = models;
  const words = (...asked) => Object.values(unequal(...asked)).join(" ");
  assert.equal(words("tensor", xl, 2, 8, 1), "25 heads of keys 2 workers");
  assert.equal(words("tensor", llama, 16, 8, 1), "8 heads of keys 16 workers");
  assert.equal(words("pipeline", llama, 32, 8, 1), "80 blocks 32 workers");
  assert.equal(words("pipeline", llama, 2, 8, 16), "8 texts 16 micro-batches");
  assert.equal(words("sharded", llama, 16, 8, 1), "8 texts 16 workers");
});

test("what the figure's question asks has the answer that the formulas give", () => {
  const { config } = world.weights.get("past-one-machine");
  const { holds, unequal } = world.parallelCosts;
  const llama = config.models[4];
  const fits = (kind, workers) => holds(kind, llama, workers) <= config.device_bytes;
  assert.deepEqual(
    ["data", "sharded", "pipeline"].map((kind) => fits(kind, 16)),
    [false, true, true],
  );
  assert.ok(!fits("sharded", 8));
  assert.ok(unequal("tensor", llama, 16, 768, 1) && !fits("tensor", 8));
  const { planned, idleShare } = world.timetables;
  assert.ok(idleShare(planned("gpipe", 16, 128)) > 0.1);
  assert.ok(idleShare(planned("gpipe", 16, 256)) < 0.1);
});

for (const [script, old, wrong, check] of [
  ["parallel_costs", "2 * gathered(", "gathered(", costsAreTheLibrarys],
  ["parallel_costs", "(workers - 1)) / workers", "workers) / workers", costsAreTheLibrarys],
  ["parallel_costs", "3 * gathered(", "2 * gathered(", costsAreTheLibrarys],
  ["parallel_costs", "4 * model.layers *", "2 * model.layers *", costsAreTheLibrarys],
  ["parallel_costs", "training(all - cut) + ", "", costsAreTheLibrarys],
  ["parallel_costs", "training(all - cut) + ", "", countedIsFormula],
  ["parallel_costs", "each[0] += first;", "", costsAreTheLibrarys],
  ["parallel_costs", "each[count - 1] += last;", "each[0] += last;", countedIsFormula],
  ["parallel_costs", " + allReduced(NUMBER_BYTES * model.table, 2)", "", costsAreTheLibrarys],
  ["parallel_costs", "workers > 2 ?", "workers > 64 ?", costsAreTheLibrarys],
  ["parallel_costs", "batch * model.length *", "model.length *", costsAreTheLibrarys],
  ["parallel_costs", '[model.shared_heads, "heads of keys"],', "", costsAreTheLibrarys],
  ["timetables", "stages - stage)", "stages)", passesAreTheLibrarys],
  ["timetables", "backward = 2", "backward = 1", passesAreTheLibrarys],
  ["timetables", "ends[stage + 1].backward", "ends[stage].forward", passesAreTheLibrarys],
  ["timetables", "Math.max(from, ", "Math.min(from, ", passesAreTheLibrarys],
  ["timetables", "microBatches + stages - 1", "microBatches", waitsAreTheLibrarys],
  ["timetables", "most = Math.max(most, kept)", "most = kept", waitsAreTheLibrarys],
]) {
  test(`a planted mistake is found: ${wrong || `without ${old}`}`, () => {
    caught(WANTED, { script: `maths/${script}`, old, new: wrong }, check);
  });
}
