// Two parts of the figure in which the GPT writes: the table of the tokens that may come next, and
// the picture of where each head looked.

var SoftLookup = SoftLookup || {};

SoftLookup.writerParts = (() => {
  "use strict";
  const { element, button } = SoftLookup.controls;
  const { COLOURS, words, fixed } = SoftLookup.pictures;
  const { argmax } = SoftLookup.arrays;
  const SHOWN = 8;

  /**
   * The likeliest tokens: what the model says, what is drawn from, and buttons to write or forbid.
   * @param {HTMLElement} parent
   * @param {{write: (id: number) => void, forbid: (id: number) => void}} actions
   */
  function candidates(parent, { write, forbid }) {
    const table = element("table", "live-candidates");
    const caption = element("caption", "", "What may come next");
    const head = element("thead");
    const names = element("tr");
    for (const name of ["write it", "the model says", "drawn from", "rule it out"]) {
      const cell = element("th", "", name);
      cell.scope = "col";
      names.append(cell);
    }
    head.append(names);
    const body = element("tbody");
    table.append(caption, head, body);
    parent.append(table);

    /**
     * @param {ArrayLike<number>} says the model's probabilities @param {ArrayLike<number>} drawn
     * @param {Set<number>} forbidden @param {(id: number) => string} visible @param {boolean} full
     */
    function show(says, drawn, forbidden, visible, full) {
      const ids = Array.from({ length: says.length }, (_, id) => id);
      const likely = ids.sort((a, b) => says[b] - says[a] || a - b).slice(0, SHOWN);
      const shown = [...likely, ...[...forbidden].filter((id) => !likely.includes(id))];
      const focused = document.activeElement?.getAttribute("data-key");
      body.replaceChildren(
        ...shown.map((id) => {
          const line = element("tr");
          const cells = Array.from({ length: 4 }, () => element("td"));
          const token = visible(id);
          const take = button(cells[0], token, () => write(id));
          take.disabled = full;
          take.setAttribute("aria-label", `Write ${token}`);
          take.dataset.key = `write-${id}`;
          cells[1].append(bar(says[id], "live-bar-says"), fixed(says[id]));
          const out = drawn[id] === 0;
          cells[2].append(bar(drawn[id], "live-bar-drawn"), out ? "ruled out" : fixed(drawn[id]));
          const never = button(cells[3], forbidden.has(id) ? "allow" : "forbid", () => forbid(id));
          never.setAttribute("aria-label", `${forbidden.has(id) ? "Allow" : "Forbid"} ${token}`);
          never.dataset.key = `forbid-${id}`;
          line.append(...cells);
          return line;
        }),
      );
      /** @type {HTMLElement | null} */
      const again = focused ? body.querySelector(`[data-key="${focused}"]`) : null;
      again?.focus();
    }

    return { show };
  }

  /** A bar beside its number. @param {number} share @param {string} name */
  function bar(share, name) {
    const made = element("span", `live-bar ${name}`);
    made.style.setProperty("--share", String(share));
    return made;
  }

  /**
   * Where each head looked, from one token: a strip for each head, and the token it took most from.
   * @param {Svg} svg @param {number} width
   * @param {Float32Array[][]} looked for each layer and head
   * @param {string[]} tokens as they are shown
   */
  function heads(svg, width, looked, tokens) {
    const tall = 22;
    const left = 78;
    const right = Math.min(130, width * 0.32);
    const at = looked[0][0].length - 1;
    const across = d3.scaleLinear([0, at + 1], [left, width - right]);
    let y = 16;
    words(svg, left, y - 5, `from “${tokens[at]}” back to the beginning`, {
      size: 12,
      colour: COLOURS.quiet,
    });
    const told = looked.map((layer, l) => {
      y += 4;
      return layer.map((weights, h) => {
        words(svg, 0, y + 15, h === 0 ? `layer ${l + 1}` : "", { size: 12, bold: true });
        words(svg, left - 8, y + 15, `${h + 1}`, {
          anchor: "end",
          size: 12,
          colour: COLOURS.quiet,
        });
        weights.forEach((weight, j) => {
          svg
            .append("rect")
            .attr("x", across(j))
            .attr("y", y)
            .attr("width", Math.max(1, across(j + 1) - across(j) - 1))
            .attr("height", tall - 4)
            .attr("fill", COLOURS.first)
            .attr("fill-opacity", weight)
            .attr("stroke", COLOURS.line)
            .attr("stroke-width", 0.5);
        });
        const most = argmax(weights);
        words(svg, width - right + 8, y + 14, `${fixed(weights[most])} ${short(tokens[most])}`, {
          size: 12,
        });
        y += tall;
        return `head ${h + 1} at ${tokens[most]} (${fixed(weights[most])})`;
      });
    });
    const alt = told.map((layer, l) => `Layer ${l + 1}: ${layer.join(", ")}.`).join(" ");
    return { height: y + 4, alt: `Where each head looked most, from ${tokens[at]}. ${alt}` };
  }

  /** @param {string} token */
  const short = (token) => (token.length > 11 ? `${token.slice(0, 10)}…` : token);

  return { candidates, heads };
})();
