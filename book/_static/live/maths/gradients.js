// How much of a gradient reaches back along a chain: the measurement of the chapter on the limits of
// recurrence, written out step by step. Gradients shrink below what single precision holds, and a
// wild network doubles its rounding at every step, so everything here is in double precision.

var SoftLookup = SoftLookup || {};

SoftLookup.gradients = (() => {
  "use strict";
  const { row, norm, dot } = SoftLookup.arrays;
  const { sigmoid } = SoftLookup.layers;
  const { softmax } = SoftLookup.attention;

  /** W v. @param {Matrix} weight @param {ArrayLike<number>} vector @returns {Float64Array} */
  function through({ data, rows, columns }, vector) {
    const made = new Float64Array(rows);
    for (let i = 0; i < rows; i++) {
      let sum = 0;
      for (let j = 0; j < columns; j++) sum += data[i * columns + j] * vector[j];
      made[i] = sum;
    }
    return made;
  }

  /** Wᵀ v, the way back. @param {Matrix} weight @param {ArrayLike<number>} vector @returns {Float64Array} */
  function back({ data, rows, columns }, vector) {
    const made = new Float64Array(columns);
    for (let i = 0; i < rows; i++) {
      const factor = vector[i];
      for (let j = 0; j < columns; j++) made[j] += factor * data[i * columns + j];
    }
    return made;
  }

  /** What a cell makes of a token alone, with both biases. @param {Cell} cell @param {ArrayLike<number>} token */
  function read({ input, state }, token) {
    const made = through(input.weight, token);
    return made.map((value, i) => value + (input.bias?.[i] ?? 0) + (state.bias?.[i] ?? 0));
  }

  /**
   * The plain network: lengths of the gradient by lag, and the factor a step by the formula.
   * @param {Cell} cell its state weights drawn at gain one
   * @param {Matrix} tokens @param {ArrayLike<number>} direction in which the last state is looked at
   * @param {{gain: number, tanh?: boolean}} options
   */
  function rnn(cell, tokens, direction, { gain, tanh = true }) {
    /** @type {Float64Array[]} the slopes of the tanh, step by step */
    const slopes = [];
    /** @type {Float64Array} */
    let state = new Float64Array(cell.state.weight.columns);
    for (let t = 0; t < tokens.rows; t++) {
      const carried = through(cell.state.weight, state);
      state = read(cell, row(tokens, t)).map((value, i) => value + gain * carried[i]);
      if (tanh) state = state.map(Math.tanh);
      slopes.push(tanh ? state.map((value) => 1 - value * value) : state.map(() => 1));
    }
    /** @type {Float64Array} */
    let gradient = Float64Array.from(direction);
    const lengths = [norm(gradient)];
    for (let t = tokens.rows - 1; t > 0; t--) {
      const before = gradient.map((value, i) => gain * value * slopes[t][i]);
      gradient = back(cell.state.weight, before);
      lengths.push(norm(gradient));
    }
    const settled = slopes.slice(10);
    const squares = settled.reduce((sum, each) => sum + dot(each, each) / each.length, 0);
    return { lengths, formula: gain * Math.sqrt(squares / settled.length) };
  }

  /**
   * The LSTM: lengths of the gradient with respect to the memory, by lag.
   * @param {Cell} cell @param {Matrix} tokens @param {ArrayLike<number>} direction
   * @param {number} forgetBias added to the bias of the forget gates
   */
  function lstm(cell, tokens, direction, forgetBias) {
    const width = cell.state.weight.columns;
    /** @typedef {{i: Float64Array, f: Float64Array, g: Float64Array, o: Float64Array, before: Float64Array, shown: Float64Array}} Step */
    /** @type {Step[]} */
    const steps = [];
    /** @type {Float64Array} */
    let state = new Float64Array(width);
    let memory = new Float64Array(width);
    for (let t = 0; t < tokens.rows; t++) {
      const carried = through(cell.state.weight, state);
      const all = read(cell, row(tokens, t)).map((value, k) => value + carried[k]);
      const part = (/** @type {number} */ which) => all.slice(which * width, (which + 1) * width);
      const i = part(0).map(sigmoid);
      const f = part(1).map((value) => sigmoid(value + forgetBias));
      const g = part(2).map(Math.tanh);
      const o = part(3).map(sigmoid);
      const before = memory;
      memory = before.map((old, k) => f[k] * old + i[k] * g[k]);
      const shown = memory.map(Math.tanh);
      state = shown.map((value, k) => o[k] * value);
      steps.push({ i, f, g, o, before, shown });
    }
    /** @type {Float64Array} */
    let ofState = Float64Array.from(direction);
    let kept = new Float64Array(width);
    const lengths = [];
    for (let t = tokens.rows - 1; t >= 0; t--) {
      const { i, f, g, o, before, shown } = steps[t];
      const ofMemory = kept.map((value, k) => value + ofState[k] * o[k] * (1 - shown[k] ** 2));
      lengths.push(norm(ofMemory));
      const gates = new Float64Array(4 * width);
      for (let k = 0; k < width; k++) {
        gates[k] = ofMemory[k] * g[k] * i[k] * (1 - i[k]);
        gates[width + k] = ofMemory[k] * before[k] * f[k] * (1 - f[k]);
        gates[2 * width + k] = ofMemory[k] * i[k] * (1 - g[k] ** 2);
        gates[3 * width + k] = ofState[k] * shown[k] * o[k] * (1 - o[k]);
      }
      kept = ofMemory.map((value, k) => value * f[k]);
      ofState = back(cell.state.weight, gates);
    }
    return lengths;
  }

  /**
   * One attention: lengths of the gradient from the last token's output to every token, by lag.
   * @param {{query: Matrix, key: Matrix, value: Matrix}} projections x W, a row for each input
   * @param {Matrix} tokens @param {ArrayLike<number>} direction
   */
  function attention({ query, key, value }, tokens, direction) {
    const last = tokens.rows - 1;
    const scale = 1 / Math.sqrt(query.columns);
    const each = Array.from({ length: tokens.rows }, (_, t) => row(tokens, t));
    const asked = back(query, each[last]);
    const keys = each.map((token) => back(key, token));
    const weights = softmax(keys.map((answer) => scale * dot(answer, asked)));
    const told = each.map((token) => dot(back(value, token), direction));
    const answer = dot(weights, told);
    const ofScores = told.map((each, j) => scale * weights[j] * (each - answer));
    const ofQuery = asked.map((_, k) =>
      keys.reduce((sum, key, j) => sum + ofScores[j] * key[k], 0),
    );
    const [byValue, byKey, byQuery] = [
      through(value, direction),
      through(key, asked),
      through(query, ofQuery),
    ];
    const lengths = each.map((_, j) =>
      norm(
        byValue.map(
          (own, k) => weights[j] * own + ofScores[j] * byKey[k] + (j === last ? byQuery[k] : 0),
        ),
      ),
    );
    return lengths.reverse();
  }

  /** The factor a step: ten to the slope of the straight line through log10 of the lengths. @param {number[]} lengths @param {number} [first] lag */
  function factor(lengths, first = 10) {
    const y = lengths.slice(first).map(Math.log10);
    const middle = (y.length - 1) / 2;
    const across = y.reduce((sum, value, x) => sum + (x - middle) * value, 0);
    return 10 ** (across / y.reduce((sum, _, x) => sum + (x - middle) ** 2, 0));
  }

  return { rnn, lstm, attention, factor };
})();
