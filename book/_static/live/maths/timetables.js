// Who waits for whom in a pipeline: the order in which a stage works, when each of its passes runs, and
// the share of the time in which stages wait. As the library's schedules count it, without a clock.

var SoftLookup = SoftLookup || {};

/** @typedef {"gpipe" | "1f1b"} ScheduleName */

/**
 * @typedef {object} Pass One pass of a stage, in order or with its time.
 * @property {"forward" | "backward"} kind Which way.
 * @property {number} microBatch Which micro-batch, from 0.
 * @property {number} start When it begins, in forward passes.
 * @property {number} end When it is done.
 */

SoftLookup.timetables = (() => {
  "use strict";

  /** What a stage does after what, as torch's schedules order it. @param {ScheduleName} schedule @param {number} stage @param {number} stages @param {number} microBatches */
  function order(schedule, stage, stages, microBatches) {
    const ahead = schedule === "gpipe" ? microBatches : Math.min(microBatches, stages - stage);
    const passes = /** @type {Pass[]} */ ([]);
    /** @param {Pass["kind"]} kind @param {number} microBatch */
    const add = (kind, microBatch) => passes.push({ kind, microBatch, start: 0, end: 0 });
    for (let n = 0; n < ahead; n++) add("forward", n);
    for (let n = 0; n < microBatches; n++) {
      add("backward", n);
      if (ahead + n < microBatches) add("forward", ahead + n);
    }
    return passes;
  }

  /** When each pass runs if every stage works as soon as it can. @param {Pass[][]} orders @param {number} [forward] how long a forward pass takes @param {number} [backward] */
  function timetable(orders, forward = 1, backward = 2) {
    const ends = orders.map(() => ({
      forward: /** @type {number[]} */ ([]),
      backward: /** @type {number[]} */ ([]),
    }));
    const done = orders.map(() => 0);
    /** When a pass has what it needs from others. @param {number} stage @param {Pass} pass @returns {number | undefined} */
    function ready(stage, { kind, microBatch }) {
      if (kind === "forward") return stage === 0 ? 0 : ends[stage - 1].forward[microBatch];
      const behind = stage < orders.length - 1 ? ends[stage + 1].backward : ends[stage].forward;
      return behind[microBatch];
    }
    for (let moved = true; moved; ) {
      moved = false;
      orders.forEach((order, stage) => {
        for (; done[stage] < order.length; done[stage]++) {
          const pass = order[done[stage]];
          const from = ready(stage, pass);
          if (from === undefined) return;
          pass.start = Math.max(from, done[stage] ? order[done[stage] - 1].end : 0);
          pass.end = pass.start + (pass.kind === "forward" ? forward : backward);
          ends[stage][pass.kind][pass.microBatch] = pass.end;
          moved = true;
        }
      });
    }
    return orders;
  }

  /** The timetable of every stage. @param {ScheduleName} schedule @param {number} stages @param {number} microBatches */
  const planned = (schedule, stages, microBatches) =>
    timetable(
      Array.from({ length: stages }, (_, stage) => order(schedule, stage, stages, microBatches)),
    );

  /** How long a step takes. @param {Pass[][]} table */
  const length = (table) => Math.max(...table.map((row) => row[row.length - 1].end));

  /** The share of all stages' time in which they wait. @param {Pass[][]} table */
  function idleShare(table) {
    const busy = table.flat().reduce((sum, { start, end }) => sum + end - start, 0);
    return 1 - busy / (length(table) * table.length);
  }

  /** The same for a step that begins and ends with an empty pipeline. @param {number} stages @param {number} microBatches */
  const idleFormula = (stages, microBatches) => (stages - 1) / (microBatches + stages - 1);

  /** The most micro-batches whose activations a stage keeps at one time. @param {Pass[]} passes */
  function mostKept(passes) {
    let [kept, most] = [0, 0];
    for (const { kind } of passes) {
      kept += kind === "forward" ? 1 : -1;
      most = Math.max(most, kept);
    }
    return most;
  }

  return { order, timetable, planned, length, idleShare, idleFormula, mostKept };
})();
