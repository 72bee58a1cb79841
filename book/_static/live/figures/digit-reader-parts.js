// Parts of the digit reader: a square of cells to draw on or to cover, the bars of the ten digits,
// and the words for what was done to a digit.

var SoftLookup = SoftLookup || {};

SoftLookup.digitReader = (() => {
  "use strict";
  const { element } = SoftLookup.controls;
  const { COLOURS, words: write, fixed } = SoftLookup.pictures;
  const { SIDE, INK, patchOf } = SoftLookup.digitReading;
  const TALL = 20;

  /**
   * A square of buttons: arrow keys go from one to the next, and the tabulator stops at one.
   * @param {HTMLElement} parent @param {string} name of its style @param {string} caption
   * @param {number} side cells along a side
   * @param {(i: number, j: number) => void} pressed by the keyboard, or by a click where none draws
   */
  function square(parent, name, caption, side, pressed) {
    const box = element("div", "live-square");
    const table = element("div", name);
    table.setAttribute("role", "group");
    table.setAttribute("aria-label", caption);
    box.append(element("p", "live-heads", caption), table);
    parent.append(box);
    const cells = Array.from({ length: side * side }, (_, at) => {
      const cell = element("button");
      cell.type = "button";
      cell.tabIndex = at === 0 ? 0 : -1;
      cell.addEventListener("keydown", (event) => walk(event, at));
      cell.addEventListener("click", (event) => {
        // Where a pointer draws, it has drawn before it clicks.
        if (event.detail && table.dataset.drawn) return;
        go(at);
        pressed(Math.floor(at / side), at % side);
      });
      table.append(cell);
      return cell;
    });

    /** @param {KeyboardEvent} event @param {number} at */
    function walk(event, at) {
      const by = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[
        event.key
      ];
      if (!by) return;
      event.preventDefault();
      const inside = (/** @type {number} */ to) => Math.min(side - 1, Math.max(0, to));
      go(inside(Math.floor(at / side) + by[0]) * side + inside((at % side) + by[1]));
    }

    /** @param {number} at */
    function go(at) {
      for (const cell of cells) cell.tabIndex = -1;
      cells[at].tabIndex = 0;
      cells[at].focus({ preventScroll: true });
    }
    return { box, table, cells, go };
  }

  /**
   * Let mouse or finger draw on a square: a stroke inks, or clears if it begins on ink.
   * @param {ReturnType<typeof square>} made @param {number} side
   * @param {(i: number, j: number) => boolean} isInk
   * @param {(i: number, j: number, inked: boolean) => void} dot
   */
  function drawnOn({ table, cells, go }, side, isInk, dot) {
    table.dataset.drawn = "by hand";
    table.addEventListener("pointerdown", (down) => {
      const first = cells.indexOf(/** @type {HTMLButtonElement} */ (down.target));
      if (first < 0 || down.button > 0) return;
      down.preventDefault();
      const inked = !isInk(Math.floor(first / side), first % side);
      let last = -1;
      const touch = (/** @type {number} */ at) => {
        if (at < 0 || at === last) return;
        last = at;
        go(at);
        dot(Math.floor(at / side), at % side, inked);
      };
      touch(first);
      // A finger belongs to the cell where it came down, so the page is asked what lies beneath it.
      const move = (/** @type {PointerEvent} */ event) => {
        const beneath = document.elementFromPoint(event.clientX, event.clientY);
        touch(cells.indexOf(/** @type {HTMLButtonElement} */ (beneath)));
      };
      const up = () => {
        window.removeEventListener("pointermove", move);
        window.removeEventListener("pointerup", up);
        window.removeEventListener("pointercancel", up);
      };
      window.addEventListener("pointermove", move);
      window.addEventListener("pointerup", up);
      window.addEventListener("pointercancel", up);
    });
  }

  /** How probable each digit is. @param {Svg} svg @param {number} width @param {ArrayLike<number>} shares @param {number} said @param {number} [truth] @returns {number} the height */
  function bars(svg, width, shares, said, truth) {
    const long = Math.min(320, width - 18 - 92);
    write(svg, 0, 13, "Probability of each digit", { size: 14, colour: COLOURS.quiet });
    Array.from(shares, (share, digit) => {
      const y = 26 + digit * TALL;
      const bold = digit === said;
      write(svg, 2, y + 14, String(digit), { size: 13, bold });
      svg
        .append("rect")
        .attr("x", 18)
        .attr("y", y + 3)
        .attr("width", Math.max(0.5, long * share))
        .attr("height", TALL - 7)
        .attr("fill", bold ? COLOURS.first : COLOURS.quiet);
      const mark = digit === truth ? `${fixed(share)}, true` : fixed(share);
      write(svg, 23 + long * share, y + 14, mark, { size: 12, bold });
    });
    return 26 + shares.length * TALL + 4;
  }

  /** @param {number} count @param {string} one @param {string} many */
  const counted = (count, one, many) => `${count} ${count === 1 ? one : many}`;

  /** Where a digit was moved, in words; nothing if it stands. @param {number} down @param {number} across */
  function where(down, across) {
    const ways = [
      [Math.abs(down), down < 0 ? "up" : "down"],
      [Math.abs(across), across < 0 ? "to the left" : "to the right"],
    ].filter(([far]) => far);
    return ways
      .map(([far, way]) => `${counted(Number(far), "pixel", "pixels")} ${way}`)
      .join(" and ");
  }

  /** A probability in a sentence: rounding makes nobody certain. @param {number} share */
  const sure = (share) => (share > 0.995 ? "more than 0.99" : fixed(share));

  /**
   * The outcome in a sentence.
   * @param {object} state
   * @param {number} [state.truth] what it is; of a drawing only the reader knows
   * @param {number} state.said
   * @param {number} state.probability of what is said
   * @param {number} state.unmoved what is said of the same digit where it stood, and whole
   * @param {number} state.down @param {number} state.across
   * @param {number} state.hidden how many patches
   * @param {boolean} state.empty whether the model gets nothing but paper
   */
  function told({ truth, said, probability, unmoved, down, across, hidden, empty }) {
    if (empty) {
      return (
        `The model gets empty paper, and says ${said}, with probability ${sure(probability)}: ` +
        "its ten probabilities add up to one, and none of them is for “no digit”."
      );
    }
    const way = where(down, across);
    const subject = [
      truth === undefined ? "Your drawing" : `The ${truth}`,
      ...(way ? [`moved ${way}`] : []),
      ...(hidden ? [`with ${counted(hidden, "patch", "patches")} of 16 hidden`] : []),
    ];
    const right = said === truth ? "right" : "wrong";
    const verdict = truth === undefined ? "" : `, which is ${right}`;
    const states = [...(way ? ["unmoved"] : []), ...(hidden ? ["whole"] : [])].join(" and ");
    const before = states
      ? ` ${states[0].toUpperCase()}${states.slice(1)}, it is read as ${unmoved}.`
      : "";
    return (
      `${subject.join(", ")}: the model says ${said}, ` +
      `with probability ${sure(probability)}${verdict}.${before}`
    );
  }

  /** Show the greys on the paper. @param {HTMLButtonElement[]} cells @param {Float32Array} shown */
  function inked(cells, shown) {
    cells.forEach((cell, at) => {
      cell.style.setProperty("--ink", String(shown[at] / INK));
      cell.setAttribute("aria-pressed", String(shown[at] >= INK / 2));
      const place = `row ${Math.floor(at / SIDE) + 1}, column ${(at % SIDE) + 1}`;
      cell.setAttribute("aria-label", `${place}: ink ${shown[at]} of ${INK}`);
    });
  }

  /** A tile for each patch: its four pixels, a number, and the space for both. @param {HTMLButtonElement[]} tiles */
  function tiled(tiles) {
    for (const tile of tiles) {
      const pixels = element("span", "live-pixels");
      pixels.append(...Array.from({ length: 4 }, () => element("span")));
      tile.append(pixels, element("span", "live-share"));
    }
  }

  /** Show the patches as the model gets them, the higher ranked the deeper. @param {HTMLButtonElement[]} tiles @param {Float32Array} shown @param {ArrayLike<number>} scores @param {Set<number>} covered */
  function shaded(tiles, shown, scores, covered) {
    const most = Math.max(...Array.from(scores), 1e-9);
    tiles.forEach((tile, patch) => {
      const hidden = covered.has(patch);
      const score = fixed(scores[patch]);
      tile.style.setProperty("--share", String(scores[patch] / most));
      tile.setAttribute("aria-pressed", String(hidden));
      const words = `patch ${patch + 1}: ${score}`;
      tile.setAttribute("aria-label", hidden ? `${words}, hidden` : words);
      const [pixels, share] = tile.children;
      share.textContent = score;
      [...shown.keys()]
        .filter((at) => patchOf(Math.floor(at / SIDE), at % SIDE) === patch)
        .forEach((at, i) => {
          const pixel = /** @type {HTMLElement} */ (pixels.children[i]);
          pixel.style.setProperty("--ink", hidden ? "0" : String(shown[at] / INK));
        });
    });
  }

  return { square, drawnOn, tiled, inked, shaded, bars, told };
})();
