// The reader writes a text with a repetition, switches heads off or carries them into the run on
// another text, and sees what becomes of the right next symbol, there and in the chapter's exam.

(() => {
  "use strict";
  const { choice, field, row, button, element } = SoftLookup.controls;
  const { picture } = SoftLookup.pictures;
  const { read, questions, fault, shuffled, run, said, exam, key } = SoftLookup.induction;
  const { draw, seen } = SoftLookup.circuitDrawing;
  const { told, candidates, examined } = SoftLookup.circuitWords;
  const held = SoftLookup.weights.get("induction-circuit");
  const { letters, half, n_heads, n_layers, sizes } = held.config;
  const TEXT = /** @type {string} */ (held.config.text);
  const OTHER = /** @type {string} */ (held.config.other);
  const TEXTS = held.config.exam.split(" ").length;
  const AT_ONCE = 16;

  class InductionCircuit extends SoftLookup.Figure {
    kind = "charged";
    way = /** @type {"off" | "patch"} */ ("off");
    yours = read(held, TEXT).slice(0, -1);
    other = [...read(held, OTHER), ...this.yours.slice(half)];
    asked = 0;
    drawing = SoftLookup.random.generator(1);
    /** @type {[number, number][]} */
    heads = [];
    /** @type {HTMLButtonElement[][]} */
    switches = [];
    /** @type {Map<string, {right: number, place: number}>} */
    taken = new Map();
    /** @type {ReturnType<typeof run> | undefined} */
    found;

    build() {
      this.kinds = choice(this.controls, "The model", {
        options: [
          ["charged", "penalised for its heads"],
          ["free", "before, without the penalty"],
        ],
        value: this.kind,
        changed: (kind) => {
          this.kind = kind;
          this.update();
        },
      });
      this.typed = field(this.controls, "Your text, its end a repetition", {
        value: TEXT,
        changed: (text) => this.take(text),
      });
      button(this.controls, "Draw a text", () => {
        const first = this.drawing.shuffled([...letters]).slice(0, half);
        const begin = 1 + Math.floor(this.drawing.uniform() * (half - 2));
        const text = [...first, ...first.slice(begin), ...first.slice(0, begin)].join("");
        if (this.typed) this.typed.value = text;
        this.take(text);
      });
      const asking = element("div", "live-control");
      asking.append(element("span", "live-name", "Ask what follows"));
      this.places = row(asking, "Ask what follows", (asked) => {
        this.asked = asked;
        this.update();
      });
      const ways = choice(this.controls, "Heads that you press", {
        options: [
          ["off", "give nothing"],
          ["patch", "are brought to the shuffled text"],
        ],
        value: this.way,
        changed: (way) => {
          this.way = way === "off" ? "off" : "patch";
          this.update();
        },
      });
      this.ways = ways;
      this.controls.append(asking);
      for (let layer = 0; layer < n_layers; layer++) this.switches.push(this.layer(layer));
      this.drawn = picture(this.picture, (svg, width) => {
        const shown = this.shown();
        return { height: draw(svg, width, shown), alt: seen(shown) };
      });
    }

    /** A switch for each head of a layer. @param {number} layer */
    layer(layer) {
      const box = element("div", "live-control");
      const group = element("div", "live-row");
      group.setAttribute("role", "group");
      group.setAttribute("aria-label", `Layer ${layer + 1}`);
      box.append(element("span", "live-name", `Layer ${layer + 1}`), group);
      this.controls.append(box);
      return Array.from({ length: n_heads }, (_, head) => {
        const made = button(group, `head ${head + 1}`, () => {
          const others = this.heads.filter(([l, h]) => l !== layer || h !== head);
          if (others.length === this.heads.length) others.push([layer, head]);
          this.heads = others.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
          this.update();
        });
        made.setAttribute("aria-label", `layer ${layer + 1}, head ${head + 1}`);
        return made;
      });
    }

    reset() {
      this.kind = "charged";
      this.way = "off";
      this.heads = [];
      this.drawing = SoftLookup.random.generator(1);
      if (this.kinds) this.kinds.value = this.kind;
      if (this.ways) this.ways.value = this.way;
      if (this.typed) this.typed.value = TEXT;
      this.set(TEXT);
    }

    /** @param {string} text */
    take(text) {
      const written = text.replace(/\s/g, "").toLowerCase();
      const wrong = fault(held, written);
      this.complain(wrong, this.typed);
      if (wrong) return;
      this.set(written);
      this.update();
    }

    /** @param {string} text */
    set(text) {
      // What follows the last place is never asked, so it is not read.
      this.yours = read(held, text).slice(0, 2 * half - 1);
      this.other =
        text === TEXT
          ? [...read(held, OTHER), ...this.yours.slice(half)]
          : shuffled(this.yours, half);
      this.asked = 0;
    }

    update() {
      this.found = run(held, this.kind, this.yours, this.other, this);
      const all = questions(this.yours, half);
      this.places?.show(
        all.map(({ at }) => letters[this.yours[at]]),
        this.asked,
      );
      this.switches.forEach((row, layer) => {
        row.forEach((each, head) => {
          each.setAttribute("aria-pressed", String(this.isTaken(layer, head)));
        });
      });
      this.drawn?.redraw();
      this.listed();
      window.setTimeout(() => this.count());
      this.say(told(this.state));
    }

    /** The numbers under the picture. */
    listed() {
      const all = questions(this.yours, half);
      const right = all.filter(
        ({ at, from }) => said(this.result.after, at) === this.yours[from + 1],
      ).length;
      const whose = this.way === "off" ? "right in" : "answers of";
      this.list([
        ...candidates(this.state),
        [`${whose} your text`, `${right} of ${all.length}`],
        ...examined(this.state, this.kind, this.taken.get(this.name), held.config),
      ]);
    }

    get result() {
      return /** @type {ReturnType<typeof run>} */ (this.found);
    }

    get question() {
      return questions(this.yours, half)[this.asked];
    }

    /** @param {number} layer @param {number} head */
    isTaken(layer, head) {
      return this.heads.some(([l, h]) => l === layer && h === head);
    }

    /** @returns {CircuitState} */
    get state() {
      const { at, from } = this.question;
      return {
        ...this.result,
        letters,
        yours: this.yours,
        other: this.other,
        at,
        from,
        way: this.way,
        heads: this.heads,
      };
    }

    /** Which run on the exam is meant. */
    get name() {
      return key(this.kind, this.way, this.heads);
    }

    /** Count the exam a few texts at a time, so that whoever presses on does not wait. */
    count(name = this.name, from = 0, so = { all: 0, right: 0, place: 0 }) {
      if (name !== this.name || this.taken.has(name)) return;
      const { all, right, place } = exam(held, this.kind, this, from, from + AT_ONCE);
      const now = { all: so.all + all, right: so.right + right, place: so.place + place };
      if (from + AT_ONCE < TEXTS) {
        window.setTimeout(() => this.count(name, from + AT_ONCE, now));
        return;
      }
      this.taken.set(name, { right: now.right / now.all, place: now.place / now.all });
      this.listed();
    }

    /** @returns {CircuitShown} */
    shown() {
      const spelt = (/** @type {number[]} */ ids) => ids.map((id) => letters[id]).join("");
      const { at, from } = this.question;
      const answer = letters[this.yours[from + 1]];
      const patch = this.way === "patch";
      return {
        texts: patch
          ? [
              ["yours", spelt(this.yours)],
              ["shuffled", spelt(this.other)],
            ]
          : [["text", spelt(this.yours)]],
        question: this.question,
        looks: this.result.looks,
        sizes: sizes[this.kind],
        state: (layer, head) => (this.isTaken(layer, head) ? (patch ? "brought" : "off") : ""),
        names: [
          `layer 1, from place ${from + 2}, where “${answer}” ${patch ? "stood" : "stands"}`,
          `layer 2, from place ${at + 1}, where “${letters[this.yours[at]]}” returns`,
        ],
      };
    }
  }

  customElements.define("induction-circuit", InductionCircuit);
})();
