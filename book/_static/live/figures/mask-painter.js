// A mask painted by hand, and the influence that follows: which word moves which, through one layer
// of attention or several, with the mask where it belongs or where it is often put by mistake.

(() => {
  "use strict";
  const { choice, slider, toggle, element } = SoftLookup.controls;
  const { COLOURS, picture, words: write, fixed } = SoftLookup.pictures;
  const { maskOf } = SoftLookup.attention;
  const { influence, layersOfAttention } = SoftLookup.influence;
  const held = SoftLookup.weights.get("mask-painter");
  const names = /** @type {string[]} */ (held.config.words);
  const kinds = /** @type {Record<string, number[][]>} */ (held.config.masks);
  const START = "causal";
  const projections = {
    query: held.matrix("W_Q"),
    key: held.matrix("W_K"),
    value: held.matrix("W_V"),
  };
  const x = held.matrix("x");
  // Below this an influence is rounding, and there is none.
  const NONE = 1e-5;

  class MaskPainter extends SoftLookup.Figure {
    mask = kinds[START].map((row) => [...row]);
    layers = 1;
    late = false;
    /** @type {HTMLButtonElement[][]} */
    cells = [];
    /** @type {Matrix | undefined} */
    found;

    build() {
      this.kind = choice(this.controls, "Begin with", {
        options: Object.keys(kinds).map((kind) => [kind, kind]),
        value: START,
        changed: (kind) => {
          this.mask = kinds[kind].map((row) => [...row]);
          this.update();
        },
      });
      this.depth = slider(this.controls, "Layers", {
        min: 1,
        max: 3,
        step: 1,
        value: 1,
        changed: (layers) => {
          this.layers = layers;
          this.update();
        },
      });
      this.place = toggle(this.controls, "put the mask after the softmax", {
        value: false,
        changed: (late) => {
          this.late = late;
          this.update();
        },
      });
      const beside = element("div", "live-beside");
      this.picture.before(beside);
      beside.append(this.table(), this.picture);
      this.drawn = picture(this.picture, (svg, width) => this.draw(svg, width));
    }

    reset() {
      this.mask = kinds[START].map((row) => [...row]);
      this.layers = 1;
      this.late = false;
      if (this.kind) this.kind.value = START;
      if (this.place) this.place.checked = false;
      this.depth?.set(1);
    }

    /** The mask as a table of switches, a row for each query; arrow keys go from one to the next. */
    table() {
      const table = element("table", "live-painted");
      const caption = element("caption", "", "The mask: press a cell");
      const head = element("tr");
      head.append(element("td"), ...names.map((name) => heading("col", name)));
      table.append(caption, head);
      this.cells = names.map((query, i) => {
        const row = element("tr");
        row.append(heading("row", query));
        const cells = names.map((_, j) => {
          const cell = element("button");
          cell.type = "button";
          cell.tabIndex = i + j === 0 ? 0 : -1;
          cell.addEventListener("click", () => this.paint(i, j));
          cell.addEventListener("keydown", (event) => this.walk(event, i, j));
          const box = element("td");
          box.append(cell);
          row.append(box);
          return cell;
        });
        table.append(row);
        return cells;
      });
      return table;
    }

    /** @param {number} i @param {number} j */
    paint(i, j) {
      this.mask[i][j] = 1 - this.mask[i][j];
      this.go(i, j);
      this.update();
    }

    /** @param {KeyboardEvent} event @param {number} i @param {number} j */
    walk(event, i, j) {
      const by = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[
        event.key
      ];
      if (!by) return;
      event.preventDefault();
      const inside = (/** @type {number} */ at) => Math.min(names.length - 1, Math.max(0, at));
      this.go(inside(i + by[0]), inside(j + by[1]));
    }

    /** Let the tabulator stop at one cell only, the one last used. @param {number} i @param {number} j */
    go(i, j) {
      for (const cell of this.cells.flat()) cell.tabIndex = -1;
      this.cells[i][j].tabIndex = 0;
      this.cells[i][j].focus();
    }

    update() {
      const mask = maskOf(names.length, names.length, (i, j) => this.mask[i][j] === 1);
      const options = { layers: this.layers, late: this.late };
      this.found = influence((each) => layersOfAttention(each, projections, mask, options), x);
      this.cells.forEach((row, i) => {
        row.forEach((cell, j) => {
          const may = this.mask[i][j] === 1;
          cell.textContent = may ? "●" : "";
          cell.setAttribute("aria-pressed", String(may));
          cell.setAttribute("aria-label", `${names[i]} may look at ${names[j]}`);
        });
      });
      this.drawn?.redraw();
      const future = this.pairs((i, j) => j > i);
      const hidden = this.pairs((i, j) => i !== j && this.mask[i][j] === 0);
      this.list([
        ["later words that move an earlier one", pairs(future.length)],
        ["strongest of them", fixed(future.length ? future[0].strength : 0)],
        ["moved by a word that the mask hides", pairs(hidden.length)],
      ]);
      this.say(this.told(future, hidden));
    }

    /** Pairs of words of which one moves the other, the strongest first. @param {(i: number, j: number) => boolean} wanted */
    pairs(wanted) {
      const { data } = /** @type {Matrix} */ (this.found);
      const n = names.length;
      return Array.from(data, (strength, at) => ({ strength, i: Math.floor(at / n), j: at % n }))
        .filter(({ strength, i, j }) => strength > NONE && wanted(i, j))
        .sort((a, b) => b.strength - a.strength);
    }

    /** @typedef {{strength: number, i: number, j: number}} Pair */
    /** @param {Pair[]} future @param {Pair[]} hidden */
    told(future, hidden) {
      if (future.length === 0) {
        const relayed = hidden.length
          ? ` ${pairs(hidden.length)} that the mask hides: reached in relays.`
          : "";
        return `No word is moved by a later one: this mask leaks nothing.${relayed}`;
      }
      const { i, j, strength } = future[0];
      const how =
        this.mask[i][j] === 1
          ? "The mask lets it look there."
          : this.late
            ? "Its weight is zero, and the message comes through the sum that the softmax divided by."
            : "The mask hides it, and the message comes in relays, through a word that may look there.";
      return (
        `The future leaks: “${names[j]}” moves “${names[i]}”, which stands before it, ` +
        `by ${fixed(strength)}. ${how}`
      );
    }

    /** @param {Svg} svg @param {number} width */
    draw(svg, width) {
      const matrix = /** @type {Matrix} */ (this.found);
      const n = names.length;
      const left = 62;
      const top = 62;
      const cell = Math.min(40, (width - left - 4) / n);
      const most = Math.max(
        ...matrix.data.map((value, at) => (at % (n + 1) === 0 ? 0 : value)),
        NONE,
      );
      SoftLookup.matrices.heat(svg, matrix, {
        x: left,
        y: top,
        cell,
        rows: names,
        columns: names,
        most,
      });
      for (const { i, j } of this.pairs((i, j) => j > i)) {
        svg
          .append("rect")
          .attr("x", left + j * cell + 1)
          .attr("y", top + i * cell + 1)
          .attr("width", cell - 3)
          .attr("height", cell - 3)
          .attr("fill", "none")
          .attr("stroke", COLOURS.second)
          .attr("stroke-width", 2.5);
      }
      const y = top + n * cell + 18;
      const lines = [
        "row: the word that is moved",
        "column: the word that moves it",
        "framed: moved from the future",
      ];
      lines.forEach((line, at) => {
        write(svg, left, y + 16 * at, line, { size: 12, colour: COLOURS.quiet });
      });
      return { height: y + 42, alt: this.seen() };
    }

    /** The picture in words. */
    seen() {
      const rows = names.map((name, i) => {
        const by = this.pairs((row, j) => row === i && j !== i).map(({ j }) => names[j]);
        return `${name}: ${by.length ? by.join(", ") : "nobody else"}`;
      });
      return `Who moves whom. Each word is followed by those that move it, the strongest first. ${rows.join("; ")}.`;
    }
  }

  /** @param {number} count */
  function pairs(count) {
    return `${count} ${count === 1 ? "pair" : "pairs"}`;
  }

  /** @param {string} scope @param {string} name */
  function heading(scope, name) {
    const made = element("th", "", name);
    made.scope = scope;
    return made;
  }

  customElements.define("mask-painter", MaskPainter);
})();
