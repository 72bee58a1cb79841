// Tables of weights as pictures: a row for each query, a column for each key, the deeper the colour
// the larger the weight, with the number in each cell where there is room for it.

var SoftLookup = SoftLookup || {};

SoftLookup.matrices = (() => {
  "use strict";
  const { COLOURS, words } = SoftLookup.pictures;

  /**
   * Draw a matrix of weights.
   * @param {Marks} parent
   * @param {Matrix} m
   * @param {object} options
   * @param {number} options.x of the first cell
   * @param {number} options.y
   * @param {number} options.cell the side of a cell
   * @param {string[]} [options.rows] names, drawn at the left
   * @param {string[]} [options.columns] names, drawn above, on their side
   * @param {number} [options.most] what is drawn in full colour; 1 if left out
   * @param {string} [options.colour]
   * @param {number} [options.marked] a row to frame
   */
  function heat(parent, m, options) {
    const {
      x,
      y,
      cell,
      rows = [],
      columns = [],
      most = 1,
      colour = COLOURS.first,
      marked,
    } = options;
    const group = parent.append("g");
    for (let i = 0; i < m.rows; i++) {
      for (let j = 0; j < m.columns; j++) {
        const value = m.data[i * m.columns + j];
        const share = Math.min(1, Math.abs(value) / most);
        group
          .append("rect")
          .attr("x", x + j * cell)
          .attr("y", y + i * cell)
          .attr("width", cell - 1)
          .attr("height", cell - 1)
          .attr("fill", colour)
          .attr("fill-opacity", share)
          .attr("stroke", COLOURS.line)
          .attr("stroke-width", 0.5);
        if (cell >= 30 && share >= 0.005) {
          const ink = share > 0.55 ? COLOURS.page : COLOURS.text;
          const number = value.toFixed(2).replace(/^0/, "");
          words(group, x + (j + 0.5) * cell, y + (i + 0.5) * cell + 4, number, {
            anchor: "middle",
            colour: ink,
            size: 12,
          });
        }
      }
    }
    rows.forEach((name, i) => {
      words(group, x - 6, y + (i + 0.5) * cell + 4, name, {
        anchor: "end",
        size: 13,
        bold: i === marked,
      });
    });
    columns.forEach((name, j) => {
      const at = `translate(${x + (j + 0.5) * cell + 4},${y - 6}) rotate(-60)`;
      words(group, 0, 0, name, { size: 13 }).attr("transform", at);
    });
    if (marked !== undefined) {
      group
        .append("rect")
        .attr("x", x - 1.5)
        .attr("y", y + marked * cell - 1.5)
        .attr("width", m.columns * cell + 2)
        .attr("height", cell + 2)
        .attr("fill", "none")
        .attr("stroke", COLOURS.second)
        .attr("stroke-width", 2);
    }
    return group;
  }

  return { heat };
})();
