// Parts of the word mover: a row of words that are dragged into another order, and the tables of
// numbers that a sentence becomes on its way through the layer.

var SoftLookup = SoftLookup || {};

SoftLookup.wordMover = (() => {
  "use strict";
  const { COLOURS, words: write, fixed } = SoftLookup.pictures;
  // So far a pointer may stray on a press that is no drag.
  const STRAY = 6;
  /** The height of a row of numbers, and the room for a word before it. */
  const TALL = 23;
  const NAMES = 62;

  /**
   * Let words of a row be dragged to another place, or moved with Shift and the arrow keys.
   * @param {HTMLElement} group its buttons are the words
   * @param {(from: number, to: number) => void} moved
   * @param {(index: number) => void} taken a word has been taken up
   */
  function movable(group, moved, taken) {
    group.classList.add("live-movable");
    const buttons = () => /** @type {HTMLButtonElement[]} */ ([...group.children]);
    group.addEventListener("pointerdown", (down) => {
      let held = buttons().indexOf(/** @type {HTMLButtonElement} */ (down.target));
      if (held < 0 || down.button !== 0) return;
      let dragging = false;
      const move = (/** @type {PointerEvent} */ event) => {
        dragging ||= Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > STRAY;
        if (!dragging) return;
        const to = under(buttons(), held, event.clientX, event.clientY);
        if (to < 0 || to === held) return;
        taken(held);
        moved(held, to);
        held = to;
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
    group.addEventListener(
      "keydown",
      (event) => {
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        const all = buttons();
        const at = all.indexOf(/** @type {HTMLButtonElement} */ (event.target));
        if (!by || !event.shiftKey || at < 0) return;
        event.preventDefault();
        event.stopPropagation();
        if (!all[at + by]) return;
        taken(at);
        moved(at, at + by);
        all[at + by].focus();
      },
      true,
    );
  }

  /** The place to which a dragged word belongs. A wide neighbour is passed when the word fits behind it. @param {HTMLElement[]} all @param {number} held @param {number} x @param {number} y */
  function under(all, held, x, y) {
    const own = all[held].getBoundingClientRect();
    return all.findIndex((each, i) => {
      const { left, right, top, bottom } = each.getBoundingClientRect();
      if (x < left || x > right || y < top || y > bottom) return false;
      if (Math.abs(top - own.top) > 4) return true;
      return i > held ? x > right - own.width : x < left + own.width;
    });
  }

  /**
   * A table of numbers with a sign: the deeper the colour the larger, in one colour above zero and another below.
   * @param {Marks} parent @param {Matrix} m
   * @param {{x: number, y: number, cell: number, names: string[], framed: [number, string][]}} options
   */
  function signed(parent, m, { x, y, cell, names, framed }) {
    const most = Math.max(...m.data.map(Math.abs));
    for (let i = 0; i < m.rows; i++) {
      const top = y + i * TALL;
      const mark = framed.find(([row]) => row === i);
      name(parent, x + NAMES - 8, top, names[i], mark);
      for (let k = 0; k < m.columns; k++) {
        const value = m.data[i * m.columns + k];
        const left = x + NAMES + k * cell;
        parent
          .append("rect")
          .attr("x", left)
          .attr("y", top)
          .attr("width", cell - 1)
          .attr("height", TALL - 2)
          .attr("fill", value < 0 ? COLOURS.fourth : COLOURS.first)
          .attr("fill-opacity", (0.45 * Math.abs(value)) / most);
        number(parent, left + (cell - 1) / 2, top, value);
      }
      if (mark) frame(parent, x + NAMES, top, m.columns * cell, mark[1]);
    }
  }

  /** A word before its row. @param {Marks} parent @param {number} right @param {number} top @param {string} word @param {[number, string]} [mark] */
  function name(parent, right, top, word, mark) {
    const size = word.length > 7 ? 12 : 13;
    write(parent, right, top + 15, word, { anchor: "end", size, bold: mark !== undefined });
  }

  /** A number of a table, with one decimal. @param {Marks} parent @param {number} middle @param {number} top @param {number} value */
  function number(parent, middle, top, value) {
    // No "−0.0".
    const words = fixed(Math.round(value * 10) / 10 + 0, 1);
    write(parent, middle, top + 15, words, { anchor: "middle", size: 12 });
  }

  /** @param {Marks} parent @param {number} x @param {number} y @param {number} width @param {string} colour */
  function frame(parent, x, y, width, colour) {
    parent
      .append("rect")
      .attr("x", x - 2)
      .attr("y", y - 1.5)
      .attr("width", width + 3)
      .attr("height", TALL + 1)
      .attr("fill", "none")
      .attr("stroke", colour)
      .attr("stroke-width", 2);
  }

  /**
   * The scores of one word with all, and its weights as bars.
   * @param {Marks} parent @param {Matrix} scores @param {Matrix} weights @param {number} asks
   * @param {{x: number, y: number, width: number}} place
   */
  function looks(parent, scores, weights, asks, { x, y, width }) {
    const SCORE = 40;
    const long = width - SCORE - 36;
    for (let j = 0; j < weights.columns; j++) {
      const top = y + j * TALL;
      const weight = weights.data[asks * weights.columns + j];
      number(parent, x + SCORE / 2, top, scores.data[asks * scores.columns + j]);
      parent
        .append("rect")
        .attr("x", x + SCORE)
        .attr("y", top + 3)
        .attr("width", Math.max(0.5, long * weight))
        .attr("height", TALL - 8)
        .attr("fill", COLOURS.second);
      write(parent, x + SCORE + long * weight + 4, top + 15, fixed(weight), { size: 12 });
    }
  }

  /** The title of a table, and what it is. @param {Marks} parent @param {number} x @param {number} y @param {string} title @param {string} said */
  function heading(parent, x, y, title, said) {
    write(parent, x, y, title, { bold: true });
    write(parent, x, y + 17, said, { size: 12, colour: COLOURS.quiet });
  }

  return { movable, signed, looks, heading, TALL, NAMES };
})();
