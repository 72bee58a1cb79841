// Models that were trained on 32 places say the digit of three places back, on texts of any length up
// to 128 that may begin anywhere. The reader sees where each is right, and where its heads look.

(() => {
  "use strict";
  const { choice, slider, field } = SoftLookup.controls;
  const { COLOURS, picture, words, fixed } = SoftLookup.pictures;
  const { matrix } = SoftLookup.arrays;
  const held = SoftLookup.weights.get("far-copier");
  const { trained, longest, start, back, digits, n_heads, n_layers } = held.config;
  // A head's weights are shown for so many places back; the last column has all that is farther.
  const SHOWN = 8;
  // Before this place there is no digit of three places back.
  const FIRST_ASKED = back + 1;
  const BEGIN = { kind: "rotary", first: 0, place: 90 };

  class FarCopier extends SoftLookup.Figure {
    text = /** @type {string} */ (digits);
    kind = BEGIN.kind;
    first = BEGIN.first;
    place = BEGIN.place;
    /** @type {ReturnType<typeof SoftLookup.copier.read> | undefined} */
    found;

    build() {
      this.kinds = choice(this.controls, "Told the order by", {
        options: [
          ["sinusoidal", "sinusoids"],
          ["rotary", "rotation of queries and keys"],
        ],
        value: this.kind,
        changed: (kind) => {
          this.kind = kind;
          this.update();
        },
      });
      this.typed = field(this.controls, "Digits to read", {
        value: this.text,
        changed: (text) => this.take(text),
      });
      this.beginning = slider(this.controls, "The text begins at place", {
        max: 64,
        value: this.first,
        changed: (first) => {
          this.first = first;
          this.update();
        },
      });
      this.places = slider(this.controls, "Look from the digit", {
        min: FIRST_ASKED,
        max: longest - 1,
        value: this.place,
        changed: (place) => {
          this.place = place;
          this.update();
        },
      });
      this.drawn = picture(this.picture, (svg, width) => this.draw(svg, width));
    }

    reset() {
      this.text = digits;
      Object.assign(this, BEGIN);
      if (this.typed) this.typed.value = digits;
      if (this.kinds) this.kinds.value = BEGIN.kind;
      this.beginning?.set(BEGIN.first);
      this.places?.set(BEGIN.place);
    }

    /** @param {string} text */
    take(text) {
      const written = text.replace(/\s/g, "");
      const fault = SoftLookup.copier.fault(held, written);
      this.complain(fault, this.typed);
      if (fault) return;
      this.text = written;
      this.update();
    }

    /** How many digits are read: those that the tables have places for. */
    get length() {
      return Math.min(this.text.length, longest - 1 - this.first);
    }

    update() {
      const read = Array.from(this.text.slice(0, this.length), Number);
      this.found = SoftLookup.copier.read(held, this.kind, [start, ...read], this.first);
      this.place = Math.min(this.place, this.length);
      this.drawn?.redraw();
      const near = this.right((at) => at + this.first < trained);
      const far = this.right((at) => at + this.first >= trained);
      this.list([
        [`right at places below ${trained}`, share(near)],
        ["right at later places", share(far)],
        [`said at digit ${this.place}`, String(this.found.said[this.place])],
        ["three back stands", this.text[this.place - back - 1]],
      ]);
      const { layer, head, weight } = this.best();
      const looking =
        weight >= 0.05
          ? `Head ${head + 1} of layer ${layer + 1} looks three back with weight ${fixed(weight)}.`
          : "No head looks three back.";
      const right = this.isRight(this.place) ? "which is right" : "which is wrong";
      this.say(
        `Of ${this.length - back} digits that it could know, the model names ` +
          `${near.right + far.right}. At digit ${this.place} it says ` +
          `${this.found.said[this.place]}, ${right}. ${looking}`,
      );
    }

    /** Whether the digit of three places back is named at this digit. @param {number} at from 1 */
    isRight(at) {
      return this.found?.said[at] === Number(this.text[at - back - 1]);
    }

    /** @param {(at: number) => boolean} wanted */
    right(wanted) {
      let right = 0;
      let all = 0;
      for (let at = FIRST_ASKED; at <= this.length; at++) {
        if (!wanted(at)) continue;
        all += 1;
        if (this.isRight(at)) right += 1;
      }
      return { right, all };
    }

    /** The weight of each head on 0, 1, 2, … places back, and on all that is farther. */
    looks() {
      const heads = (this.found?.layers ?? []).flatMap(({ attention }) => attention.weights);
      const made = matrix(heads.length, SHOWN + 1);
      heads.forEach((weights, i) => {
        for (let key = 0; key <= this.place; key++) {
          const column = Math.min(SHOWN, this.place - key);
          made.data[i * (SHOWN + 1) + column] += weights.data[this.place * weights.columns + key];
        }
      });
      return made;
    }

    /** The head that looks three back with the most weight. */
    best() {
      const { data } = this.looks();
      const weights = Array.from(
        { length: n_layers * n_heads },
        (_, i) => data[i * (SHOWN + 1) + back],
      );
      const at = weights.indexOf(Math.max(...weights));
      return { layer: Math.floor(at / n_heads), head: at % n_heads, weight: weights[at] };
    }

    /** @param {Svg} svg @param {number} width */
    draw(svg, width) {
      const columns = width > 560 ? 32 : 16;
      const cell = Math.min(20, (width - 46) / columns);
      const left = 44;
      const quiet = { size: 12, colour: COLOURS.quiet };
      words(svg, 0, 13, "each digit: is that of three back named?", quiet);
      for (let at = 1; at <= this.length; at++) {
        const stands = at + this.first;
        const i = Math.floor((at - 1) / columns);
        const x = left + ((at - 1) % columns) * cell;
        const y = 24 + i * (cell + 6);
        if ((at - 1) % columns === 0) words(svg, 0, y + cell - 5, String(stands), { size: 12 });
        this.mark(svg, at, x, y, cell);
      }
      const rows = Math.ceil(this.length / columns);
      const middle = 24 + rows * (cell + 6) + 14;
      const key = ["filled: right; crossed: wrong", `line above: place ${trained} or later`];
      const lines = width > 420 ? [key.join("; ")] : key;
      lines.forEach((line, i) => {
        words(svg, 0, middle + 16 * i, line, quiet);
      });
      const y = middle + 58 + 16 * lines.length;
      const size = Math.min(34, (width - 130) / (SHOWN + 1));
      const names = Array.from(
        { length: n_layers * n_heads },
        (_, i) => `layer ${Math.floor(i / n_heads) + 1}, head ${(i % n_heads) + 1}`,
      );
      const distances = Array.from({ length: SHOWN }, (_, i) => `${i} back`);
      SoftLookup.matrices.heat(svg, this.looks(), {
        x: 104,
        y,
        cell: size,
        rows: names,
        columns: [...distances, "farther"],
      });
      return { height: y + names.length * size + 6, alt: this.seen() };
    }

    /** One digit. @param {Svg} svg @param {number} at @param {number} x @param {number} y @param {number} cell */
    mark(svg, at, x, y, cell) {
      const asked = at >= FIRST_ASKED;
      const right = asked && this.isRight(at);
      svg
        .append("rect")
        .attr("x", x)
        .attr("y", y)
        .attr("width", cell - 2)
        .attr("height", cell - 2)
        .attr("fill", right ? COLOURS.first : "none")
        .attr("stroke", at === this.place ? COLOURS.second : COLOURS.quiet)
        .attr("stroke-width", at === this.place ? 3 : 0.75);
      if (asked && !right) {
        svg
          .append("path")
          .attr(
            "d",
            `M${x + 3},${y + 3}l${cell - 8},${cell - 8}m0,${8 - cell}l${8 - cell},${cell - 8}`,
          )
          .attr("stroke", COLOURS.text)
          .attr("stroke-width", 1.5);
      }
      if (at + this.first >= trained) {
        svg
          .append("rect")
          .attr("x", x)
          .attr("y", y - 4)
          .attr("width", cell - 2)
          .attr("height", 2)
          .attr("fill", COLOURS.third);
      }
    }

    /** The picture in words. */
    seen() {
      const wrong = [];
      for (let at = FIRST_ASKED; at <= this.length; at++) if (!this.isRight(at)) wrong.push(at);
      const { layer, head, weight } = this.best();
      return (
        `${this.length} digits, from place ${1 + this.first}. Wrong at ${wrong.length ? wrong.join(", ") : "none"}. ` +
        `From digit ${this.place}, the weight on three back is greatest in head ${head + 1} of layer ` +
        `${layer + 1}: ${fixed(weight)}.`
      );
    }
  }

  /** @param {{right: number, all: number}} count */
  function share({ right, all }) {
    return all ? `${right} of ${all}` : "none is asked";
  }

  customElements.define("far-copier", FarCopier);
})();
