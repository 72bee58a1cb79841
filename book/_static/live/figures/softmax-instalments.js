// The reader goes through a row of scores block by block, with a maximum, a sum and a weighted sum to
// remember, writes other scores, takes larger blocks, and leaves out the correction.

(() => {
  "use strict";
  const { slider, field, toggle, button } = SoftLookup.controls;
  const { COLOURS, picture, words, fixed } = SoftLookup.pictures;
  const { run, atOnce, read } = SoftLookup.instalments;
  const { numbers, told, score } = SoftLookup.instalmentWords;
  const { config } = SoftLookup.weights.get("softmax-instalments");
  const OPENING = /** @type {number[]} */ (config.scores);
  const BEGIN = { size: 2, taken: 2, forget: false };
  const HIGH = 120;
  const LOW = 80;

  class SoftmaxInstalments extends SoftLookup.Figure {
    scores = OPENING;
    size = BEGIN.size;
    taken = BEGIN.taken;
    forget = BEGIN.forget;
    /** @type {InstalmentState | undefined} */
    found;

    build() {
      this.typed = field(this.controls, "Scores of the keys", {
        value: OPENING.map(score).join(" "),
        changed: (line) => {
          const { scores, fault } = read(line, config.most);
          this.complain(fault, this.typed);
          if (fault) return;
          this.scores = scores;
          this.fit();
          this.update();
        },
      });
      this.sizes = slider(this.controls, "Keys in a block", {
        min: 1,
        max: OPENING.length,
        value: this.size,
        changed: (size) => {
          this.size = size;
          this.fit();
          this.update();
        },
      });
      this.steps = slider(this.controls, "Blocks taken in", {
        max: this.blocks,
        value: this.taken,
        format: (taken) => `${taken} of ${this.blocks}`,
        changed: (taken) => {
          this.taken = taken;
          this.update();
        },
      });
      this.next = button(this.controls, "Next block", () => {
        this.taken = this.taken < this.blocks ? this.taken + 1 : 0;
        this.fit();
        this.update();
      });
      this.forgets = toggle(this.controls, "forget the correction", {
        value: this.forget,
        changed: (forget) => {
          this.forget = forget;
          this.update();
        },
      });
      this.drawn = picture(this.picture, (svg, width) => this.draw(svg, width));
    }

    get blocks() {
      return Math.ceil(this.scores.length / this.size);
    }

    /** Let the sliders reach as far as there are keys and blocks. */
    fit() {
      this.size = Math.min(this.size, this.scores.length);
      this.taken = Math.min(this.taken, this.blocks);
      if (this.sizes) this.sizes.input.max = String(this.scores.length);
      if (this.steps) this.steps.input.max = String(this.blocks);
      this.sizes?.set(this.size);
      this.steps?.set(this.taken);
    }

    reset() {
      this.scores = OPENING;
      Object.assign(this, BEGIN);
      if (this.typed) this.typed.value = OPENING.map(score).join(" ");
      if (this.forgets) this.forgets.checked = BEGIN.forget;
      this.fit();
    }

    update() {
      const { scores, size, forget, taken } = this;
      const values = scores.map((_, j) => config.step * (j + 1));
      const notes = run(scores, values, size, { forget });
      this.found = { scores, size, forget, taken, notes, whole: atOnce(scores, values) };
      if (this.next) this.next.textContent = taken < this.blocks ? "Next block" : "From the first";
      this.drawn?.redraw();
      this.list(numbers(this.found));
      this.say(told(this.found));
    }

    /** @param {Svg} svg @param {number} width */
    draw(svg, width) {
      const state = /** @type {InstalmentState} */ (this.found);
      const { scores, size, taken } = state;
      const left = 4;
      const cell = Math.min(96, (width - 2 * left) / scores.length);
      const x = (/** @type {number} */ key) => left + key * cell;
      const quiet = { size: 12, colour: COLOURS.quiet };
      const { domain, top } = scaled(scores);
      words(svg, left, 13, "scores by blocks; line: the maximum so far", quiet);
      for (let at = 0; at < this.blocks; at++) {
        const end = Math.min(scores.length, (at + 1) * size);
        this.band(svg, at, x(at * size), (end - at * size) * cell);
      }
      const zero = top(Math.max(domain[0], Math.min(0, domain[1])));
      scores.forEach((each, key) => {
        const read = key < taken * size;
        const middle = x(key + 0.5);
        line(svg, middle, zero, middle, top(each), read ? COLOURS.first : COLOURS.quiet);
        svg
          .append("circle")
          .attr("cx", middle)
          .attr("cy", top(each))
          .attr("r", 4)
          .attr("fill", read ? COLOURS.first : COLOURS.page)
          .attr("stroke", read ? COLOURS.first : COLOURS.quiet);
      });
      this.maxima(svg, x, top);
      scores.forEach((each, key) => {
        if (cell < 30) return;
        words(svg, x(key + 0.5), Math.min(top(each), zero) - 9, score(each), {
          anchor: "middle",
          size: 13,
        })
          .attr("paint-order", "stroke")
          .attr("stroke", key < taken * size ? COLOURS.raised : COLOURS.page)
          .attr("stroke-width", 4);
      });
      const base = 40 + HIGH + 48 + LOW;
      const titles = ["weight of each key so far;", "framed: in the softmax of the whole row"];
      const lines = width > 420 ? [titles.join(" ")] : titles;
      lines.forEach((each, i) => {
        words(svg, left, 40 + HIGH + 24 + 15 * i, each, quiet);
      });
      const most = Math.max(...Array.from(state.whole.weights), ...this.weights);
      this.bars(svg, x, base + 14, cell, most);
      return { height: base + 36, alt: this.seen() };
    }

    /** The weights of the keys that have been taken in. */
    get weights() {
      const { notes, taken } = /** @type {InstalmentState} */ (this.found);
      return taken ? notes[taken - 1].weights : [];
    }

    /** A block: taken in, the last one taken in, or waiting. @param {Svg} svg @param {number} at @param {number} x @param {number} width */
    band(svg, at, x, width) {
      const now = at === this.taken - 1;
      svg
        .append("rect")
        .attr("x", x + 1)
        .attr("y", 22)
        .attr("width", Math.max(1, width - 2))
        .attr("height", HIGH + 24)
        .attr("fill", at < this.taken ? COLOURS.raised : "none")
        .attr("stroke", now ? COLOURS.second : COLOURS.line)
        .attr("stroke-width", now ? 2.5 : 1)
        .attr("stroke-dasharray", at < this.taken ? null : "3 3");
    }

    /** The maximum after each block. @param {Svg} svg @param {(key: number) => number} x @param {(score: number) => number} y */
    maxima(svg, x, y) {
      const { notes, size, scores } = /** @type {InstalmentState} */ (this.found);
      notes.slice(0, this.taken).forEach(({ maximum }, at) => {
        const end = Math.min(scores.length, (at + 1) * size);
        line(svg, x(at * size), y(maximum), x(end), y(maximum), COLOURS.second);
      });
    }

    /** @param {Svg} svg @param {(key: number) => number} x @param {number} base @param {number} cell @param {number} most */
    bars(svg, x, base, cell, most) {
      const { whole } = /** @type {InstalmentState} */ (this.found);
      const bar = (/** @type {number} */ key, /** @type {number} */ weight) =>
        svg
          .append("rect")
          .attr("x", x(key) + 0.15 * cell)
          .attr("width", 0.7 * cell)
          .attr("y", base - (LOW * weight) / most)
          .attr("height", (LOW * weight) / most);
      this.weights.forEach((weight, key) => {
        bar(key, weight).attr("fill", COLOURS.first).attr("fill-opacity", 0.45);
        if (cell >= 36)
          words(svg, x(key + 0.5), base + 16, fixed(weight), { anchor: "middle", size: 12 });
      });
      Array.from(whole.weights).forEach((weight, key) => {
        bar(key, weight).attr("fill", "none").attr("stroke", COLOURS.text);
      });
      line(svg, x(0), base, x(whole.weights.length), base, COLOURS.quiet);
    }

    /** The picture in words. */
    seen() {
      const { scores, size, notes, taken } = /** @type {InstalmentState} */ (this.found);
      const blocks = notes.map((_, at) => scores.slice(at * size, (at + 1) * size).map(score));
      const read = blocks.slice(0, taken).map((block, at) => {
        const maximum = score(notes[at].maximum);
        return `Block ${at + 1}: ${block.join(", ")}; maximum ${maximum}.`;
      });
      const waiting = blocks.slice(taken).map((block) => block.join(", "));
      const weights = this.weights.map((weight) => fixed(weight)).join(", ");
      return [
        ...read,
        ...(waiting.length ? [`Waiting: ${waiting.join("; ")}.`] : []),
        ...(weights ? [`Weights so far: ${weights}.`] : []),
      ].join(" ");
    }
  }

  /** Heights of scores; the line of zero is seen where it is near. @param {number[]} scores */
  function scaled(scores) {
    const domain = [Math.min(0, ...scores), Math.max(0, ...scores)];
    if (domain[0] === domain[1]) domain[1] = 1;
    const top = d3.scaleLinear(domain, [22 + HIGH + 14, 48]);
    return { domain, top };
  }

  /** @param {Svg} svg @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {string} colour */
  function line(svg, x1, y1, x2, y2, colour) {
    svg
      .append("line")
      .attr("x1", x1)
      .attr("x2", x2)
      .attr("y1", y1)
      .attr("y2", y2)
      .attr("stroke", colour)
      .attr("stroke-width", 2);
  }

  customElements.define("softmax-instalments", SoftmaxInstalments);
})();
