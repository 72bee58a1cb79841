// The small GPT of the chapter on the next word, writing in the page: token by token, with
// temperature, top-k, top-p and forbidden tokens; what it draws from, and where each head looked.

(() => {
  "use strict";
  const { element, field, slider, choice, button, row } = SoftLookup.controls;
  const { picture, fixed, whole } = SoftLookup.pictures;
  const { softmax } = SoftLookup.attention;
  const { drawnFrom, writer } = SoftLookup.writing;
  const bundle = SoftLookup.weights.get("gpt-writer");
  const { config } = bundle;
  const tokens = SoftLookup.bytePairs.tokenizer(config.alphabet, config.merges);
  const LONGEST = 600;
  const MANY = 20;
  const ALL = tokens.size;

  class GPTWriter extends SoftLookup.Figure {
    text = writer(SoftLookup.models.gpt(bundle));
    /** How many tokens the reader has written. */
    begun = 0;
    chosen = 0;
    seed = 1;
    draws = SoftLookup.random.generator(1);
    /** @type {Set<number>} */
    forbidden = new Set();
    /** @type {{temperature: number, topK: number, topP: number, cutFirst: boolean}} */
    knobs = { temperature: 1, topK: ALL, topP: 1, cutFirst: false };
    /** @type {Float64Array} */
    drawn = new Float64Array(0);
    last = "";

    build() {
      this.beginning = field(this.controls, "Beginning", {
        value: config.prompt,
        changed: (value) => this.begin(value),
      });
      const knob = (/** @type {Partial<GPTWriter["knobs"]>} */ change) => {
        Object.assign(this.knobs, change);
        this.last = "";
        this.update();
      };
      this.temperature = slider(this.controls, "Temperature", {
        stops: [0, 0.25, 0.5, 0.7, 1, 1.5, 2, 3],
        value: 1,
        format: (value) => (value === 0 ? "0: greedy" : String(value)),
        changed: (temperature) => knob({ temperature }),
      });
      this.topK = slider(this.controls, "Top-k", {
        stops: [1, 2, 4, 10, 40, 100, ALL],
        value: ALL,
        format: (value) => (value === ALL ? "all" : String(value)),
        changed: (topK) => knob({ topK }),
      });
      this.topP = slider(this.controls, "Top-p", {
        stops: [0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1],
        value: 1,
        format: (value) => (value === 1 ? "all" : String(value)),
        changed: (topP) => knob({ topP }),
      });
      this.order = choice(this.controls, "Order", {
        options: [
          ["heat", "temperature, then the cuts"],
          ["cut", "the cuts, then temperature"],
        ],
        value: "heat",
        changed: (value) => knob({ cutFirst: value === "cut" }),
      });
      const deeds = element("div", "live-row");
      this.one = button(deeds, "Write a token", () => this.write(1));
      this.many = button(deeds, `Write ${MANY} tokens`, () => this.write(MANY));
      this.back = button(deeds, "Take one back", () => this.takeBack());
      this.anew = button(deeds, "Write it anew", () => this.writeAnew());
      this.prose = element("p", "live-prose");
      this.row = row(
        this.picture,
        "The tokens: choose one to see where the heads looked from it",
        (i) => this.choose(i),
      );
      // Whoever has a mouse need not press.
      this.row.group.addEventListener("mouseover", (event) => {
        const at = [...(this.row?.group.children ?? [])].indexOf(
          /** @type {Element} */ (event.target),
        );
        if (at >= 0 && at !== this.chosen) this.choose(at);
      });
      this.controls.after(deeds, this.prose);
      this.strips = picture(this.picture, (svg, width) => {
        const seen = this.text.ids.map(tokens.visible);
        return SoftLookup.writerParts.heads(
          svg,
          width,
          this.text.looked[this.chosen],
          seen.slice(0, this.chosen + 1),
        );
      });
      const next = element("div", "live-wide");
      this.picture.before(next);
      this.candidates = SoftLookup.writerParts.candidates(next, {
        write: (id) => this.take(id),
        forbid: (id) => this.forbid(id),
      });
      this.begin(config.prompt);
    }

    reset() {
      this.forbidden.clear();
      this.knobs = { temperature: 1, topK: ALL, topP: 1, cutFirst: false };
      this.temperature?.set(1);
      this.topK?.set(ALL);
      this.topP?.set(1);
      if (this.order) this.order.value = "heat";
      this.seed = 1;
      if (this.beginning) this.beginning.value = config.prompt;
      this.begin(config.prompt);
    }

    /** Read what the reader writes. @param {string} beginning */
    begin(beginning) {
      if (!beginning.trim()) {
        this.complain(
          "Write a beginning: the model needs at least one token to go on from.",
          this.beginning,
        );
        return;
      }
      if (beginning.length > LONGEST) {
        const long = whole(beginning.length);
        this.complain(
          `That has ${long} characters. Give it a beginning of up to ${LONGEST}.`,
          this.beginning,
        );
        return;
      }
      const ids = tokens.encode(beginning);
      if (ids.length >= config.max_length) {
        const most = config.max_length;
        this.complain(
          `That has ${ids.length} tokens, and the model’s window holds ${most}. Shorten it, so that it can write.`,
          this.beginning,
        );
        return;
      }
      this.complain("");
      this.text.begin(ids);
      this.begun = ids.length;
      this.chosen = ids.length - 1;
      this.draws = SoftLookup.random.generator(this.seed);
      this.last = "";
      this.update();
    }

    get full() {
      return this.text.ids.length >= config.max_length;
    }

    /** Draw tokens, one after the other. @param {number} count */
    write(count) {
      for (let i = 0; i < count && !this.full; i++) {
        const { logits } = this.text;
        const drawn = drawnFrom(logits[logits.length - 1], {
          ...this.knobs,
          forbidden: this.forbidden,
        });
        this.add(this.draws.draw(drawn));
      }
      this.update();
    }

    /** Write what the reader has picked. @param {number} id */
    take(id) {
      this.add(id);
      this.update();
    }

    /** @param {number} id */
    add(id) {
      const { logits } = this.text;
      const says = softmax(logits[logits.length - 1])[id];
      this.text.read([id]);
      this.chosen = this.text.ids.length - 1;
      this.last = `Written: “${tokens.visible(id)}”, to which the model gave ${fixed(says)}. `;
    }

    takeBack() {
      this.text.rewind(this.text.ids.length - 1);
      this.chosen = this.text.ids.length - 1;
      this.last = "";
      this.update();
    }

    /** The same beginning, other draws. */
    writeAnew() {
      const count = this.text.ids.length - this.begun;
      this.seed += 1;
      this.draws = SoftLookup.random.generator(this.seed);
      this.text.rewind(this.begun);
      this.write(count);
    }

    /** @param {number} id */
    forbid(id) {
      if (!this.forbidden.delete(id)) this.forbidden.add(id);
      this.last = this.forbidden.has(id) ? `Forbidden: “${tokens.visible(id)}”. ` : "";
      this.update();
    }

    /** Look from another token. @param {number} index */
    choose(index) {
      this.chosen = index;
      this.row?.show(this.text.ids.map(tokens.visible), index);
      this.strips?.redraw();
    }

    update() {
      const { ids, logits } = this.text;
      if (!this.candidates || !this.prose || ids.length === 0) return;
      const now = logits[logits.length - 1];
      const says = softmax(now);
      this.drawn = drawnFrom(now, { ...this.knobs, forbidden: this.forbidden });
      this.candidates.show(says, this.drawn, this.forbidden, tokens.visible, this.full);
      const start = element("span", "live-begun", tokens.decode(ids.slice(0, this.begun)));
      this.prose.replaceChildren(start, tokens.decode(ids.slice(this.begun)));
      this.choose(this.chosen);
      for (const each of [this.one, this.many]) if (each) each.disabled = this.full;
      const written = ids.length - this.begun;
      for (const each of [this.back, this.anew]) if (each) each.disabled = written === 0;
      const left = this.drawn.reduce((count, share) => count + (share > 0 ? 1 : 0), 0);
      this.list([
        ["tokens in the window", `${ids.length} of ${config.max_length}`],
        ["left to draw from", `${whole(left)} of ${whole(ALL)}`],
        ["the model’s doubt", `${fixed(SoftLookup.attention.entropy(says) / Math.LN2, 1)} bits`],
      ]);
      const best = SoftLookup.arrays.argmax(says);
      const likely = `The likeliest next token is “${tokens.visible(best)}” (${fixed(says[best])}). `;
      const end = this.full
        ? `The window of ${config.max_length} tokens is full: take some back, or begin anew.`
        : `${likely}${whole(left)} can be drawn.`;
      this.say(`${this.last}${end}`);
    }
  }

  customElements.define("gpt-writer", GPTWriter);
})();
