// Handles: points of a picture that a reader drags with mouse or finger, or moves with the arrow
// keys. A picture that has one is drawn as interactive.

var SoftLookup = SoftLookup || {};

SoftLookup.handles = (() => {
  "use strict";
  const { COLOURS } = SoftLookup.pictures;

  /**
   * A point that can be dragged.
   * @param {Marks} parent
   * @param {object} options
   * @param {string} options.key unique in the picture: the focus finds it again after redrawing
   * @param {string} options.label what it is, for those who do not see it
   * @param {string} options.value where it is, in words
   * @param {number} options.x in the picture
   * @param {number} options.y
   * @param {number} [options.step] pixels for a press of an arrow key; ten times as far with Shift
   * @param {string} [options.colour]
   * @param {(x: number, y: number) => void} options.moved is given the new place, and redraws
   */
  function handle(parent, { key, label, value, x, y, step = 8, colour = COLOURS.first, moved }) {
    const point = parent
      .append("circle")
      .attr("class", "live-handle")
      .attr("data-key", key)
      .attr("cx", x)
      .attr("cy", y)
      .attr("r", 11)
      .attr("fill", colour)
      .attr("stroke", COLOURS.page)
      .attr("stroke-width", 2)
      .attr("tabindex", 0)
      // Two directions make no slider: it is a button with a value in its name.
      .attr("role", "button")
      .attr("aria-roledescription", "movable point")
      .attr("aria-label", `${label}: ${value}`);
    const node = /** @type {SVGCircleElement} */ (point.node());
    const svg = /** @type {SVGSVGElement} */ (node.ownerSVGElement);

    node.addEventListener("pointerdown", (down) => {
      down.preventDefault();
      node.focus();
      const box = svg.getBoundingClientRect();
      // The picture is drawn anew while it is dragged, so the window listens and not the point.
      const move = (/** @type {PointerEvent} */ event) =>
        moved(event.clientX - box.left, event.clientY - box.top);
      const up = () => {
        window.removeEventListener("pointermove", move);
        window.removeEventListener("pointerup", up);
        window.removeEventListener("pointercancel", up);
      };
      window.addEventListener("pointermove", move);
      window.addEventListener("pointerup", up);
      window.addEventListener("pointercancel", up);
    });
    node.addEventListener("keydown", (event) => {
      const far = event.shiftKey ? 10 * step : step;
      const by = {
        ArrowLeft: [-far, 0],
        ArrowRight: [far, 0],
        ArrowUp: [0, -far],
        ArrowDown: [0, far],
      }[event.key];
      if (!by) return;
      event.preventDefault();
      moved(x + by[0], y + by[1]);
    });
    return point;
  }

  return { handle };
})();
