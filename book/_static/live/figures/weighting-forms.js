// Seven forms of weighting side by side, on the same five scores: the reader moves the scores, one by
// one or all together, and sees each form's weights, their sum, and what is read.

(() => {
  "use strict";
  const { element, choice, button } = SoftLookup.controls;
  const { COLOURS, picture, words, axisLeft, fixed, significant } = SoftLookup.pictures;
  const { forms, read, lookupError } = SoftLookup.weightings;
  const { KEYS, SUBJECTS, shown, total, told, moved } = SoftLookup.weightingWords;
  const { config } = SoftLookup.weights.get("weighting-forms");
  const { limit, wanted } = config;
  const names = /** @type {string[]} */ (config.forms);
  const values = /** @type {number[]} */ (config.values);
  const STEP = 0.1;
  /** Without the last digits, so that steps up and down meet zero again. @param {number} score */
  const clean = (score) => Number(score.toFixed(9));
  const CHANGES = /** @type {[string, string, (score: number) => number][]} */ ([
    ["all + 1", "Adding 1 to every score", (score) => score + 1],
    ["all − 1", "Taking 1 from every score", (score) => score - 1],
    ["all × 2", "Doubling every score", (score) => score * 2],
    ["all ÷ 2", "Halving every score", (score) => score / 2],
  ]);

  class WeightingForms extends SoftLookup.Figure {
    scores = /** @type {number[]} */ ([...config.scores]);
    form = names[0];
    /** @type {{words: string, before: number[]} | undefined} the last change of all scores */
    changed;

    build() {
      this.kind = choice(this.controls, "Tell about", {
        options: names.map((name) => [name, name]),
        value: this.form,
        changed: (form) => {
          this.form = form;
          this.update();
        },
      });
      const row = element("div", "live-row");
      row.setAttribute("role", "group");
      row.setAttribute("aria-label", "Change every score");
      for (const [label, words, change] of CHANGES) {
        button(row, label, () => this.change(words, change));
      }
      this.controls.append(row);
      this.drawn = picture(this.picture, (svg, width) => this.draw(svg, width), {
        interactive: true,
      });
    }

    reset() {
      this.scores = [...config.scores];
      this.form = names[0];
      this.changed = undefined;
      if (this.kind) this.kind.value = this.form;
    }

    /** All scores at once, unless one would leave the picture. @param {string} words @param {(score: number) => number} change */
    change(words, change) {
      const scores = this.scores.map((score) => clean(change(score)));
      const far = scores.some((score) => Math.abs(score) > limit + 1e-9);
      this.complain(
        far ? `Scores stay between −${limit} and ${limit} here; this would take one beyond.` : "",
      );
      if (far) return;
      this.changed = { words, before: this.scores };
      this.scores = scores;
      this.update();
    }

    /** @param {number} key @param {number} score */
    move(key, score) {
      const near = clean(Math.round(score / STEP) * STEP);
      this.scores = this.scores.map((each, j) =>
        j === key ? Math.min(limit, Math.max(-limit, near)) : each,
      );
      this.changed = undefined;
      this.complain("");
      this.update();
    }

    update() {
      this.drawn?.redraw();
      const weights = forms[this.form](this.scores);
      const answer = read(weights, values);
      this.list([
        ["its weights sum to", shown(total(weights))],
        ["its smallest weight", significant(Math.min(...weights), 3)],
        [`reads, where ${values[wanted]} is asked for`, fixed(answer)],
        ["error of the lookup", fixed(lookupError(weights, wanted))],
      ]);
      const { scores, changed } = this;
      const last = changed
        ? ` ${moved(changed.words, forms[this.form](changed.before), weights)}`
        : "";
      this.say(told(this.form, { scores, weights, answer, values, wanted }) + last);
    }

    /** @param {Svg} svg @param {number} width */
    draw(svg, width) {
      const wide = width > 560;
      const left = wide ? 128 : 34;
      const column = (width - left - (wide ? 186 : 0)) / KEYS.length;
      this.handles(svg, left, column, wide);
      const quiet = { size: 12, colour: COLOURS.quiet };
      const note = [
        "a weight of 0 is exactly zero, 0.00 is not;",
        "a full bar is 1, or the row’s largest weight",
      ];
      const lines = wide ? [note.join(" ")] : note;
      lines.forEach((each, i) => {
        words(svg, 0, 310 + 16 * i, each, quiet);
      });
      let y = 328 + 16 * (lines.length - 1);
      if (wide) {
        ["sum", "reads", "error"].forEach((name, i) => {
          words(svg, width - 124 + i * 62, y + 2, name, { ...quiet, anchor: "end" });
        });
        y += 8;
      }
      for (const name of names) y += this.row(svg, name, { y, left, column, width, wide });
      return { height: y + 4, alt: this.seen() };
    }

    /** The scores, to be moved up and down. @param {Svg} svg @param {number} left @param {number} column @param {boolean} wide */
    handles(svg, left, column, wide) {
      const up = d3.scaleLinear([-limit, limit], [226, 44]);
      const right = left + KEYS.length * column;
      words(svg, 0, 14, "score of each key (★ is asked for)", { size: 13, colour: COLOURS.quiet });
      axisLeft(svg, up, left - 4, { ticks: 4 });
      if (!wide) words(svg, 0, 284, "holds", { size: 12, colour: COLOURS.quiet });
      svg
        .append("path")
        .attr("d", `M${left - 4},${up(0)}H${right}`)
        .attr("stroke", COLOURS.quiet)
        .attr("stroke-dasharray", "4 4");
      KEYS.forEach((key, j) => {
        const x = left + (j + 0.5) * column;
        const asked = j === wanted;
        const colour = asked ? COLOURS.second : COLOURS.first;
        const score = this.scores[j];
        svg
          .append("path")
          .attr("d", `M${x},${up(0)}V${up(score)}`)
          .attr("stroke", colour)
          .attr("stroke-width", 3);
        words(svg, x, up(score) + (score >= 0 ? -15 : 25), fixed(score), {
          size: 12,
          anchor: "middle",
        });
        words(svg, x, 268, asked ? `★ ${key}` : key, { anchor: "middle", bold: asked });
        words(svg, x, 284, wide ? `holds ${values[j]}` : String(values[j]), {
          size: 12,
          anchor: "middle",
          colour: COLOURS.quiet,
        });
        SoftLookup.handles.handle(svg, {
          key: `score-${key}`,
          label: `Score of key ${key}`,
          value: fixed(score),
          x,
          y: up(score),
          step: up(0) - up(STEP),
          colour,
          moved: (_, y) => this.move(j, up.invert(y)),
        });
      });
    }

    /**
     * A form's weights under the keys, and what becomes of them.
     * @param {Svg} svg @param {string} name
     * @param {{y: number, left: number, column: number, width: number, wide: boolean}} place
     */
    row(svg, name, { y, left, column, width, wide }) {
      const weights = forms[name](this.scores);
      const most = Math.max(1, ...weights.map(Math.abs));
      const bold = name === this.form;
      const stats = [total(weights), read(weights, values), lookupError(weights, wanted)];
      const tall = wide ? 38 : 68;
      const top = wide ? y : y + 34;
      if (bold) {
        svg
          .append("rect")
          .attr("x", -6)
          .attr("y", y)
          .attr("width", width + 12)
          .attr("height", tall - 2)
          .attr("fill", COLOURS.raised)
          .attr("stroke", COLOURS.second);
      }
      words(svg, 0, wide ? y + 23 : y + 15, name, { bold });
      if (wide) {
        stats.forEach((each, i) => {
          words(svg, width - 124 + i * 62, y + 23, fixed(each), { anchor: "end", size: 13, bold });
        });
      } else {
        const [sum, answer, error] = stats.map((each) => fixed(each));
        const said = `sum ${sum}, reads ${answer}, error ${error}`;
        words(svg, 0, y + 31, said, { size: 12, colour: COLOURS.quiet });
      }
      weights.forEach((weight, j) => {
        const x = left + j * column + 5;
        words(svg, x, top + 15, shown(weight), { size: 12, bold: j === wanted });
        svg
          .append("rect")
          .attr("x", x)
          .attr("y", top + 20)
          .attr("width", ((column - 12) * Math.abs(weight)) / most)
          .attr("height", 9)
          .attr("fill", weight < 0 ? COLOURS.page : j === wanted ? COLOURS.second : COLOURS.first)
          .attr("stroke", weight < 0 ? COLOURS.fourth : "none")
          .attr("stroke-width", 2);
      });
      return tall;
    }

    /** The picture in words. */
    seen() {
      const scores = KEYS.map((key, j) => `${key} ${fixed(this.scores[j])}`).join(", ");
      const each = names.map((name) => {
        const weights = forms[name](this.scores);
        return `${SUBJECTS[name]}: ${weights.map(shown).join(", ")}, sum ${shown(total(weights))}`;
      });
      return `Scores of five keys: ${scores}. Their weights. ${each.join(". ")}.`;
    }
  }

  customElements.define("weighting-forms", WeightingForms);
})();
