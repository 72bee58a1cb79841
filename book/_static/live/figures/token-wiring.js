// Twelve untrained blocks wired by hand: skip, norm, and the parts that a block has. How unlike the
// tokens are after each, and the tokens themselves.

(() => {
  "use strict";
  const { choice, slider, toggle } = SoftLookup.controls;
  const { COLOURS, picture, words, axisBelow, significant, power } = SoftLookup.pictures;
  const { run, distinctness } = SoftLookup.wirings;
  const held = SoftLookup.weights.get("token-wiring");
  const { symbols, n_layers, n_heads } = held.config;
  /** @type {Wiring & {block: number}} */
  const BEGIN = { norm: "pre", skip: false, parts: "both", block: n_layers };
  // The chapter's bound: below it the tokens are the same.
  const SAME = 1e-5;
  const QUIET = { size: 12, colour: COLOURS.quiet };

  class TokenWiring extends SoftLookup.Figure {
    /** @type {Wiring & {block: number}} */
    chosen = { ...BEGIN };
    /** @type {Matrix[]} the tokens after each block */
    streams = [];
    /** @type {number[][]} distinctness by block, without the skip and with it */
    shares = [];

    build() {
      const set = (/** @type {Partial<Wiring & {block: number}>} */ changed) => {
        Object.assign(this.chosen, changed);
        this.update();
      };
      this.skips = toggle(this.controls, "skip", {
        value: BEGIN.skip,
        changed: (skip) => set({ skip }),
      });
      this.norms = choice(this.controls, "Norm", {
        options: [
          ["pre", "in front (pre-norm)"],
          ["post", "behind (post-norm)"],
          ["none", "none"],
        ],
        value: BEGIN.norm,
        changed: (norm) => set({ norm: /** @type {Wiring["norm"]} */ (norm) }),
      });
      this.contents = choice(this.controls, "A block has", {
        options: [
          ["both", "attention and feed-forward"],
          ["attention", "attention alone"],
          ["feed_forward", "feed-forward alone"],
        ],
        value: BEGIN.parts,
        changed: (parts) => set({ parts: /** @type {Wiring["parts"]} */ (parts) }),
      });
      this.depth = slider(this.controls, "Look after block", {
        max: n_layers,
        value: BEGIN.block,
        changed: (block) => set({ block }),
      });
      this.drawn = picture(this.picture, (svg, width) => this.draw(svg, width));
    }

    reset() {
      this.chosen = { ...BEGIN };
      if (this.skips) this.skips.checked = BEGIN.skip;
      if (this.norms) this.norms.value = BEGIN.norm;
      if (this.contents) this.contents.value = BEGIN.parts;
      this.depth?.set(BEGIN.block);
    }

    update() {
      const runs = [false, true].map((skip) =>
        run(held.matrix("tokens"), held, n_layers, n_heads, { ...this.chosen, skip }),
      );
      this.streams = runs[Number(this.chosen.skip)];
      this.shares = runs.map((after) => after.map(distinctness));
      this.drawn?.redraw();
      const { block } = this.chosen;
      this.list([
        ["without the skip", share(this.shares[0][block])],
        ["with the skip", share(this.shares[1][block])],
        ["before the first block", share(this.shares[0][0])],
      ]);
      this.say(this.told());
    }

    /** What has become of the tokens, and whether the skip decides it. */
    told() {
      const { block, skip } = this.chosen;
      const [here, other] = [skip, !skip].map((with_) => this.shares[Number(with_)][block]);
      if (block === 0) {
        return `Before the first block, the tokens’ distinctness is ${share(here)}, however the blocks are wired.`;
      }
      const same = here < SAME ? ": the eight tokens are the same" : "";
      const otherwise = skip ? "Without the skip" : "With the skip";
      return (
        `After block ${block}, the tokens’ distinctness is ${share(here)}${same}. ` +
        `${otherwise} it would be ${share(other)}.`
      );
    }

    /** @param {Svg} svg @param {number} width */
    draw(svg, width) {
      const beside = width > 600;
      const room = beside ? Math.round(0.48 * width) : width;
      const bottom = this.curves(svg, room);
      const [x, y] = beside ? [room + 26, 0] : [0, bottom + 24];
      const below = this.tokens(svg, x, y, width - x);
      return { height: Math.max(bottom, below), alt: this.seen() };
    }

    /** Distinctness by block, without and with the skip. @param {Svg} svg @param {number} width */
    curves(svg, width) {
      words(svg, 0, 13, "distinctness of the tokens (shaded: the same)", QUIET);
      const [left, right, top, bottom] = [40, width - 64, 30, 232];
      const x = d3.scaleLinear([0, n_layers], [left, right]);
      const y = d3.scaleLinear([-6, 0], [bottom, top]);
      // Whatever lies deeper is drawn inside the band.
      const at = (/** @type {number} */ value) => y(Math.max(-5.7, Math.log10(value)));
      svg
        .append("rect")
        .attr("x", left)
        .attr("y", at(SAME))
        .attr("width", right - left)
        .attr("height", bottom - at(SAME))
        .attr("fill", COLOURS.raised);
      for (let order = -5; order <= 0; order += 1) {
        svg
          .append("path")
          .attr("d", `M${left},${y(order)}H${right}`)
          .attr("stroke", COLOURS.line);
        words(svg, left - 6, y(order) + 4, order ? power(order) : "1", { ...QUIET, anchor: "end" });
      }
      axisBelow(svg, x, bottom, { ticks: 6, label: "blocks" });
      const { block, skip } = this.chosen;
      svg
        .append("path")
        .attr("d", `M${x(block)},${top}V${bottom}`)
        .attr("stroke", COLOURS.text);
      this.shares.forEach((shares, i) => {
        const chosen = Boolean(i) === skip;
        const colour = i ? COLOURS.first : COLOURS.second;
        const line = d3.line(
          (_, j) => x(j),
          (value) => at(Number(value)),
        );
        svg
          .append("path")
          .attr("d", line(/** @type {any} */ (shares)))
          .attr("fill", "none")
          .attr("stroke", colour)
          .attr("stroke-width", chosen ? 3 : 1.5)
          .attr("stroke-dasharray", chosen ? "" : "5 4");
        if (chosen) {
          svg
            .append("circle")
            .attr("cx", x(block))
            .attr("cy", at(shares[block]))
            .attr("r", 5)
            .attr("fill", colour)
            .attr("stroke", COLOURS.page);
        }
        const end = at(shares[n_layers]) + (i ? 2 : 6);
        words(svg, right + 8, end, i ? "skip" : "no skip", { colour, size: 13, bold: chosen });
      });
      return bottom + 42;
    }

    /** The tokens after the block: a row of bars for each. @param {Svg} svg @param {number} left @param {number} top @param {number} width */
    tokens(svg, left, top, width) {
      const { block } = this.chosen;
      const { data, rows, columns } = this.streams[block];
      const title = block ? `the tokens after block ${block}` : "the tokens before the first block";
      words(svg, left, top + 13, title, QUIET);
      const most = data.reduce((largest, each) => Math.max(largest, Math.abs(each)), 0);
      const x = d3.scaleLinear([0, columns], [left + 22, left + width]);
      const step = 26;
      const bar = Math.max(2, x(1) - x(0) - 2);
      for (let i = 0; i < rows; i++) {
        const middle = top + 34 + i * step;
        words(svg, left, middle + 5, String(symbols[i]), { size: 14 });
        svg
          .append("path")
          .attr("d", `M${x(0)},${middle}H${x(columns)}`)
          .attr("stroke", COLOURS.line);
        for (let j = 0; j < columns; j++) {
          const value = data[i * columns + j] / most;
          const height = 0.48 * step * Math.abs(value);
          svg
            .append("rect")
            .attr("x", x(j))
            .attr("y", value > 0 ? middle - height : middle)
            .attr("width", bar)
            .attr("height", height)
            .attr("fill", value > 0 ? COLOURS.first : COLOURS.fourth);
        }
      }
      const end = top + 34 + rows * step;
      words(svg, left, end, "a row: its 32 numbers, up or down from zero", QUIET);
      return end + 6;
    }

    /** The picture in words. */
    seen() {
      const [without, with_] = this.shares.map((shares) =>
        [1, 2, 3, 6, 12].map((block) => share(shares[block])).join(", "),
      );
      const same = this.shares[Number(this.chosen.skip)][this.chosen.block] < SAME;
      return (
        `Distinctness after blocks 1, 2, 3, 6 and 12: without the skip ${without}; with it ${with_}. ` +
        `The numbers of the eight tokens at block ${this.chosen.block}: ` +
        `${same ? "all rows look the same" : "the rows differ"}.`
      );
    }
  }

  /** A share in few digits. @param {number} value */
  function share(value) {
    if (value < SAME) return `below ${power(-5)}`;
    if (value >= 1e-3) return significant(value);
    const [digits, order] = value.toExponential(1).split("e");
    return `${digits} × ${power(Number(order))}`;
  }

  customElements.define("token-wiring", TokenWiring);
})();
