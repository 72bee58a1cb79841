// Models of the chapter on several heads answer two questions at once. The reader takes heads out of
// the sum, and sees which answer breaks: on one question, and on all of the chapter's test.

(() => {
  "use strict";
  const { choice, button, element } = SoftLookup.controls;
  const { picture, fixed, whole } = SoftLookup.pictures;
  const { softmax } = SoftLookup.attention;
  const { questions, model, answers, right } = SoftLookup.twoQuestions;
  const { panels } = SoftLookup.headRemover;
  const held = SoftLookup.weights.get("head-remover");
  const { config } = held;
  const test = questions(config);
  const BEGIN = "2.0";

  class HeadRemover extends SoftLookup.Figure {
    /** Which question of the test gives the records. */
    at = 0;
    question = test[0];
    /** @type {boolean[]} */
    on = [];
    /** @type {ReturnType<typeof model> | undefined} */
    made;
    /** What each head does with each question of the test. @type {HeadShare[][]} */
    found = [];
    /** Right answers with all heads in the sum. */
    whole = [0, 0];
    /** @type {Removal | undefined} */
    shown;

    build() {
      const kinds = config.heads.flatMap((/** @type {number} */ heads) =>
        config.seeds.map((/** @type {number} */ seed) => [
          `${heads}.${seed}`,
          `${heads} heads, seed ${seed}`,
        ]),
      );
      this.models = choice(this.controls, "Model", {
        options: kinds,
        value: BEGIN,
        changed: (key) => {
          this.take(key);
          this.update();
        },
      });
      this.asked = ["Asked first for", "and then for"].map((label, which) =>
        choice(this.controls, label, {
          options: test[0].names.map((_, place) => [String(place), ""]),
          value: "0",
          changed: (place) => this.ask(which, Number(place)),
        }),
      );
      button(this.controls, "Other records", () => {
        this.at = (this.at + 1) % test.length;
        this.question = test[this.at];
        this.update();
      });
      const line = element("div");
      line.append(element("p", "live-heads", "Heads in the sum; press one to take it out:"));
      this.switches = element("div", "live-row");
      this.switches.setAttribute("role", "group");
      this.switches.setAttribute("aria-label", "Heads in the sum");
      line.append(this.switches);
      this.controls.after(line);
      this.drawn = picture(this.picture, (svg, width) => this.draw(svg, width));
      this.reset();
    }

    reset() {
      this.at = 0;
      this.question = test[0];
      if (this.models) this.models.value = BEGIN;
      this.take(BEGIN);
    }

    /** Take one of the models, with all its heads. @param {string} key heads and seed */
    take(key) {
      const heads = Number(key.split(".")[0]);
      const made = model(held.part(`${key}.`), config, heads);
      this.made = made;
      this.found = test.map((question) => made.shares(question));
      this.on = Array.from({ length: heads }, () => true);
      this.whole = right(made, test, this.found, this.on);
      this.switches?.replaceChildren();
      this.on.forEach((_, h) => {
        button(/** @type {HTMLElement} */ (this.switches), `head ${h + 1}`, () => {
          this.on[h] = !this.on[h];
          this.update();
        });
      });
    }

    /** Ask for another record; one that is asked for already changes places. @param {number} which @param {number} place */
    ask(which, place) {
      const places = [...this.question.places];
      if (places[1 - which] === place) places[1 - which] = places[which];
      places[which] = place;
      this.question = { ...this.question, places };
      this.update();
    }

    update() {
      if (!this.made) return;
      const { question, on } = this;
      const shares = this.made.shares(question);
      const logits = this.made.logits(shares, on);
      const half = logits.length / 2;
      const sure = [logits.subarray(0, half), logits.subarray(half)].map((each) => softmax(each));
      this.shown = { question, shares, on, answers: answers(logits), sure };
      this.spell();
      this.drawn?.redraw();
      const count = right(this.made, test, this.found, on);
      const compared = (/** @type {number} */ which) =>
        `${share(count[which])}; with all heads ${share(this.whole[which])}`;
      this.list([
        [`first answers right, of ${whole(test.length)}`, compared(0)],
        [`second answers right, of ${whole(test.length)}`, compared(1)],
      ]);
      this.say(
        `${this.out()} ${this.said()} Of the ${whole(test.length)} test questions it has ` +
          `${share(count[0])} of the first answers right, and ${share(count[1])} of the second.`,
      );
    }

    /** The controls as the state has them. */
    spell() {
      const { names, values, places } = this.question;
      this.asked?.forEach((select, which) => {
        [...select.options].forEach((option, j) => {
          option.textContent = `${names[j]} (holds ${values[j]})`;
        });
        select.value = String(places[which]);
      });
      this.switches?.querySelectorAll("button").forEach((each, h) => {
        each.setAttribute("aria-pressed", String(this.on[h]));
      });
    }

    /** Which heads are out. */
    out() {
      const out = this.on.flatMap((on, h) => (on ? [] : [String(h + 1)]));
      if (out.length === 0) return "All heads are in the sum.";
      if (out.length === this.on.length) return "No head is in the sum; only the biases answer.";
      if (out.length === 1) return `Head ${out[0]} is out.`;
      return `Heads ${out.slice(0, -1).join(", ")} and ${out[out.length - 1]} are out.`;
    }

    /** What is answered, and how right it is. */
    said() {
      const { names, values, places } = this.question;
      const [first, second] = /** @type {Removal} */ (this.shown).answers;
      const good = [first === values[places[0]], second === values[places[1]]];
      const verdict =
        good[0] && good[1]
          ? "both are right"
          : good[0]
            ? "the second is wrong"
            : good[1]
              ? "the first is wrong"
              : "both are wrong";
      return (
        `Asked for ${names[places[0]]} and then ${names[places[1]]}, ` +
        `the model answers ${first} and ${second}: ${verdict}.`
      );
    }

    /** @param {Svg} svg @param {number} width */
    draw(svg, width) {
      if (!this.shown) return { height: 0, alt: "" };
      return { height: panels(svg, width, this.shown), alt: this.seen() };
    }

    /** The picture in words. */
    seen() {
      const { shares, sure } = /** @type {Removal} */ (this.shown);
      const { names, values, places } = this.question;
      const each = shares.map(({ weights }, h) => {
        const on = this.on[h] ? "" : ", out of the sum";
        return `head ${h + 1}${on}: ${places.map((place) => fixed(weights[place])).join(" and ")}`;
      });
      const certain = places.map((place, which) => fixed(sure[which][values[place]]));
      return (
        `Weights on the records asked for, ${names[places[0]]} and ${names[places[1]]}: ` +
        `${each.join("; ")}. Probability of the right answers: ${certain.join(" and ")}.`
      );
    }
  }

  /** @param {number} count */
  function share(count) {
    return fixed(count / test.length);
  }

  customElements.define("head-remover", HeadRemover);
})();
