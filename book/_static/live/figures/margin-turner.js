// The plane of the chapter on support vectors: the reader moves tokens and the start, lets w descend,
// and sees to which widest margin it turns, which tokens support that, and what the softmax does.

(() => {
  "use strict";
  const { button, element, toggle } = SoftLookup.controls;
  const { COLOURS, picture, words: write, fixed, whole } = SoftLookup.pictures;
  const { angle } = SoftLookup.selection;
  const { NAMES, named, turn, weight, told, hindered, length } = SoftLookup.marginWords;
  const panels = SoftLookup.marginPanels;
  const { config } = SoftLookup.weights.get("margin-turner");
  const MOST_STEPS = 5000;
  /** Tokens lie on a grid, so that they can be put exactly in line. */
  const GRID = 20;
  const EDGE = 1.25;

  class MarginTurner extends SoftLookup.Figure {
    /** @type {Point[]} */
    tokens = [];
    /** @type {Point} */
    start = [0, 0];
    steps = /** @type {number} */ (config.steps);
    /** @type {Turned | undefined} */
    turned;
    /** @type {HTMLButtonElement[]} */
    alongRays = [];

    build() {
      const starts = this.group("Put the start of w");
      this.alongRays = [...NAMES].map((name, i) =>
        button(starts, `on ${name}’s ray`, () => this.startAlong(i)),
      );
      button(starts, "at zero", () => {
        this.start = [0, 0];
        this.update();
      });
      const descent = this.group("Descend");
      button(descent, "0 steps", () => this.descend(-this.steps));
      button(descent, "100 more", () => this.descend(100));
      button(descent, "1,000 more", () => this.descend(1000));
      this.fourth = toggle(this.controls, "a fourth token, d", {
        value: false,
        changed: (on) => {
          if (on) this.tokens.push([.../** @type {Point} */ (config.fourth)]);
          else this.tokens.pop();
          this.update();
        },
      });
      this.drawn = picture(this.picture, (svg, width) => this.draw(svg, width), {
        interactive: true,
      });
      this.reset();
    }

    /** Buttons under a name. @param {string} name */
    group(name) {
      const control = element("div", "live-control");
      const row = element("div", "live-row");
      row.setAttribute("role", "group");
      row.setAttribute("aria-label", name);
      control.append(element("p", "live-heads", name), row);
      this.controls.append(control);
      return row;
    }

    reset() {
      this.tokens = config.tokens.map((/** @type {Point} */ each) => [...each]);
      this.steps = config.steps;
      if (this.fourth) this.fourth.checked = false;
      this.start = [.../** @type {Point} */ (config.start)];
    }

    /** Start far out, where a token wins with the widest margin. @param {number} token */
    startAlong(token) {
      const ray = this.turned?.rays[token];
      if (!ray) return;
      const size = config.radius / Math.hypot(...ray.w);
      this.start = [size * ray.w[0], size * ray.w[1]];
      this.update();
    }

    /** @param {number} more */
    descend(more) {
      const wanted = this.steps + more;
      this.steps = Math.min(MOST_STEPS, wanted);
      this.update();
      if (wanted > MOST_STEPS) {
        const limit = `This figure stops at ${whole(MOST_STEPS)} steps: try another start, or move a token.`;
        this.complain([this.problem.textContent, limit].join(" ").trim());
      }
    }

    /** @param {number} which @param {Point} place */
    move(which, place) {
      const inside = (/** @type {number} */ part) =>
        Math.round(Math.max(-EDGE, Math.min(EDGE, part)) * GRID) / GRID + 0;
      this.tokens[which] = [inside(place[0]), inside(place[1])];
      this.update();
    }

    update() {
      this.turned = turn(this.tokens, config.head, this.start, this.steps);
      const { rays } = this.turned;
      this.alongRays.forEach((each, i) => {
        each.hidden = i >= rays.length;
        each.disabled = !rays[i];
      });
      this.drawn?.redraw();
      this.tabulate(this.turned);
      this.complain(hindered(this.turned));
      this.say(told(this.turned));
    }

    /** What is known of each token. @param {Turned} turned */
    tabulate({ worths, rays, way, end }) {
      const w = way[way.length - 1];
      const table = element("table", "live-candidates live-turned");
      const head = element("tr");
      for (const name of ["token", "worth", "weight", "w to its ray", "support", "local"]) {
        head.append(heading("col", name));
      }
      const caption =
        `After ${whole(this.steps)} steps: w is ${length(w)} long. ` +
        "Local: worth more than each of its support tokens.";
      table.append(element("caption", "", caption));
      table.append(head);
      rays.forEach((ray, i) => {
        const apart = ray ? angle(w, ray.w) : Number.NaN;
        const cells = [
          fixed(worths[i]),
          weight(end.logs[i]),
          Number.isNaN(apart) ? "–" : `${fixed(apart, 1)}°`,
          ray ? named(ray.support).replace(" and ", ", ") : "–",
          ray ? (ray.local ? "yes" : "no") : "–",
        ];
        const row = element("tr");
        row.append(heading("row", NAMES[i]), ...cells.map((each) => element("td", "", each)));
        table.append(row);
      });
      this.numbers.replaceChildren(table);
    }

    /** @param {Svg} svg @param {number} width */
    draw(svg, width) {
      const turned = /** @type {Turned} */ (this.turned);
      const beside = width >= 520;
      const side = beside ? (width - 24) / 2 : Math.min(width, 340);
      const second = beside ? { x: side + 24, y: 0 } : { x: 0, y: side + 44 };
      write(svg, 0, 14, "The tokens: height is worth", { bold: true });
      panels.tokens(svg, { x: 0, y: 24, side }, turned, (which, place) => this.move(which, place));
      write(svg, second.x, second.y + 14, "w on its way; length as a logarithm", {
        bold: true,
      });
      panels.ways(svg, { x: second.x, y: second.y + 24, side }, turned, (place) => {
        this.start = place;
        this.update();
      });
      let y = second.y + side + 42;
      const legend = [
        "ringed: support tokens of the leader; dashed: its ray and its street",
        "rays: directions of widest margin; solid if locally optimal, or dotted",
      ];
      const lines = beside ? legend : legend.flatMap((each) => each.split("; "));
      for (const each of lines) {
        write(svg, 0, y, each, { size: 12, colour: COLOURS.quiet });
        y += 16;
      }
      write(svg, 0, y + 14, "The weights of the softmax", { bold: true });
      const box = { x: 30, y: y + 28, width: width - 30 - 58, height: 90 };
      panels.weights(svg, box, turned);
      return { height: y + 28 + 90 + 44, alt: this.seen(turned) };
    }

    /** The picture in words. @param {Turned} turned */
    seen({ tokens, way, end }) {
      const places = tokens.map(([x, y], i) => `${NAMES[i]} at ${fixed(x)}, ${fixed(y)}`);
      const logs = SoftLookup.selection.logWeights(tokens, way[0]);
      const weights = tokens.map(
        (_, i) => `${NAMES[i]} from ${weight(logs[i])} to ${weight(end.logs[i])}`,
      );
      return (
        `Tokens: ${places.join("; ")}. The way of w over ${whole(this.steps)} steps: from length ` +
        `${length(way[0])} to ${length(way[way.length - 1])}. Weights: ${weights.join("; ")}.`
      );
    }
  }

  /** @param {string} scope @param {string} name */
  function heading(scope, name) {
    const made = element("th", "", name);
    made.scope = scope;
    return made;
  }

  customElements.define("margin-turner", MarginTurner);
})();
