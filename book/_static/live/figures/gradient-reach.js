// The gradient along the chain: a plain network whose gain is turned, an LSTM whose forget bias is,
// and attention, which has no chain. Each is the chapter's first network of its kind, as drawn.

(() => {
  "use strict";
  const { slider, toggle } = SoftLookup.controls;
  const { COLOURS, picture, words, axisBelow, fixed, significant, power } = SoftLookup.pictures;
  const { gradients } = SoftLookup;
  const held = SoftLookup.weights.get("gradient-reach");
  const { lags } = held.config;
  const tokens = held.matrix("tokens");
  const direction = held.vector("direction");
  /** @param {string} kind @returns {Cell} */
  const cell = (kind) => ({
    input: held.linear(`${kind}.input_projection`),
    state: held.linear(`${kind}.state_projection`),
  });
  const projections = {
    query: held.matrix("query"),
    key: held.matrix("key"),
    value: held.matrix("value"),
  };
  const BEGIN = { gain: 0.8, tanh: true, bias: 0, lag: 100 };
  // The chapter's bounds: below, a gradient has vanished; above, it has exploded.
  const VANISHED = 1e-3;
  const EXPLODED = 1e3;
  // What the scale shows at least, in orders of magnitude.
  const LEAST = -30;
  const MOST = 10;

  class GradientReach extends SoftLookup.Figure {
    gain = BEGIN.gain;
    tanh = BEGIN.tanh;
    bias = BEGIN.bias;
    lag = BEGIN.lag;
    looked = gradients.attention(projections, tokens, direction);
    /** @type {ReturnType<typeof gradients.rnn>} */
    rnn = { lengths: [], formula: 0 };
    /** @type {number[]} */
    lstm = [];

    build() {
      this.gains = slider(this.controls, "Gain of the RNN", {
        min: 0.5,
        max: 2.5,
        step: 0.1,
        value: this.gain,
        format: (gain) => fixed(gain, 1),
        changed: (gain) => {
          this.gain = gain;
          this.update();
        },
      });
      this.biases = slider(this.controls, "Forget bias of the LSTM", {
        min: -2,
        max: 5,
        step: 0.5,
        value: this.bias,
        format: (bias) => fixed(bias, 1),
        changed: (bias) => {
          this.bias = bias;
          this.update();
        },
      });
      this.steps = slider(this.controls, "Steps back", {
        min: 1,
        max: lags,
        value: this.lag,
        changed: (lag) => {
          this.lag = lag;
          this.update();
        },
      });
      this.squash = toggle(this.controls, "take the RNN’s tanh away", {
        value: !this.tanh,
        changed: (without) => {
          this.tanh = !without;
          this.update();
        },
      });
      this.drawn = picture(this.picture, (svg, width) => this.draw(svg, width));
    }

    reset() {
      Object.assign(this, BEGIN);
      this.gains?.set(BEGIN.gain);
      this.biases?.set(BEGIN.bias);
      this.steps?.set(BEGIN.lag);
      if (this.squash) this.squash.checked = false;
    }

    update() {
      const { gain, tanh } = this;
      this.rnn = gradients.rnn(cell("rnn"), tokens, direction, { gain, tanh });
      this.lstm = gradients.lstm(cell("lstm"), tokens, direction, this.bias);
      this.drawn?.redraw();
      this.list([
        ["RNN, factor a step", fixed(gradients.factor(this.rnn.lengths))],
        ["the same by the formula", fixed(this.rnn.formula)],
        ["LSTM, factor a step", fixed(gradients.factor(this.lstm))],
        ["attention, an even share", significant(1 / (lags + 1))],
      ]);
      this.say(this.told());
    }

    /** The lines of the picture. */
    lines() {
      const rnn = `RNN${this.tanh ? "" : ", no tanh"}`;
      return [
        { name: rnn, lengths: this.rnn.lengths, colour: COLOURS.first, dash: "" },
        { name: "LSTM", lengths: this.lstm, colour: COLOURS.second, dash: "7 4" },
        { name: "attention", lengths: this.looked, colour: COLOURS.third, dash: "2 3" },
      ];
    }

    /** What is left, and which of the two chains leaves more. */
    told() {
      const [rnn, lstm, looked] = this.lines().map(({ lengths }) => lengths[this.lag]);
      const ratio = Math.max(rnn / lstm, lstm / rnn);
      const [more, less] = rnn > lstm ? ["RNN", "LSTM"] : ["LSTM", "RNN"];
      const compared =
        ratio < 1.1
          ? "The two chains leave about the same."
          : `In the ${more} it is ${size(ratio)} times as long as in the ${less}.`;
      return (
        `${this.lag === 1 ? "One step" : `${this.lag} steps`} back, the gradient has length ` +
        `${size(rnn)} in the RNN (${fate(rnn)}), ${size(lstm)} in the LSTM (${fate(lstm)}) and ` +
        `${size(looked)} in attention (${fate(looked)}). ${compared}`
      );
    }

    /** @param {Svg} svg @param {number} width */
    draw(svg, width) {
      const lines = this.lines();
      const orders = lines.flatMap(({ lengths }) => lengths.map(Math.log10));
      const low = Math.min(LEAST, 10 * Math.floor(Math.min(...orders) / 10));
      const high = Math.max(MOST, 10 * Math.ceil(Math.max(...orders) / 10));
      const [left, right, top, bottom] = [46, width - (this.tanh ? 80 : 108), 12, 318];
      const x = d3.scaleLinear([0, lags], [left, right]);
      const y = d3.scaleLinear([low, high], [bottom, top]);
      const band = [y(Math.log10(EXPLODED)), y(Math.log10(VANISHED))];
      svg
        .append("rect")
        .attr("x", left)
        .attr("y", band[0])
        .attr("width", right - left)
        .attr("height", band[1] - band[0])
        .attr("fill", COLOURS.raised);
      for (let order = low; order <= high; order += 10) {
        rule(svg, left, right, y(order), COLOURS.line);
        words(svg, left - 6, y(order) + 4, power(order), {
          anchor: "end",
          size: 12,
          colour: COLOURS.quiet,
        });
      }
      axisBelow(svg, x, bottom, { ticks: 5, label: "lag (steps back)" });
      svg
        .append("path")
        .attr("d", `M${x(this.lag)},${top}V${bottom}`)
        .attr("stroke", COLOURS.text)
        .attr("stroke-width", 1);
      const quiet = { size: 12, colour: COLOURS.quiet };
      over(words(svg, left + 6, top + 16, "above 1,000: exploded", quiet));
      over(words(svg, left + 6, bottom - 8, "below 0.001: vanished", quiet));
      const path = d3.line(
        (_, lag) => x(lag),
        (length) => y(Math.log10(Number(length))),
      );
      const ends = apart(
        lines.map(({ lengths }) => y(Math.log10(lengths[lags]))),
        top,
        bottom,
      );
      lines.forEach(({ name, lengths, colour, dash }, i) => {
        svg
          .append("path")
          .attr("d", path(/** @type {any} */ (lengths)))
          .attr("fill", "none")
          .attr("stroke", colour)
          .attr("stroke-width", 2.5)
          .attr("stroke-dasharray", dash);
        svg
          .append("circle")
          .attr("cx", x(this.lag))
          .attr("cy", y(Math.log10(lengths[this.lag])))
          .attr("r", 5)
          .attr("fill", colour)
          .attr("stroke", COLOURS.page)
          .attr("stroke-width", 1.5);
        words(svg, right + 8, ends[i] + 4, name, { colour, size: 13, bold: true });
      });
      return { height: bottom + 44, alt: this.seen(low, high) };
    }

    /** The picture in words. @param {number} low @param {number} high */
    seen(low, high) {
      const ways = this.lines().map(({ name, lengths }) => {
        const at = [10, 50, 100].map((lag) => size(lengths[lag]));
        return `${name}: ${at.join(", ")}`;
      });
      return (
        `Length of the gradient on a logarithmic scale from ${power(low)} to ${power(high)}, against ` +
        `the lag from 0 to ${lags}; a band marks 0.001 to 1,000. At lags 10, 50 and 100, ${ways.join("; ")}.`
      );
    }
  }

  /** What has become of a gradient of length one. @param {number} length */
  function fate(length) {
    if (length < VANISHED) return "vanished";
    return length > EXPLODED ? "exploded" : "arrives";
  }

  /** A length in few digits; far from one, its order of magnitude. @param {number} length */
  function size(length) {
    const within = length >= VANISHED && length <= EXPLODED;
    return within ? significant(length) : power(Math.round(Math.log10(length)));
  }

  /** Heights for words at the ends of lines, so that none stands on another. @param {number[]} wanted @param {number} top @param {number} bottom */
  function apart(wanted, top, bottom) {
    const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b]);
    const placed = [...wanted];
    order.forEach((i, at) => {
      if (at) placed[i] = Math.max(placed[i], placed[order[at - 1]] + 16);
    });
    const below = Math.max(0, Math.max(...placed) - bottom);
    return placed.map((place) => Math.max(top, place - below));
  }

  /** @param {Svg} svg @param {number} from @param {number} to @param {number} y @param {string} colour */
  function rule(svg, from, to, y, colour) {
    svg.append("path").attr("d", `M${from},${y}H${to}`).attr("stroke", colour);
  }

  /** Keep words readable where lines pass behind them. @param {Marks} text */
  function over(text) {
    text.attr("stroke", COLOURS.page).attr("stroke-width", 4).attr("paint-order", "stroke");
  }

  customElements.define("gradient-reach", GradientReach);
})();
