// The caches of a released model: the reader lets more heads share, lengthens the text and serves
// more of them, and sees when the caches outgrow the weights.

(() => {
  "use strict";
  const { slider } = SoftLookup.controls;
  const { COLOURS, picture, words, fixed, byteSize: size } = SoftLookup.pictures;
  const { perToken, bytes, longest } = SoftLookup.sharedCache;
  const { config } = SoftLookup.weights.get("shared-cache");
  const model = /** @type {CachedModel} */ (config.model);
  const SHARED = /** @type {number[]} */ (config.shared);
  const LENGTHS = /** @type {number[]} */ (config.lengths);
  const TEXTS = /** @type {number[]} */ (config.texts);
  const BEGIN = { shared: 8, length: 8192, texts: 1 };

  class SharedCache extends SoftLookup.Figure {
    shared = BEGIN.shared;
    length = BEGIN.length;
    texts = BEGIN.texts;

    build() {
      this.sharing = slider(this.controls, "Shared heads of keys and values", {
        stops: SHARED,
        value: this.shared,
        format: (shared) => `${shared} of ${model.heads}`,
        changed: (shared) => {
          this.shared = shared;
          this.update();
        },
      });
      this.lengths = slider(this.controls, "Tokens in a text", {
        stops: LENGTHS,
        value: this.length,
        format: count,
        changed: (length) => {
          this.length = length;
          this.update();
        },
      });
      this.served = slider(this.controls, "Texts at once", {
        stops: TEXTS,
        value: this.texts,
        format: count,
        changed: (texts) => {
          this.texts = texts;
          this.update();
        },
      });
      this.drawn = picture(this.picture, (svg, width) => this.draw(svg, width));
    }

    reset() {
      Object.assign(this, BEGIN);
      this.sharing?.set(BEGIN.shared);
      this.lengths?.set(BEGIN.length);
      this.served?.set(BEGIN.texts);
    }

    update() {
      const { shared, texts } = this;
      this.drawn?.redraw();
      this.list([
        ["bytes a token", count(perToken(model, shared))],
        ["caches", size(this.taken)],
        ["weights", size(model.weight_bytes)],
        ["longest text within the weights’ size", `${count(longest(model, shared, texts))} tokens`],
      ]);
      this.say(this.told());
    }

    get taken() {
      return bytes(model, this.shared, this.length, this.texts);
    }

    told() {
      const { shared, length, texts, taken } = this;
      const ratio = taken / model.weight_bytes;
      const who = texts === 1 ? "One text" : `${texts} texts`;
      const heads = shared === 1 ? "one shared head" : `${shared} shared heads`;
      const compared =
        ratio > 1
          ? `That is ${fixed(ratio)} times as much as the weights.`
          : `The weights take ${fixed(1 / ratio)} times as much.`;
      return `${who} of ${count(length)} tokens with ${heads}: the caches take ${size(taken)}. ${compared}`;
    }

    /** @param {Svg} svg @param {number} width */
    draw(svg, width) {
      const { shared, length, texts, taken } = this;
      const [left, right, top, bottom] = [64, width - 92, 26, 258];
      const x = d3.scaleLog([LENGTHS[0], LENGTHS[LENGTHS.length - 1]], [left, right]);
      const y = d3.scaleLog([1e6, 1e14], [bottom, top]);
      const quiet = { size: 12, colour: COLOURS.quiet };
      words(svg, 4, 14, "bytes of all caches, each line ten times more", quiet);
      for (let power = 6; power <= 14; power++) {
        rule(svg, left, right, y(10 ** power), COLOURS.line);
        if (power % 3 === 0) {
          words(svg, left - 6, y(10 ** power) + 4, size(10 ** power), { ...quiet, anchor: "end" });
        }
      }
      for (const tick of [LENGTHS[0], 8192, LENGTHS[LENGTHS.length - 1]]) {
        words(svg, x(tick), bottom + 18, count(tick), { ...quiet, anchor: "middle" });
      }
      words(svg, (left + right) / 2, bottom + 38, "tokens in a text", {
        ...quiet,
        anchor: "middle",
      });
      const weights = y(model.weight_bytes);
      rule(svg, left, right, weights, COLOURS.text, "2 3");
      const ends = [{ name: "weights", at: weights, colour: COLOURS.text }];
      for (const heads of new Set([model.heads, 1, shared])) {
        const own = heads === shared;
        const colour = own ? COLOURS.first : COLOURS.quiet;
        const [from, to] = [LENGTHS[0], LENGTHS[LENGTHS.length - 1]].map((tokens) =>
          y(bytes(model, heads, tokens, texts)),
        );
        svg
          .append("path")
          .attr("d", `M${left},${from}L${right},${to}`)
          .attr("stroke", colour)
          .attr("stroke-width", own ? 2.5 : 1.2)
          .attr("stroke-dasharray", own ? "" : "6 4");
        ends.push({ name: `${heads} shared`, at: to, colour });
      }
      ends.sort((one, other) => one.at - other.at);
      ends.forEach((end, i) => {
        if (i) end.at = Math.max(end.at, ends[i - 1].at + 16);
        words(svg, right + 8, end.at + 4, end.name, { colour: end.colour, size: 13, bold: true });
      });
      svg
        .append("circle")
        .attr("cx", x(length))
        .attr("cy", y(taken))
        .attr("r", 6)
        .attr("fill", COLOURS.first)
        .attr("stroke", COLOURS.page)
        .attr("stroke-width", 1.5);
      return { height: bottom + 50, alt: this.seen() };
    }

    /** The picture in words. */
    seen() {
      const { texts } = this;
      const [from, to] = [LENGTHS[0], LENGTHS[LENGTHS.length - 1]];
      const lines = [...new Set([model.heads, 1, this.shared])].map((heads) => {
        const [least, most] = [from, to].map((tokens) => size(bytes(model, heads, tokens, texts)));
        return `with ${heads} shared: ${least} to ${most}`;
      });
      return (
        `Bytes of the caches against the tokens in a text, from ${count(from)} to ${count(to)}, both on ` +
        `logarithmic scales, ${lines.join("; ")}. The weights, a level line: ` +
        `${size(model.weight_bytes)}. A dot marks ${count(this.length)} tokens, ${size(this.taken)}.`
      );
    }
  }

  /** A whole number with its thousands apart. @param {number} number */
  function count(number) {
    return number.toLocaleString("en-GB");
  }

  /** @param {Svg} svg @param {number} from @param {number} to @param {number} y @param {string} colour @param {string} [dash] */
  function rule(svg, from, to, y, colour, dash = "") {
    svg
      .append("path")
      .attr("d", `M${from},${y}H${to}`)
      .attr("stroke", colour)
      .attr("stroke-dasharray", dash);
  }

  customElements.define("shared-cache", SharedCache);
})();
