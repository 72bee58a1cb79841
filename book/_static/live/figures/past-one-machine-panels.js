// The panels of the figure of many workers: a row of dots for what each kind holds and another for what
// it sends, on one scale of bytes; and when each stage of a pipeline computes.

var SoftLookup = SoftLookup || {};

SoftLookup.manyWorkersPanels = (() => {
  "use strict";
  const { COLOURS, words, byteSize } = SoftLookup.pictures;
  const { length } = SoftLookup.timetables;
  const ROW = 22;
  const LEFT = 66;
  const QUIET = { size: 12, colour: COLOURS.quiet };
  /** A row that is high enough for a name of its own. */
  const TELLING = 16;
  /** From 100 kB to 1,000 TB. */
  const POWERS = [5, 15];
  /** The least width and height of a pass in which its number can be read. */
  const READABLE = { wide: 11, high: 20 };

  /** The scale of bytes, for a picture of this width. @param {number} width */
  const scale = (width) =>
    d3.scaleLog(
      POWERS.map((power) => 10 ** power),
      [LEFT, width - 62],
    );

  /** @param {Svg} svg @param {string} path @param {string} colour @param {string} [dash] */
  const line = (svg, path, colour, dash = "") =>
    svg.append("path").attr("d", path).attr("stroke", colour).attr("stroke-dasharray", dash);

  /** A row for each kind, with a dot at its bytes. @param {Svg} svg @param {number} width @param {number} top @param {ManyWorkers} shown @param {"holds" | "sends"} what @param {number} [room] dots beyond it are hollow */
  function dots(svg, width, top, { kinds, own }, what, room = Number.POSITIVE_INFINITY) {
    const x = scale(width);
    const [from, to] = x.range();
    kinds.forEach((each, i) => {
      const y = top + ROW * i + ROW / 2;
      const chosen = each === own;
      const colour = chosen ? COLOURS.first : COLOURS.quiet;
      words(svg, LEFT - 8, y + 4, each.kind, { anchor: "end", size: 13, bold: chosen, colour });
      line(svg, `M${from},${y}H${to}`, COLOURS.line);
      if (each.unequal) {
        words(svg, from + 2, y + 4, `no equal shares: ${each.unequal.count} ${each.unequal.what}`, {
          size: 12,
          colour,
        })
          .attr("stroke", COLOURS.page)
          .attr("stroke-width", 5)
          .attr("paint-order", "stroke");
        return;
      }
      const bytes = each[what];
      const at = bytes > 0 ? x(bytes) : from;
      line(svg, `M${from},${y}H${at}`, colour).attr("stroke-width", chosen ? 2.5 : 1.2);
      svg
        .append("circle")
        .attr("cx", at)
        .attr("cy", y)
        .attr("r", chosen ? 6 : 4)
        .attr("fill", bytes > room ? COLOURS.page : colour)
        .attr("stroke", colour)
        .attr("stroke-width", 2);
      words(svg, width, y + 4, byteSize(bytes), { anchor: "end", size: 13, bold: chosen, colour });
    });
    return top + ROW * kinds.length;
  }

  /** What each kind holds, beside the device, and what it sends. @param {Svg} svg @param {number} width @param {ManyWorkers} shown @param {number} device */
  function bytes(svg, width, shown, device) {
    const x = scale(width);
    const parts = width >= 480 ? ": weights, gradients, Adam’s two averages" : "";
    words(svg, 0, 14, `Held by a worker, activations left out${parts}`, { size: 13 });
    const mark = x(device);
    words(svg, mark, 34, `one device, ${byteSize(device)}: filled fits`, {
      ...QUIET,
      anchor: "middle",
    });
    const rows = ROW * shown.kinds.length;
    line(svg, `M${mark},40v${rows}`, COLOURS.text, "4 3").attr("stroke-width", 1.5);
    const held = dots(svg, width, 40, shown, "holds", device);
    words(svg, 0, held + 24, "Sent by the busiest worker in a step", { size: 13 });
    const bottom = dots(svg, width, held + 32, shown, "sends");
    for (const power of [6, 9, 12]) {
      const at = x(10 ** power);
      line(svg, `M${at},${bottom}v5`, COLOURS.quiet);
      words(svg, at, bottom + 18, byteSize(10 ** power), { ...QUIET, anchor: "middle" });
    }
    return bottom + 30;
  }

  /** A rectangle as part of a path. @param {number} x @param {number} y @param {number} width @param {number} height */
  const box = (x, y, width, height) => `M${x},${y}h${width}v${height}h${-width}z`;

  /** When each stage computes: forward passes low, backward passes high. @param {Svg} svg @param {number} width @param {number} top @param {Pass[][]} table */
  function stages(svg, width, top, table) {
    const unit = (width - LEFT) / length(table);
    const row = Math.max(4, Math.min(26, Math.floor(240 / table.length)));
    const gap = row > 8 ? 3 : 1;
    const low = 0.62;
    const readable = unit >= READABLE.wide && row >= READABLE.high;
    const boxes = { forward: "", backward: "" };
    words(svg, 0, top + 14, "Time runs from left to right, a row a stage", { size: 13 });
    const from = top + 26;
    const high = row - gap;
    table.forEach((passes, stage) => {
      const y = from + row * stage;
      line(svg, `M${LEFT},${y + high}H${width}`, COLOURS.line);
      const ends = stage === 0 || stage === table.length - 1;
      if (row >= TELLING || ends) {
        const beside = row >= TELLING ? high / 2 + 4 : stage === 0 ? 9 : high + 1;
        words(svg, LEFT - 8, y + beside, `stage ${stage + 1}`, { ...QUIET, anchor: "end" });
      }
      for (const { kind, microBatch, start, end } of passes) {
        const height = kind === "forward" ? low * high : high;
        const wide = (end - start) * unit;
        const between = Math.min(1, 0.15 * wide);
        boxes[kind] += box(LEFT + start * unit, y + high - height, wide - between, height);
        if (readable) {
          words(
            svg,
            LEFT + (start + end) * 0.5 * unit,
            y + high - 0.5 * low * high + 4,
            String(microBatch + 1),
            {
              anchor: "middle",
              size: 11,
              colour: COLOURS.page,
              bold: true,
            },
          );
        }
      }
    });
    const bottom = from + row * table.length;
    for (const [kind, colour] of [
      ["forward", COLOURS.first],
      ["backward", COLOURS.second],
    ]) {
      svg
        .insert("path", "text")
        .attr("d", boxes[/** @type {"forward" | "backward"} */ (kind)])
        .attr("fill", colour);
    }
    return legend(svg, width, bottom + 8, high, low);
  }

  /** What low, high and empty mean. @param {Svg} svg @param {number} width @param {number} top @param {number} high @param {number} low */
  function legend(svg, width, top, high, low) {
    const tall = Math.max(10, Math.min(16, high));
    const entries = /** @type {[string, string, number][]} */ ([
      ["forward pass", COLOURS.first, low * tall],
      ["backward pass", COLOURS.second, tall],
      ["empty: waiting", COLOURS.page, 0],
    ]);
    const abreast = width >= 480;
    entries.forEach(([told, colour, height], i) => {
      const [x, y] = abreast ? [LEFT + 150 * i, top] : [LEFT, top + 22 * i];
      svg
        .append("path")
        .attr("d", box(x, y + tall - height, 22, height))
        .attr("fill", colour);
      line(svg, `M${x},${y + tall}h22`, COLOURS.line);
      words(svg, x + 30, y + tall - 2, told, QUIET);
    });
    return top + (abreast ? 26 : 26 + 22 * (entries.length - 1));
  }

  return { bytes, stages };
})();
