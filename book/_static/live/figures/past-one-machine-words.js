// What the figure of many workers says: the outcome, why a kind gives no equal shares, and the picture
// in words.

var SoftLookup = SoftLookup || {};

/** @typedef {"data" | "sharded" | "tensor" | ScheduleName} WayToTrain A kind, a pipeline by its schedule. */

/**
 * @typedef {object} KindCounted What a kind comes to.
 * @property {ParallelKind} kind Which.
 * @property {Unequal | null} unequal What keeps it from being counted.
 * @property {number} holds The bytes that the fullest worker holds.
 * @property {number} sends The bytes that the busiest worker sends in a step.
 */

/**
 * @typedef {object} ManyWorkers All that the figure shows.
 * @property {ParallelModel} model Which model.
 * @property {WayToTrain} way How it is trained.
 * @property {number} workers By how many.
 * @property {number} batch The texts of a step.
 * @property {number} microBatches Into how many parts a pipeline cuts them.
 * @property {KindCounted[]} kinds Every kind, counted.
 * @property {KindCounted} own The one that was chosen.
 * @property {Pass[][] | null} table When each pass of a pipeline runs, if there is one.
 */

SoftLookup.manyWorkersWords = (() => {
  "use strict";
  const { fixed, byteSize } = SoftLookup.pictures;
  const { idleShare, idleFormula, mostKept, length } = SoftLookup.timetables;
  const WAYS = /** @type {[WayToTrain, string][]} */ ([
    ["data", "data parallel"],
    ["sharded", "sharded data parallel"],
    ["tensor", "tensor parallel"],
    ["gpipe", "pipeline, GPipe"],
    ["1f1b", "pipeline, 1F1B"],
  ]);

  /** A share in hundredths. @param {number} share */
  const percent = (share) => `${fixed(100 * share, 0)} per cent`;

  /** One worker, or several. @param {number} count @param {string} one */
  const many = (count, one) =>
    `${count} ${one}${count === 1 ? "" : one.endsWith("h") ? "es" : "s"}`;

  /** Why what was chosen cannot be counted; nothing if it can. @param {ManyWorkers} shown */
  function problem({ way, workers, microBatches, own }) {
    if (own.unequal) {
      const { count, what, among, whom } = own.unequal;
      return `${among} ${whom} cannot have equal shares of ${count} ${what}. Choose a number that divides ${count}.`;
    }
    if (way === "1f1b" && microBatches < workers) {
      return `Torch’s 1F1B asks for as many micro-batches as stages, or more: there are ${microBatches} and ${workers}.`;
    }
    return "";
  }

  /** The kinds of which a worker holds no more than the device. @param {ManyWorkers} shown @param {number} device */
  function fitting({ kinds, workers }, device) {
    const fit = kinds.filter(({ unequal, holds }) => !unequal && holds <= device);
    const [who, size] = [many(workers, "worker"), byteSize(device)];
    if (fit.length === 0) return `With ${who} no kind fits a device of ${size}.`;
    const names = fit.map(({ kind }) => kind).join(", ");
    return `What fits a device of ${size} with ${who}, activations left out: ${names}.`;
  }

  /** What the chosen way comes to. @param {ManyWorkers} shown */
  function costs({ model, way, workers, own }) {
    const name = WAYS.find(([each]) => each === way)?.[1];
    const [held, sent] = [byteSize(own.holds), byteSize(own.sends)];
    const staged = own.kind === "pipeline" && workers > 1;
    const who = staged
      ? `the fullest stage holds ${held}, and the busiest sends ${sent} a step`
      : `each holds ${held} and sends ${sent} a step`;
    const ends =
      staged && model.table
        ? " The output is the table of embeddings, which lies at both ends."
        : "";
    return `${model.name}, ${name}, ${many(workers, "worker")}: ${who}.${ends}`;
  }

  /** The outcome. @param {ManyWorkers} shown @param {number} device */
  function told(shown, device) {
    const { workers, microBatches, table } = shown;
    const fit = fitting(shown, device);
    if (problem(shown)) return `Nothing is counted for what you chose. ${fit}`;
    if (!table) return `${costs(shown)} ${fit}`;
    const formula = `${workers - 1} / (${microBatches} + ${workers - 1})`.replaceAll(" ", "\u00a0");
    const waits = percent(idleShare(table));
    const expected = percent(idleFormula(workers, microBatches));
    return `${costs(shown)} ${fit} The stages wait ${waits} of the time; ${formula} is ${expected}.`;
  }

  /** Numbers with their names. @param {ManyWorkers} shown @returns {[string, string][]} */
  function numbers(shown) {
    const { own, table, workers, microBatches } = shown;
    if (problem(shown)) return [];
    const bytes = /** @type {[string, string][]} */ ([
      ["held by a worker", byteSize(own.holds)],
      ["sent in a step", byteSize(own.sends)],
    ]);
    if (!table) return bytes;
    return [
      ...bytes,
      ["time spent waiting", fixed(idleShare(table), 3)],
      ["(p − 1) / (m + p − 1)", fixed(idleFormula(workers, microBatches), 3)],
      ["micro-batches remembered at most", String(Math.max(...table.map(mostKept)))],
    ];
  }

  /** The picture in words. @param {ManyWorkers} shown @param {number} device */
  function seen({ kinds, way, table, workers, microBatches }, device) {
    const counts = kinds.map(({ kind, unequal, holds, sends }) =>
      unequal
        ? `${kind}: no equal shares of ${unequal.count} ${unequal.what}`
        : `${kind}: holds ${byteSize(holds)}, sends ${byteSize(sends)}`,
    );
    const dots = `A dot for each kind, on a logarithmic scale. ${counts.join("; ")}. A mark stands at ${byteSize(device)}, and dots beyond it are hollow.`;
    if (!table) return dots;
    const first = table[0].find(({ kind }) => kind === "backward")?.start;
    const last = table[table.length - 1][0].start;
    return (
      `${dots} Timetable of ${many(workers, "stage")} and ${many(microBatches, "micro-batch")} by ${way === "gpipe" ? "GPipe" : "1F1B"}, ` +
      `${length(table)} forward passes long: the last stage begins at ${last}, and the first stage goes backward from ${first} on.`
    );
  }

  return { WAYS, problem, told, numbers, seen, many };
})();
