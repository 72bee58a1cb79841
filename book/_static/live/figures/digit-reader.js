// A digit that the reader draws, moves and covers in part; the chapter's Vision Transformers say at
// once what they take it for, and where their class token looks.

(() => {
  "use strict";
  const { choice, button, element } = SoftLookup.controls;
  const { picture, fixed } = SoftLookup.pictures;
  const { SIDE, ACROSS, ROOM, INK, ...reading } = SoftLookup.digitReading;
  const { square, drawnOn, tiled, inked, shaded, bars, told } = SoftLookup.digitReader;
  const held = SoftLookup.weights.get("digit-reader");
  const config = held.config.vit;
  const models = Object.fromEntries(
    ["still", "moved"].map((key) => [
      key,
      SoftLookup.models.vit({ ...held.part(`${key}.`), config }),
    ]),
  );
  const OWN = "own";
  const BEGIN = { digit: "0", model: "still", by: "rollout" };
  /** @type {[string, string][]} */
  const HEADS = Array.from({ length: config.n_layers * config.n_heads }, (_, at) => {
    const [layer, head] = [Math.floor(at / config.n_heads), at % config.n_heads];
    return [`${layer}.${head}`, `layer ${layer + 1}, head ${head + 1}`];
  });
  /** @type {[string, number, number][]} */
  const WAYS = [
    ["← left", 0, -1],
    ["→ right", 0, 1],
    ["↑ up", -1, 0],
    ["↓ down", 1, 0],
  ];

  class DigitReader extends SoftLookup.Figure {
    digit = BEGIN.digit;
    model = BEGIN.model;
    by = BEGIN.by;
    drawn = reading.drawing(held.config.digits[Number(BEGIN.digit)]);
    /** The reader's own drawing, kept while a stored digit is shown. */
    own = reading.drawing();
    down = 0;
    across = 0;
    /** @type {Set<number>} */
    covered = new Set();
    /** @type {Reading | undefined} */
    found;
    /** @type {Reading | undefined} */
    home;

    build() {
      const { digits } = held.config;
      this.digits = choice(this.controls, "Digit", {
        options: [
          ...digits.map((/** @type {string} */ _, /** @type {number} */ digit) => [
            String(digit),
            `a scan of ${digit}`,
          ]),
          [OWN, "your drawing"],
        ],
        value: this.digit,
        changed: (digit) => this.take(digit),
      });
      this.models = choice(this.controls, "Model", {
        options: [
          ["still", "trained on digits as they are"],
          ["moved", "trained on moved copies, too"],
        ],
        value: this.model,
        changed: (model) => this.set({ model }),
      });
      this.kinds = choice(this.controls, "Rank the patches by", {
        options: [
          ["rollout", "attention roll-out"],
          ["last", "last layer, mean of its heads"],
          ...HEADS,
          ["ink", "ink, without the model"],
        ],
        value: this.by,
        changed: (by) => this.set({ by }),
      });
      const beside = element("div", "live-beside live-squares");
      this.picture.before(beside);
      this.paper = square(beside, "live-paper", "The digit: draw on it", SIDE, (i, j) =>
        this.dot(i, j, !this.isInk(i, j)),
      );
      drawnOn(this.paper, SIDE, (i, j) => this.isInk(i, j), this.dot.bind(this));
      this.tiles = square(beside, "live-tiles", "Its 16 patches: press to hide", ACROSS, (i, j) =>
        this.hide(i * ACROSS + j),
      );
      tiled(this.tiles.cells);
      beside.append(this.picture);
      this.buttons(this.paper.box, this.tiles.box);
      this.drawing = picture(this.picture, (svg, width) => this.draw(svg, width));
    }

    /** @param {HTMLElement} paper @param {HTMLElement} tiles */
    buttons(paper, tiles) {
      const ways = element("div", "live-row");
      ways.setAttribute("role", "group");
      ways.setAttribute("aria-label", "Move or clear the digit");
      for (const [words, down, across] of WAYS) {
        const way = button(ways, words[0], () => this.move(down, across));
        way.setAttribute("aria-label", words);
      }
      button(ways, "Clear", () => {
        this.own = reading.drawing();
        this.take(OWN);
      });
      paper.append(ways);
      const row = element("div", "live-row");
      button(row, "Hide the highest-ranked", () =>
        this.hide(reading.highest(this.scores(), this.covered)),
      );
      tiles.append(row);
    }

    reset() {
      this.own = reading.drawing();
      this.set({ model: BEGIN.model, by: BEGIN.by });
      this.take(BEGIN.digit);
      if (this.models) this.models.value = BEGIN.model;
      if (this.kinds) this.kinds.value = BEGIN.by;
    }

    /** Change a choice, and show what follows. @param {{model?: string, by?: string}} chosen */
    set(chosen) {
      Object.assign(this, chosen);
      this.complain("");
      this.update();
    }

    /** Take a scan or the reader's drawing, where it stood and whole. @param {string} digit */
    take(digit) {
      this.drawn = digit === OWN ? this.own : reading.drawing(held.config.digits[Number(digit)]);
      this.digit = digit;
      this.down = 0;
      this.across = 0;
      this.covered = new Set();
      this.set({});
    }

    /** @param {number} i @param {number} j */
    isInk(i, j) {
      return this.drawn[reading.placeOf(i, j, this.treatment)] >= INK / 2;
    }

    /** Ink or clear a pixel: from then on the drawing is the reader's. @param {number} i @param {number} j @param {boolean} isInked */
    dot(i, j, isInked) {
      this.drawn = reading.dotted(this.drawn, i, j, isInked, this.treatment);
      this.own = this.drawn;
      this.digit = OWN;
      this.set({});
    }

    /** @param {number} down @param {number} across */
    move(down, across) {
      const far = Math.max(Math.abs(this.down + down), Math.abs(this.across + across));
      if (far > ROOM) {
        this.complain(`It is ${ROOM} pixels from its place already, and goes no farther.`);
        return;
      }
      this.down += down;
      this.across += across;
      this.set({});
    }

    /** Hide a patch, or show it again. @param {number} patch -1 if none is left */
    hide(patch) {
      if (patch < 0) {
        this.complain("All 16 patches are hidden. Press one of them to show it again.");
        return;
      }
      if (!this.covered.delete(patch)) this.covered.add(patch);
      this.set({});
    }

    /** How the patches rank, as chosen. */
    scores() {
      const { rollout, last, looks } = /** @type {Reading} */ (this.found);
      if (this.by === "rollout") return rollout;
      if (this.by === "last") return last;
      if (this.by === "ink") return this.ink().map((mean) => (mean + 1) / 2);
      const [layer, head] = this.by.split(".").map(Number);
      return SoftLookup.arrays.row(looks[layer], head);
    }

    ink() {
      return reading.ink(reading.image(this.drawn, this.treatment));
    }

    /** What the model takes the drawing for. @param {Treatment} treatment */
    read(treatment) {
      return reading.read(models[this.model], reading.image(this.drawn, treatment));
    }

    update() {
      if (!this.paper || !this.tiles) return;
      this.found = this.read(this.treatment);
      this.home = this.read({});
      if (this.digits) this.digits.value = this.digit;
      const shown = reading.greys(this.drawn, { down: this.down, across: this.across });
      inked(this.paper.cells, shown);
      shaded(this.tiles.cells, shown, this.scores(), this.covered);
      this.drawing?.redraw();
      const near = WAYS.map(([, down, across]) => this.read({ down, across }).said);
      const agreement = reading.rankCorrelation(this.scores(), this.ink());
      this.list([
        ["unmoved and whole, read as", String(this.home.said)],
        ["a pixel left, right, up, down of its place", near.join(", ")],
        [
          "this ranking and ink (rank correlation)",
          agreement === undefined ? "none: all patches are alike" : fixed(agreement),
        ],
      ]);
      this.say(
        told({
          ...{ truth: this.truth, said: this.found.said, unmoved: this.home.said },
          ...{ probability: this.found.probabilities[this.found.said], down: this.down },
          ...{ across: this.across, hidden: this.covered.size },
          empty: this.ink().every((mean) => mean === -1),
        }),
      );
    }

    /** What is done to the drawing. @returns {Treatment} */
    get treatment() {
      return { down: this.down, across: this.across, hidden: this.covered };
    }

    /** What the digit is; nobody but the reader knows that of a drawing. */
    get truth() {
      return this.digit === OWN ? undefined : Number(this.digit);
    }

    /** @param {Svg} svg @param {number} width */
    draw(svg, width) {
      const { said, probabilities } = /** @type {Reading} */ (this.found);
      const each = Array.from(probabilities, (share, digit) => `${digit}: ${fixed(share)}`);
      const alt = `Probabilities of the ten digits. ${each.join("; ")}.`;
      return { height: bars(svg, width, probabilities, said, this.truth), alt };
    }
  }

  customElements.define("digit-reader", DigitReader);
})();
