// The chapter's first translator writes any number up to 999,999 in German, token by token. The
// reader sees where it looks, what it might have said, and what four beams say instead.

(() => {
  "use strict";
  const { choice, element, field, row, slider } = SoftLookup.controls;
  const { COLOURS, fixed, picture, whole, words } = SoftLookup.pictures;
  const { chances, frame, named, told } = SoftLookup.translatorParts;
  const { argmax, sliceRows } = SoftLookup.arrays;
  const { english, alignment, news, read } = SoftLookup.numerals;
  const { translate, likeliest, same, firstMistake } = SoftLookup.numberTranslator;
  const held = SoftLookup.weights.get("number-translator");
  const config = /** @type {{held_out: number[], longest: number, [name: string]: any}} */ (
    held.config
  );
  const KINDS = Object.keys(config.offered);
  const END = config.german[config.end];
  // Of eight English words: the chapter's own example of an answer that ends too early.
  const BEGIN = 73_247;
  const CANDIDATES = 4;
  // The room for the names of rows, and for those of columns, which stand on their side.
  const LEFT = 94;
  const TOP = 66;
  const ASIDE = 36;

  class NumberTranslator extends SoftLookup.Figure {
    number = BEGIN;
    layer = config.n_layers - 1;
    step = 0;
    found = translate(held, BEGIN);
    turns = KINDS.map(() => 0);

    build() {
      this.step = this.tokens.length;
      this.typed = field(this.controls, "A number from 0 to 999,999", {
        value: whole(BEGIN),
        changed: (text) => {
          const { number, fault } = read(text);
          this.complain(fault, this.typed);
          if (number === undefined) return;
          this.take(number);
          this.update();
        },
      });
      this.layers = choice(this.controls, "Cross-attention, mean of the heads", {
        options: Array.from({ length: config.n_layers }, (_, i) => [String(i), `layer ${i + 1}`]),
        value: String(this.layer),
        changed: (layer) => {
          this.layer = Number(layer);
          this.update();
        },
      });
      this.steps = slider(this.controls, "Tokens written", {
        min: 1,
        max: this.tokens.length,
        value: this.step,
        format: (step) => `${step} of ${this.tokens.length}`,
        changed: (step) => {
          this.step = step;
          this.update();
        },
      });
      const drawing = element("div", "live-control");
      drawing.append(element("p", "live-heads", "Draw a number with"));
      this.controls.append(drawing);
      this.kinds = row(drawing, "Draw a number with", (kind) => this.draw(kind));
      this.drawn = picture(this.picture, (svg, width) => this.paint(svg, width));
    }

    reset() {
      this.turns.fill(0);
      this.layer = config.n_layers - 1;
      if (this.layers) this.layers.value = String(this.layer);
      this.take(BEGIN);
      this.write();
    }

    /** The next number of a kind. @param {number} kind */
    draw(kind) {
      const offered = config.offered[KINDS[kind]];
      this.complain("");
      this.take(offered[this.turns[kind] % offered.length]);
      this.turns[kind] += 1;
      this.write();
      this.update();
    }

    /** Write the number into its field. */
    write() {
      if (this.typed) this.typed.value = whole(this.number);
    }

    /** @param {number} number */
    take(number) {
      if (number !== this.number) this.found = translate(held, number);
      this.number = number;
      this.step = this.tokens.length;
      if (this.steps) {
        this.steps.input.max = String(this.step);
        this.steps.set(this.step);
      }
    }

    /** What greedy search chose, with the end if it came to one. */
    get tokens() {
      return this.found.ended ? [...this.found.said, END] : this.found.said;
    }

    /** Which of the chapter's kinds the number is; -1 if none. */
    get kind() {
      const { pair, length, construction, zero } = news(this.number, config);
      if (zero) return -1;
      if (construction) return length ? 4 : 3;
      if (length) return pair ? -1 : 2;
      return pair ? 1 : 0;
    }

    update() {
      const { due, said, beams, chance, beamsChance } = this.found;
      this.kinds?.show(KINDS, this.kind);
      this.drawn?.redraw();
      this.list([
        ["the right numeral", due.join(" ")],
        ["greedy search", told(said, due, chance)],
        ["four beams", told(beams, due, beamsChance)],
        ["new to the model", this.told()],
      ]);
      this.say(`${this.judged()} ${this.looked()}`);
    }

    /** What might have been said at the chosen step. */
    likeliest() {
      return likeliest(held, this.found, this.step - 1, CANDIDATES);
    }

    /** What is new in the number. */
    told() {
      const { pair, length, construction, zero } = news(this.number, config);
      const all = zero ? ["the word “zero”"] : [];
      if (construction) all.push("a hundred before the thousand");
      if (length) {
        const count = english(this.number).length;
        all.push(`${count} English words, where the training has ${config.longest} at most`);
      }
      if (pair) {
        const pairs = [Math.floor(this.number / 1000) % 100, this.number % 100]
          .filter((each) => config.held_out.includes(each))
          .map((each) => english(each).join(" "));
        all.push(`“${[...new Set(pairs)].join("” and “")}” side by side`);
      }
      return all.length ? all.join("; ") : "neither a pair nor its length nor its construction";
    }

    /** Whether the two searches are right. */
    judged() {
      const { due, said, beams } = this.found;
      const at = firstMistake(said, due);
      const number = whole(this.number);
      const first =
        at === undefined
          ? `Greedy search writes ${number} without an error.`
          : `Greedy search goes wrong at token ${at + 1} of ${number}: it says ` +
            `${named(said[at])} where ${named(due[at])} is due.`;
      if (same(said, beams)) return `${first} Four beams write the same.`;
      return `${first} Four beams write another one, which is ${same(beams, due) ? "right" : "wrong"}.`;
    }

    /** Where the layer looks at the chosen step. */
    looked() {
      const { data, columns } = this.found.weights[this.layer];
      const weights = data.subarray((this.step - 1) * columns, this.step * columns);
      const at = argmax(weights);
      const [{ word, chance }] = this.likeliest();
      return (
        `Token ${this.step}, ${named(word)}, has probability ${fixed(chance)}; layer ` +
        `${this.layer + 1} looks most at “${this.found.source[at]}”, with weight ${fixed(weights[at])}.`
      );
    }

    /** @param {Svg} svg @param {number} width */
    paint(svg, width) {
      const { source, said, due } = this.found;
      const beside = width >= 520 ? 180 : 0;
      const room = width - LEFT - ASIDE - beside;
      const cell = Math.min(38, Math.floor(room / source.length));
      const mistake = firstMistake(said, due);
      const rows = this.tokens.map((word, i) => (i === mistake ? `× ${word}` : word));
      words(svg, 0, 14, "looks at", { size: 12, colour: COLOURS.quiet });
      SoftLookup.matrices.heat(svg, sliceRows(this.found.weights[this.layer], 0, this.step), {
        x: LEFT,
        y: TOP,
        cell,
        rows: rows.slice(0, this.step),
        columns: source,
        marked: this.step - 1,
      });
      const sure = Math.min(this.step, mistake ?? due.length);
      alignment(this.number)
        .slice(0, sure)
        .forEach((place, i) => {
          if (place < 0) return;
          svg
            .append("rect")
            .attr("x", LEFT + place * cell + 2)
            .attr("y", TOP + i * cell + 2)
            .attr("width", cell - 5)
            .attr("height", cell - 5)
            .attr("fill", "none")
            .attr("stroke", COLOURS.third)
            .attr("stroke-width", 2);
        });
      const unwritten = this.tokens.length - this.step;
      if (unwritten)
        frame(svg, LEFT, TOP + this.step * cell + 3, source.length * cell, unwritten * cell);
      let y = TOP + this.tokens.length * cell + 20;
      const key = ["framed cell: the word that it translates"];
      if (mistake !== undefined) key.push("×: the first mistake");
      for (const line of key) {
        words(svg, 0, y, line, { size: 12, colour: COLOURS.quiet });
        y += 17;
      }
      if (beside) {
        chances(svg, this.likeliest(), this.step, LEFT + source.length * cell + ASIDE, TOP, width);
        return { height: Math.max(y, TOP + 44 * CANDIDATES + 20), alt: this.seen() };
      }
      chances(svg, this.likeliest(), this.step, 0, y + 12, width);
      return { height: y + 12 + 44 * CANDIDATES, alt: this.seen() };
    }

    /** The picture in words. */
    seen() {
      const { data, columns } = this.found.weights[this.layer];
      const rows = this.tokens.slice(0, this.step).map((word, i) => {
        const weights = data.subarray(i * columns, (i + 1) * columns);
        const at = argmax(weights);
        return `${word}: ${this.found.source[at]} ${fixed(weights[at])}`;
      });
      const chances = this.likeliest()
        .map(({ word, chance }) => `${word} ${fixed(chance)}`)
        .join(", ");
      return (
        `Cross-attention of layer ${this.layer + 1}: each token, the English word with the ` +
        `largest weight, and that weight. ${rows.join("; ")}. Likeliest at token ${this.step}: ${chances}.`
      );
    }
  }

  customElements.define("number-translator", NumberTranslator);
})();
