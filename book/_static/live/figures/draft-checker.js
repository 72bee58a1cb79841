// A draft proposes the next token of a text, and the reader turns the rule that keeps or replaces it:
// under each word stand what the target says, what the draft says, and what comes out.

(() => {
  "use strict";
  const { choice, slider } = SoftLookup.controls;
  const { COLOURS, picture, words, fixed } = SoftLookup.pictures;
  const { written, apart } = SoftLookup.speculation;
  const { config } = SoftLookup.weights.get("draft-checker");
  /** @typedef {{text: string, words: string[], target: number[], drafts: Record<string, number[]>}} DraftedPlace */
  const places = /** @type {DraftedPlace[]} */ (config.places);
  const drafts = Object.keys(places[0].drafts);
  const stops = /** @type {number[]} */ (config.often);
  const EXACT = 0.0005;

  class DraftChecker extends SoftLookup.Figure {
    place = 0;
    draft = drafts[0];
    often = 1;
    from = /** @type {"left" | "target"} */ ("left");

    build() {
      this.text = choice(this.controls, "The text so far", {
        options: places.map(({ text }, i) => [String(i), `${text} …`]),
        value: "0",
        changed: (place) => {
          this.place = Number(place);
          this.update();
        },
      });
      this.proposer = choice(this.controls, "The draft", {
        options: drafts.map((name) => [name, name]),
        value: this.draft,
        changed: (draft) => {
          this.draft = draft;
          this.update();
        },
      });
      this.times = slider(this.controls, "Kept, times as often as p / q", {
        stops,
        value: 1,
        format: (often) => `${often} times`,
        changed: (often) => {
          this.often = often;
          this.update();
        },
      });
      this.other = choice(this.controls, "What is not kept is drawn from", {
        options: [
          ["left", "what is left, p − q"],
          ["target", "the target, p"],
        ],
        value: this.from,
        changed: (from) => {
          this.from = from === "left" ? "left" : "target";
          this.update();
        },
      });
      this.drawn = picture(this.picture, (svg, width) => this.draw(svg, width));
    }

    reset() {
      this.place = 0;
      this.draft = drafts[0];
      this.often = 1;
      this.from = "left";
      if (this.text) this.text.value = "0";
      if (this.proposer) this.proposer.value = this.draft;
      if (this.other) this.other.value = this.from;
      this.times?.set(1);
    }

    /** The place, what the two models say there, and what comes out. */
    now() {
      const { words, target, drafts } = places[this.place];
      const draft = drafts[this.draft];
      return { words, target, draft, ...written(target, draft, this) };
    }

    update() {
      this.drawn?.redraw();
      const { words, target, share, tokens } = this.now();
      const far = apart(target, tokens);
      this.list([
        ["proposals that are kept", fixed(share)],
        ["tokens that come out wrong", far < EXACT ? "none" : fixed(far, 3)],
      ]);
      const gaps = tokens.map((each, i) => each - target[i]);
      const worst = gaps.indexOf(Math.max(...gaps));
      const verdict =
        far < EXACT
          ? "What comes out is the target’s distribution, whatever the draft says."
          : `What comes out is not the target’s: “${words[worst]}” comes ${fixed(gaps[worst], 3)} too often.`;
      this.say(`Of the proposals of ${this.draft}, ${fixed(share)} are kept. ${verdict}`);
    }

    /** @param {Svg} svg @param {number} width */
    draw(svg, width) {
      const { words: names, target, draft, tokens } = this.now();
      const left = 104;
      const most = Math.max(...target, ...draft, ...tokens);
      const across = d3.scaleLinear([0, most], [left, width - 44]);
      const rows = /** @type {[string, string, boolean][]} */ ([
        ["outlined: the target says", COLOURS.first, false],
        ["filled: the draft proposes", COLOURS.second, true],
      ]);
      rows.forEach(([told, colour, filled], i) => {
        svg
          .append("rect")
          .attr("x", 0)
          .attr("y", 4 + 20 * i)
          .attr("width", 22)
          .attr("height", 11)
          .attr("fill", filled ? colour : COLOURS.page)
          .attr("stroke", colour)
          .attr("stroke-width", 2);
        words(svg, 30, 14 + 20 * i, told, { size: 13, colour: COLOURS.quiet });
      });
      words(svg, 0, 54, "◆ and number: comes out", { size: 13, colour: COLOURS.quiet });
      names.forEach((name, i) => {
        const y = 74 + 34 * i;
        words(svg, left - 8, y + 17, name, { anchor: "end", size: 13 });
        for (const [
          value,
          top,
          colour,
          filled,
        ] of /** @type {[number, number, string, boolean][]} */ ([
          [target[i], y, COLOURS.first, false],
          [draft[i], y + 13, COLOURS.second, true],
        ])) {
          svg
            .append("rect")
            .attr("x", left)
            .attr("y", top)
            .attr("width", Math.max(0, across(value) - left))
            .attr("height", 10)
            .attr("fill", filled ? colour : COLOURS.page)
            .attr("stroke", colour)
            .attr("stroke-width", 2);
        }
        const x = across(tokens[i]);
        svg
          .append("path")
          .attr("d", `M${x},${y + 4}l7,8l-7,8l-7,-8z`)
          .attr("fill", COLOURS.text)
          .attr("stroke", COLOURS.page);
        words(svg, width - 30, y + 17, fixed(tokens[i]), { size: 12, bold: true });
      });
      return { height: 78 + 34 * names.length, alt: this.seen() };
    }

    /** The picture in words. */
    seen() {
      const { words, target, draft, tokens } = this.now();
      const each = words.map(
        (word, i) =>
          `${word}: target ${fixed(target[i])}, draft ${fixed(draft[i])}, comes out ${fixed(tokens[i])}`,
      );
      return `After “${places[this.place].text}”. ${each.join("; ")}.`;
    }
  }

  customElements.define("draft-checker", DraftChecker);
})();
