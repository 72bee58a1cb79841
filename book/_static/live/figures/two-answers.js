// One question to the GPT and to the same GPT with the chapter's adapters: both answers, and at each
// token how far the two models are apart. The reader turns the factor that the adapters have.

(() => {
  "use strict";
  const { element, field, slider, choice } = SoftLookup.controls;
  const { COLOURS, picture, words, fixed } = SoftLookup.pictures;
  const { adapted, answered, reads, apart } = SoftLookup.adapters;
  const bundle = SoftLookup.weights.get("gpt-writer");
  const adapters = SoftLookup.weights.get("two-answers");
  const { end, most, scale } = adapters.config;
  /** @type {{question: string, taught: boolean}[]} */
  const asked = adapters.config.asked;
  const tokens = SoftLookup.bytePairs.tokenizer(bundle.config.alphabet, bundle.config.merges);
  const plain = SoftLookup.models.gpt(bundle);
  const LONGEST = 200;
  const OWN = "own";

  class TwoAnswers extends SoftLookup.Figure {
    question = asked[0].question;
    times = 1;
    /** @type {Map<number, ReturnType<typeof SoftLookup.models.gpt>>} */
    models = new Map();
    /** @type {{theirs: number[], ours: number[], gaps: number[]}} */
    seen = { theirs: [], ours: [], gaps: [] };

    build() {
      this.choice = choice(this.controls, "A question", {
        options: [
          ...asked.map(
            ({ question, taught }, i) =>
              /** @type {[string, string]} */ ([
                String(i),
                `${taught ? "taught" : "not taught"}: ${question}`,
              ]),
          ),
          [OWN, "one of your own"],
        ],
        value: "0",
        changed: (value) => {
          if (value === OWN) return this.typed?.focus();
          const { question } = asked[Number(value)];
          if (this.typed) this.typed.value = question;
          this.ask(question);
        },
      });
      this.typed = field(this.controls, "The question", {
        value: this.question,
        changed: (question) => {
          const known = asked.findIndex((each) => each.question === question);
          if (this.choice) this.choice.value = known < 0 ? OWN : String(known);
          this.ask(question);
        },
      });
      this.factor = slider(this.controls, "The adapters’ factor", {
        stops: [-1, -0.5, 0, 0.25, 0.5, 0.75, 1, 1.5, 2, 4],
        value: 1,
        format: (times) => (times === 0 ? "0: the GPT itself" : `${times} times`),
        changed: (times) => {
          this.times = times;
          this.update();
        },
      });
      this.prose = element("div", "live-wide");
      this.picture.before(this.prose);
      this.drawn = picture(this.picture, (svg, width) => this.draw(svg, width));
    }

    reset() {
      this.question = asked[0].question;
      this.times = 1;
      this.factor?.set(1);
      if (this.typed) this.typed.value = this.question;
      if (this.choice) this.choice.value = "0";
    }

    /** @param {string} question */
    ask(question) {
      if (!question.trim()) {
        this.complain("Write a question: the models need something to read.", this.typed);
        return;
      }
      if (question.length > LONGEST) {
        this.complain(
          `That has ${question.length} characters. Ask in up to ${LONGEST}, so that there is room for an answer.`,
          this.typed,
        );
        return;
      }
      const ids = tokens.encode(`${question}\n\n`);
      if (ids.length + most > bundle.config.max_length) {
        this.complain(
          `That has ${ids.length} tokens. Shorten it, so that there is room for an answer.`,
          this.typed,
        );
        return;
      }
      this.complain("");
      this.question = question;
      this.update();
    }

    /** The GPT with the adapters, at the factor that the reader has set. */
    tuned() {
      const found =
        this.models.get(this.times) ??
        SoftLookup.models.gpt(adapted(bundle, adapters, this.times * scale));
      this.models.set(this.times, found);
      return found;
    }

    update() {
      if (!this.prose) return;
      const ids = tokens.encode(`${this.question}\n\n`);
      const theirs = answered(plain, ids, end, most).ids;
      const { ids: ours, logits } = answered(this.tuned(), ids, end, most);
      const same = reads(plain, ids, ours);
      const gaps = logits.map((each, i) => apart(each, same[i]));
      this.seen = { theirs, ours, gaps };
      this.prose.replaceChildren(
        ...[
          ["The GPT: ", theirs],
          ["With the adapters: ", ours],
        ].map(([name, answer]) => {
          const line = element("p", "live-prose");
          const told = tokens.decode(/** @type {number[]} */ (answer)).trim();
          line.append(element("strong", "", String(name)), told);
          return line;
        }),
      );
      this.drawn?.redraw();
      const far = gaps.reduce((sum, each) => sum + each, 0);
      this.list([
        ["apart, over the whole answer", `${fixed(far, 1)} nats`],
        ["tokens of the answer", String(ours.length)],
      ]);
      const part = ours.findIndex((id, i) => id !== theirs[i]);
      const verdict =
        part < 0
          ? "Both say the same."
          : `They part at token ${part + 1}: the GPT says “${tokens.visible(theirs[part])}”, and with the adapters it says “${tokens.visible(ours[part])}”.`;
      const known = asked.find(({ question }) => question === this.question);
      const kind = known ? `A question that was ${known.taught ? "" : "not "}taught. ` : "";
      this.say(`${kind}${verdict} Along the second answer they are ${fixed(far, 1)} nats apart.`);
    }

    /** @param {Svg} svg @param {number} width */
    draw(svg, width) {
      const { ours, gaps } = this.seen;
      const left = 96;
      const tall = 20;
      const across = d3.scaleLinear([0, Math.max(1, ...gaps)], [left, width - 48]);
      words(svg, 0, 14, "how far apart before each token, in nats", {
        size: 13,
        colour: COLOURS.quiet,
      });
      ours.forEach((id, i) => {
        const y = 24 + tall * i;
        words(svg, left - 8, y + 14, tokens.visible(id), { anchor: "end", size: 13 });
        svg
          .append("rect")
          .attr("x", left)
          .attr("y", y + 3)
          .attr("width", Math.max(1, across(gaps[i]) - left))
          .attr("height", tall - 6)
          .attr("fill", COLOURS.second);
        words(svg, across(gaps[i]) + 6, y + 14, fixed(gaps[i]), { size: 12 });
      });
      const told = ours.map((id, i) => `${tokens.visible(id)} ${fixed(gaps[i])}`).join(", ");
      return {
        height: 28 + tall * ours.length,
        alt: `Nats by which the two models are apart before each token of the second answer: ${told}.`,
      };
    }
  }

  customElements.define("two-answers", TwoAnswers);
})();
