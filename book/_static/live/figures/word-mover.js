// The trained layer of the chapter on self-attention, on a sentence of the reader's own: words are
// exchanged and moved, one of them is followed from X to Y, and its output moves along, or does not.

(() => {
  "use strict";
  const { choice, field, row, button, element } = SoftLookup.controls;
  const { picture, fixed } = SoftLookup.pictures;
  const { argmax, row: rowOf } = SoftLookup.arrays;
  const { carry, change, moved, parse, faultOfPlaces } = SoftLookup.carried;
  const { movable } = SoftLookup.wordMover;
  const { panels } = SoftLookup.wordMoverPanels;
  const held = SoftLookup.weights.get("word-mover");
  const vocabulary = /** @type {string[]} */ (held.config.vocabulary);
  const places = /** @type {number} */ (held.config.places);
  // Below this a change is rounding.
  const NONE = 1e-4;
  /** @typedef {"attention" | "places"} Kind */

  class WordMover extends SoftLookup.Figure {
    kind = /** @type {Kind} */ ("attention");
    /** The words in their present order. @type {number[]} */
    ids = [];
    /** Where each of them stood when the sentence was written. @type {number[]} */
    order = [];
    /** What was written. @type {number[]} */
    written = [];
    chosen = 0;
    /** @type {Carried | undefined} */
    found;
    /** How far any number of Y has changed since the words were moved. */
    changed = 0;

    build() {
      this.typed = field(this.controls, "A sentence of this language", {
        value: "",
        changed: (text) => this.take(text),
      });
      this.kinds = choice(this.controls, "The weights come from", {
        options: [
          ["attention", "queries and keys"],
          ["places", "a table of places"],
        ],
        value: this.kind,
        changed: (kind) => this.mixBy(/** @type {Kind} */ (kind)),
      });
      this.exchanged = choice(this.controls, "The chosen word is", {
        options: vocabulary.map((word, id) => [String(id), word]),
        value: "0",
        changed: (id) => {
          this.write(this.ids.map((old, i) => (i === this.chosen ? Number(id) : old)));
          this.update();
        },
      });
      const line = element("div", "live-beside");
      this.controls.after(line);
      this.words = row(
        line,
        "The sentence: choose a word, or move it with Shift and arrow keys",
        (i) => this.choose(i),
      );
      movable(
        this.words.group,
        (from, to) => this.move(from, to),
        (i) => this.choose(i),
      );
      const buttons = element("div", "live-row");
      const step = (/** @type {number} */ by) => {
        const n = this.ids.length;
        this.move(this.chosen, (this.chosen + by + n) % n);
      };
      button(buttons, "← Move the word", () => step(-1));
      button(buttons, "Move the word →", () => step(1));
      line.append(buttons);
      this.drawn = picture(this.picture, (svg, width) => this.draw(svg, width));
      this.reset();
    }

    reset() {
      this.kind = "attention";
      if (this.kinds) this.kinds.value = this.kind;
      this.write(parse(held.config.sentence, vocabulary).ids);
      this.chosen = this.ids.length - 1;
    }

    /** Begin with these words in this order. @param {number[]} ids */
    write(ids) {
      this.complain("");
      this.ids = [...ids];
      this.written = [...ids];
      this.order = ids.map((_, i) => i);
      this.chosen = Math.min(this.chosen, ids.length - 1);
      this.spell();
    }

    spell() {
      if (this.typed) this.typed.value = this.names().join(" ");
    }

    names() {
      return this.ids.map((id) => vocabulary[id]);
    }

    /** @param {string} text */
    take(text) {
      const { ids, fault } = parse(text, vocabulary, this.kind === "places" ? places : undefined);
      if (!fault) {
        this.write(ids);
        // What the reader types stays as it is typed.
        if (this.typed) this.typed.value = text;
        this.update();
      }
      this.complain(fault, this.typed);
    }

    /** @param {Kind} kind */
    mixBy(kind) {
      const fault = kind === "places" ? faultOfPlaces(this.ids.length, places) : "";
      this.complain(fault, this.kinds);
      if (fault) {
        if (this.kinds) this.kinds.value = this.kind;
        return;
      }
      this.kind = kind;
      this.spell();
      this.update();
    }

    /** @param {number} index */
    choose(index) {
      this.chosen = index;
      this.update();
    }

    /** @param {number} from @param {number} to */
    move(from, to) {
      this.ids = moved(this.ids, from, to);
      this.order = moved(this.order, from, to);
      this.chosen = to;
      this.complain("");
      this.spell();
      this.update();
    }

    update() {
      this.found = carry(held, this.kind, this.ids);
      const before = carry(held, this.kind, this.written);
      this.changed = change(before.output, this.found.output, this.order);
      this.words?.show(this.names(), this.chosen);
      if (this.exchanged) this.exchanged.value = String(this.ids[this.chosen]);
      this.drawn?.redraw();
      this.list([
        ["read off, word for word", this.ids.map((_, i) => this.read(i)).join(" ")],
        [
          "largest change in Y since words moved",
          this.changed < NONE ? "0.0" : fixed(this.changed, 1),
        ],
      ]);
      this.say(`${this.looking()} ${this.moving()}`);
    }

    /** What is read off a word's output. @param {number} i */
    read(i) {
      return vocabulary[argmax(this.said(i))];
    }

    /** How sure the layer is of each word of the language, at one place. @param {number} i */
    said(i) {
      const { said } = /** @type {Carried} */ (this.found);
      return rowOf(said, i);
    }

    /** The chosen word's weights. */
    weights() {
      return rowOf(/** @type {Carried} */ (this.found).weights, this.chosen);
    }

    looking() {
      const names = this.names();
      const best = argmax(this.weights());
      const whom = best === this.chosen ? "itself" : `“${names[best]}”, word ${best + 1}`;
      return (
        `“${names[this.chosen]}”, word ${this.chosen + 1}, gives its largest weight, ` +
        `${fixed(this.weights()[best])}, to ${whom}, and is read as “${this.read(this.chosen)}”.`
      );
    }

    moving() {
      if (this.order.every((from, to) => from === to))
        return "The words stand as they were written.";
      return this.changed < NONE
        ? "Words have moved, and each has taken its row of Y along, unchanged."
        : `Words have moved, and numbers in their rows of Y have changed, by up to ${fixed(this.changed, 1)}.`;
    }

    /** @param {Svg} svg @param {number} width */
    draw(svg, width) {
      const shown = {
        found: /** @type {Carried} */ (this.found),
        names: this.names(),
        chosen: this.chosen,
        best: argmax(this.weights()),
        read: this.read(this.chosen),
      };
      return { height: panels(svg, width, shown), alt: this.seen() };
    }

    /** The picture in words. */
    seen() {
      const names = this.names();
      const { output } = /** @type {Carried} */ (this.found);
      const weights = names.map((name, i) => `${name} ${fixed(this.weights()[i])}`);
      const row = Array.from(rowOf(output, this.chosen), (each) => fixed(each, 1));
      return (
        `${names.join(" ")}. The weights of word ${this.chosen + 1}, ${names[this.chosen]}: ` +
        `${weights.join("; ")}. Its row of Y: ${row.join(", ")}. ` +
        `Read off: ${this.read(this.chosen)}.`
      );
    }
  }

  customElements.define("word-mover", WordMover);
})();
