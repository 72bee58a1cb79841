// The soft dictionary of the chapter on attention: the reader asks, edits the drawers and turns the
// temperature; the drawers open, the answer is blended, and a lookup that is too cold goes flat.

(() => {
  "use strict";
  const { element, field, slider, button } = SoftLookup.controls;
  const { COLOURS, picture, words, axisBelow, fixed, whole, significant } = SoftLookup.pictures;
  const { fromRows } = SoftLookup.arrays;
  const { lookUp } = SoftLookup.attention;
  const { unknown, vector } = SoftLookup.letterPairs;
  const { config } = SoftLookup.weights.get("soft-dictionary");
  const LONGEST = 40;
  const MOST_ENTRIES = 8;
  // Heights on Earth and beyond: Olympus Mons has room.
  const HIGHEST = 30000;
  /** @typedef {{name: string, height: number}} Entry */

  class SoftDictionary extends SoftLookup.Figure {
    /** @type {Entry[]} */
    entries = [];
    question = "";
    temperature = 0.3;
    /** @type {ReturnType<typeof lookUp> | undefined} */
    found;

    build() {
      this.asked = field(this.controls, "Ask for", {
        value: config.question,
        changed: (value) => this.ask(value),
      });
      this.slider = slider(this.controls, "Temperature", {
        stops: config.temperatures,
        value: config.temperature,
        changed: (value) => {
          this.temperature = value;
          this.update();
        },
      });
      const examples = element("div", "live-row");
      examples.setAttribute("role", "group");
      examples.setAttribute("aria-label", "Questions to try");
      for (const each of config.examples) button(examples, each, () => this.ask(each, true));
      this.controls.append(examples);
      this.shelf = element("details");
      this.shelf.append(element("summary", "", "Edit the drawers"));
      this.drawers = element("div");
      this.shelf.append(this.drawers);
      this.more = button(this.shelf, "Add a drawer", () => {
        this.entries.push({ name: "Mont Blanc", height: 4806 });
        this.lay();
        this.update();
        const fields = this.drawers?.querySelectorAll("input");
        fields?.[fields.length - 2].focus();
      });
      this.controls.after(this.shelf);
      this.cabinet = picture(this.picture, (svg, width) => this.draw(svg, width));
      this.reset();
    }

    reset() {
      this.entries = config.entries.map((/** @type {Entry} */ each) => ({ ...each }));
      this.temperature = config.temperature;
      this.slider?.set(config.temperature);
      this.ask(config.question, true);
      this.lay();
    }

    /** Take a question, if it can be read. @param {string} question @param {boolean} [write] into the field as well */
    ask(question, write = false) {
      if (write && this.asked) this.asked.value = question;
      const fault = faultOf(question);
      this.complain(fault, this.asked);
      if (fault) return;
      this.question = question.trim();
      if (this.cabinet) this.update();
    }

    /** Fields for the drawers' labels and contents. */
    lay() {
      const list = element("ul", "live-drawers");
      this.entries.forEach((entry, i) => {
        const item = element("li", "live-controls");
        const name = field(item, `Label of drawer ${i + 1}`, {
          value: entry.name,
          changed: (value) => {
            const fault = faultOf(value);
            this.complain(fault, name);
            if (!fault) entry.name = value.trim();
            this.update();
          },
        });
        const height = field(item, `Metres in drawer ${i + 1}`, {
          value: String(entry.height),
          changed: (value) => {
            const number = Number(value);
            const good = value.trim() !== "" && number >= 0 && number <= HIGHEST;
            this.complain(good ? "" : `A height is a number from 0 to ${whole(HIGHEST)}.`, height);
            if (good) entry.height = number;
            this.update();
          },
        });
        height.inputMode = "decimal";
        const remove = button(item, "Remove", () => {
          this.entries.splice(i, 1);
          this.lay();
          this.update();
          this.more?.focus();
        });
        remove.setAttribute("aria-label", `Remove drawer ${i + 1}, ${entry.name}`);
        remove.disabled = this.entries.length < 3;
        list.append(item);
      });
      this.drawers?.replaceChildren(list);
      if (this.more) this.more.disabled = this.entries.length >= MOST_ENTRIES;
    }

    update() {
      const keys = fromRows(this.entries.map(({ name }) => vector(name, config.letters)));
      const values = this.entries.map(({ height }) => height);
      const query = vector(this.question, config.letters);
      this.found = lookUp(query, keys, values, this.temperature);
      const { answer, best, weights, bound, notBest, sensitivity } = this.found;
      const hard = this.entries.find(({ name }) => name === this.question);
      this.list([
        ["Python’s dictionary", hard ? `${whole(hard.height)} m` : `KeyError: '${this.question}'`],
        ["the best drawer alone", `${whole(values[best])} m`],
        ["all drawers, blended", `${whole(answer)} m`],
        ["weight beside the best", `${fixed(notBest)}, at most ${fixed(Math.min(bound, 1))}`],
        ["sensitivity (slope)", sensitivity < 0.05 ? "0.0" : significant(sensitivity, 3)],
      ]);
      this.cabinet?.redraw();
      const name = this.entries[best].name;
      const flat =
        sensitivity < 0.05 ? " It is as flat as a hard lookup: no slope to learn from." : "";
      this.say(
        `Asked for ${this.question} at temperature ${this.temperature}, ${name} opens furthest, ` +
          `with weight ${fixed(weights[best])}. The answer is ${whole(answer)} m.${flat}`,
      );
    }

    /** @param {Svg} svg @param {number} width */
    draw(svg, width) {
      const { weights, scores, best } = /** @type {NonNullable<typeof this.found>} */ (this.found);
      const tall = 40;
      const left = Math.min(150, width * 0.36);
      const opening = d3.scaleLinear([0, 1], [0, width - left - 70]);
      this.entries.forEach(({ name, height }, i) => {
        const y = 22 + i * tall;
        const label = name.length > 16 ? `${name.slice(0, 15)}…` : name;
        words(svg, 0, y + 15, label, { bold: i === best });
        words(svg, 0, y + 30, `score ${fixed(scores[i])}`, { size: 12, colour: COLOURS.quiet });
        svg
          .append("rect")
          .attr("x", left)
          .attr("y", y)
          .attr("width", 5)
          .attr("height", tall - 8)
          .attr("fill", COLOURS.quiet);
        svg
          .append("rect")
          .attr("x", left + 5)
          .attr("y", y + 2)
          .attr("width", opening(weights[i]))
          .attr("height", tall - 12)
          .attr("fill", i === best ? COLOURS.first : COLOURS.quiet)
          .attr("fill-opacity", i === best ? 1 : 0.55);
        const at = left + 11 + opening(weights[i]);
        words(svg, at, y + 14, fixed(weights[i]), { bold: i === best });
        words(svg, at, y + 29, `${whole(height)} m`, { size: 12, colour: COLOURS.quiet });
      });
      words(svg, left, 14, "how far each drawer opens", { size: 12, colour: COLOURS.quiet });
      return {
        height: this.scale(svg, width, 22 + this.entries.length * tall + 38),
        alt: this.seen(),
      };
    }

    /** The values on a line, and the blend among them. @param {Svg} svg @param {number} width @param {number} y @returns {number} the height of the picture */
    scale(svg, width, y) {
      const { answer } = /** @type {NonNullable<typeof this.found>} */ (this.found);
      const heights = this.entries.map(({ height }) => height);
      const across = d3
        .scaleLinear([Math.min(...heights), Math.max(...heights)], [24, width - 24])
        .nice();
      axisBelow(svg, across, y, {
        ticks: Math.max(2, width / 110),
        format: ",.0f",
        label: "metres",
      });
      for (const height of heights) {
        svg
          .append("circle")
          .attr("cx", across(height))
          .attr("cy", y)
          .attr("r", 4)
          .attr("fill", COLOURS.quiet);
      }
      const x = across(answer);
      svg
        .append("path")
        .attr("d", d3.symbol(d3.symbolTriangle, 120)())
        .attr("transform", `translate(${x},${y - 9}) rotate(180)`)
        .attr("fill", COLOURS.second);
      const anchor = x > width - 90 ? "end" : x < 90 ? "start" : "middle";
      words(svg, x, y - 20, `answer ${whole(answer)} m`, { anchor, bold: true });
      return y + 46;
    }

    /** The picture in words. */
    seen() {
      const { weights, answer } = /** @type {NonNullable<typeof this.found>} */ (this.found);
      const each = this.entries.map(
        ({ name, height }, i) => `${name}, ${whole(height)} m: ${fixed(weights[i])}`,
      );
      return (
        `A filing cabinet asked for ${this.question}. How far the drawers open: ${each.join("; ")}. ` +
        `The answer, ${whole(answer)} m, lies among the heights.`
      );
    }
  }

  /** What keeps a name from being read; nothing, if it can be. @param {string} name */
  function faultOf(name) {
    const said = name.trim();
    if (!said) return "Write a name: an empty label has no letters to compare.";
    if (said.length > LONGEST) {
      return `That has ${whole(said.length)} characters. This dictionary reads names of up to ${LONGEST}.`;
    }
    const strange = unknown(said, config.letters);
    if (strange.length === 0) return "";
    return `This dictionary compares the letters a to z, and does not know ${strange.slice(0, 5).join(" ")}.`;
  }

  customElements.define("soft-dictionary", SoftDictionary);
})();
