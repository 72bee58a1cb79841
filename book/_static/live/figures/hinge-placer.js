// Hinges placed by hand on the wave of the chapter: the reader drags the bends, adds and removes
// units, and sees how far the network misses the wave, beside even spacing and the best places.

(() => {
  "use strict";
  const { element, slider, button } = SoftLookup.controls;
  const { COLOURS, picture, words, axisBelow, axisLeft, fixed } = SoftLookup.pictures;
  const { key, weights, errors } = SoftLookup.hingeParts;
  const hinges = SoftLookup.hinges;
  const { END, STEP, POINTS, wave } = hinges;
  const { config } = SoftLookup.weights.get("hinge-placer");
  const best = /** @type {number[][]} */ (config.best);
  const MOST = best.length;
  // So many evenly spaced units are compared, and no more.
  const MOST_EVENLY = 64;
  const errorOf = (/** @type {number[]} */ places) => hinges.greatestError(places).error;
  const EVEN = best.map((_, i) => errorOf(hinges.even(i + 1)));
  const BEST = best.map(errorOf);
  const SAME = 1e-9;

  class HingePlacer extends SoftLookup.Figure {
    places = hinges.even(config.units);

    build() {
      this.width = slider(this.controls, "Hidden units", {
        min: 1,
        max: MOST,
        value: config.units,
        changed: (units) => this.grow(units),
      });
      const row = element("div", "live-row");
      row.setAttribute("role", "group");
      row.setAttribute("aria-label", "Where the units begin");
      button(row, "Space them evenly", () => this.put(hinges.even(this.units)));
      button(row, "Show the best places", () => this.put(best[this.units - 1]));
      this.controls.append(row);
      this.drawn = picture(this.picture, (svg, width) => this.draw(svg, width), {
        interactive: true,
      });
    }

    reset() {
      this.places = hinges.even(config.units);
      this.width?.set(config.units);
    }

    get units() {
      return this.places.length - 1;
    }

    /** @param {number[]} places */
    put(places) {
      this.places = [...places];
      this.update();
    }

    /** Units more or fewer, one after the other; the others stay. @param {number} units */
    grow(units) {
      while (this.units < units) this.places = hinges.added(this.places);
      while (this.units > units) this.places = hinges.removed(this.places);
      this.update();
    }

    update() {
      const { error } = hinges.greatestError(this.places);
      const needed = hinges.evenlyNeeded(error, MOST_EVENLY);
      this.drawn?.redraw();
      this.list([
        ["your greatest error", fixed(error, 3)],
        ["evenly spaced", fixed(EVEN[this.units - 1], 3)],
        ["at the best places", fixed(BEST[this.units - 1], 3)],
        ["evenly spaced units that do as well", needed ? String(needed) : `over ${MOST_EVENLY}`],
      ]);
      this.say(this.told());
    }

    told() {
      const { error, at } = hinges.greatestError(this.places);
      const [even, least] = [EVEN[this.units - 1], BEST[this.units - 1]];
      const where = `by ${fixed(error, 3)} at most, near x = ${fixed(at, 1)}`;
      if (this.units === 1) {
        return `One unit makes a straight line, with no bend to move. It misses the wave ${where}.`;
      }
      const missed = `Your ${this.units} units miss the wave ${where}.`;
      if (error <= least + SAME) return `${missed} No places in steps of ${STEP} do better.`;
      const reached = `the best places leave ${fixed(least, 3)}`;
      if (Math.abs(error - even) <= SAME)
        return `${missed} Even spacing misses by as much; ${reached}.`;
      if (error > even) return `${missed} Even spacing misses by ${fixed(even, 3)}; ${reached}.`;
      const needed = hinges.evenlyNeeded(error, MOST_EVENLY);
      const price = needed
        ? `takes ${needed} ${needed === 1 ? "unit" : "units"}`
        : `takes more than ${MOST_EVENLY} units`;
      return `${missed} To do as well, even spacing ${price}; with ${this.units}, ${reached}.`;
    }

    /** @param {Svg} svg @param {number} width */
    draw(svg, width) {
      const across = d3.scaleLinear([0, END], [40, width - 16]);
      this.curves(svg, across);
      weights(svg, across, 306, this.places);
      errors(svg, 404, width, {
        units: this.units,
        error: errorOf(this.places),
        even: EVEN,
        best: BEST,
      });
      return { height: 610, alt: this.seen() };
    }

    /** The wave, the network, and the bends to drag. @param {Svg} svg @param {import("d3").ScaleLinear<number, number>} across */
    curves(svg, across) {
      const { places } = this;
      const up = d3.scaleLinear([-0.6, 2.5], [252, 26]);
      const line = d3
        .line()
        .x(([x]) => across(x))
        .y(([, y]) => up(y));
      const drawn = (/** @type {[number, number][]} */ points, /** @type {string} */ colour) =>
        svg.append("path").attr("d", line(points)).attr("fill", "none").attr("stroke", colour);
      axisLeft(svg, up, 40, { ticks: 4 });
      axisBelow(svg, across, 252, { ticks: 6 });
      words(svg, across(END), 286, "x", { anchor: "end", size: 13, colour: COLOURS.quiet });
      drawn(
        POINTS.map((x) => [x, wave(x)]),
        COLOURS.quiet,
      )
        .attr("stroke-width", 5)
        .attr("stroke-opacity", 0.45);
      drawn(
        places.map((x) => [x, wave(x)]),
        COLOURS.first,
      ).attr("stroke-width", 2.5);
      const { at } = hinges.greatestError(places);
      const found = hinges.answer(places, hinges.turns(places), at);
      drawn(
        [
          [at, wave(at)],
          [at, found],
        ],
        COLOURS.second,
      )
        .attr("stroke-width", 3)
        .attr("stroke-dasharray", "4 3");
      key(svg);
      for (const x of [places[0], places[this.units]]) {
        svg
          .append("rect")
          .attr("x", across(x) - 4)
          .attr("y", up(wave(x)) - 4)
          .attr("width", 8)
          .attr("height", 8)
          .attr("fill", COLOURS.first);
      }
      for (let bend = 1; bend < this.units; bend++) {
        SoftLookup.handles.handle(svg, {
          key: `bend-${bend}`,
          label: `Bend ${bend} of ${this.units - 1}`,
          value: `x = ${fixed(places[bend])}`,
          x: across(places[bend]),
          y: up(wave(places[bend])),
          step: across(STEP) - across(0),
          moved: (x) => this.put(hinges.moved(this.places, bend, across.invert(x))),
        });
      }
    }

    /** The picture in words. */
    seen() {
      const bends = this.places.slice(1, -1).map((place) => fixed(place));
      const weights = hinges.turns(this.places).map((weight) => fixed(weight));
      return (
        `A wave from x = 0 to ${END}, and a network that meets it at both ends` +
        `${bends.length ? ` and bends on it at ${bends.join(", ")}` : ""}. Weights of the units: ` +
        `${weights.join(", ")}. Greatest error ${fixed(errorOf(this.places), 3)}; evenly spaced ` +
        `${fixed(EVEN[this.units - 1], 3)}, at the best places ${fixed(BEST[this.units - 1], 3)}.`
      );
    }
  }

  customElements.define("hinge-placer", HingePlacer);
})();
