// What all live figures share: the frame with controls, picture and outcome, a sentence for those
// who listen, and kind words about input that cannot be used. A figure is a class of its own that
// overrides build and update.

var SoftLookup = SoftLookup || {};

SoftLookup.Figure = (() => {
  "use strict";
  const { element, button } = SoftLookup.controls;
  // While a slider moves, whoever listens hears the last of its outcomes only.
  const PAUSE = 250;

  return class Figure extends HTMLElement {
    /** @type {number | undefined} */
    #waiting;
    controls = element("div", "live-controls");
    picture = element("div", "live-drawing");
    numbers = element("div", "live-numbers");
    outcome = element("p", "live-outcome");
    problem = element("p", "live-problem");

    connectedCallback() {
      if (this.dataset.state === "ready") return;
      this.outcome.setAttribute("aria-live", "polite");
      this.problem.setAttribute("aria-live", "polite");
      this.problem.id = `${this.localName}-problem`;
      this.append(this.controls, this.problem, this.picture, this.numbers, this.outcome);
      this.dataset.state = "ready";
      this.build();
      const reset = button(this, "Start again", () => {
        this.complain("");
        this.reset();
        this.update();
      });
      reset.className = "live-reset";
      this.update();
    }

    /** Make the controls and the picture, once. */
    build() {}

    /** Set everything as it was at the beginning. */
    reset() {}

    /** Compute and show, after anything has changed. */
    update() {}

    /** Tell the outcome in a sentence. @param {string} sentence */
    say(sentence) {
      window.clearTimeout(this.#waiting);
      this.#waiting = window.setTimeout(() => {
        if (this.outcome.textContent !== sentence) this.outcome.textContent = sentence;
      }, PAUSE);
    }

    /** Say kindly what cannot be used; nothing, if all is well. @param {string} sentence @param {HTMLElement} [input] the field that it is about */
    complain(sentence, input) {
      if (this.problem.textContent !== sentence) this.problem.textContent = sentence;
      for (const each of this.querySelectorAll("[aria-invalid]")) {
        each.removeAttribute("aria-invalid");
        each.removeAttribute("aria-describedby");
      }
      if (sentence && input) {
        input.setAttribute("aria-invalid", "true");
        input.setAttribute("aria-describedby", this.problem.id);
      }
    }

    /** Numbers beside their names. @param {[string, string][]} pairs */
    list(pairs) {
      const list = element("dl");
      for (const [name, value] of pairs) {
        const pair = element("div");
        pair.append(element("dt", "", name), element("dd", "", value));
        list.append(pair);
      }
      this.numbers.replaceChildren(list);
    }
  };
})();
