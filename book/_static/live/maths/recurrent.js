// Recurrent cells, a step for each token: the plain network, the LSTM and the GRU. The chapter on
// the limits of recurrence derives them. A run returns every state, so that a figure can show what
// was carried and what was lost.

var SoftLookup = SoftLookup || {};

/**
 * @typedef {object} Cell The two linear maps of a cell, its gates below one another in PyTorch's order.
 * @property {Linear} input
 * @property {Linear} state
 */

SoftLookup.recurrent = (() => {
  "use strict";
  const { matrix, row, beside } = SoftLookup.arrays;
  const { linear, sigmoid } = SoftLookup.layers;

  /** A cell of the library, with its input_projection and state_projection. @param {Bundle} parts @returns {Cell} */
  function cell(parts) {
    return { input: parts.linear("input_projection"), state: parts.linear("state_projection") };
  }

  /** A layer of torch.nn.GRU, LSTM or RNN. @param {Bundle} parts @param {string} [suffix] "l0", or "l0_reverse" @returns {Cell} */
  function torchCell(parts, suffix = "l0") {
    return {
      input: {
        weight: parts.matrix(`weight_ih_${suffix}`),
        bias: parts.vector(`bias_ih_${suffix}`),
      },
      state: {
        weight: parts.matrix(`weight_hh_${suffix}`),
        bias: parts.vector(`bias_hh_${suffix}`),
      },
    };
  }

  /**
   * Carry a state along the tokens.
   * @param {Matrix} x @param {Cell} cell @param {number} width of the state
   * @param {(input: Float32Array, state: Float32Array, carried: Float32Array) => Float32Array} step
   * @param {{start?: Float32Array, reverse?: boolean}} options
   */
  function carry(x, cell, width, step, { start, reverse = false }) {
    const inputs = linear(x, cell.input);
    const states = matrix(x.rows, width);
    let carried = start ?? new Float32Array(width);
    for (let t = 0; t < x.rows; t++) {
      const i = reverse ? x.rows - 1 - t : t;
      const state = linear(matrix(1, width, carried), cell.state).data;
      carried = step(row(inputs, i), state, carried);
      states.data.set(carried, i * width);
    }
    return { states, last: carried };
  }

  /** h' = tanh(W x + b + U h + c). @param {Matrix} x @param {Cell} cell @param {{start?: Float32Array, reverse?: boolean}} [options] */
  function rnn(x, cell, options = {}) {
    const width = cell.state.weight.columns;
    const step = (/** @type {Float32Array} */ input, /** @type {Float32Array} */ state) =>
      input.map((value, i) => Math.tanh(value + state[i]));
    return carry(x, cell, width, step, options);
  }

  /** The GRU, as torch.nn.GRU. @param {Matrix} x @param {Cell} cell @param {{start?: Float32Array, reverse?: boolean}} [options] */
  function gru(x, cell, options = {}) {
    const width = cell.state.weight.columns;
    return carry(
      x,
      cell,
      width,
      (input, state, before) =>
        before.map((old, i) => {
          const reset = sigmoid(input[i] + state[i]);
          const update = sigmoid(input[width + i] + state[width + i]);
          const fresh = Math.tanh(input[2 * width + i] + reset * state[2 * width + i]);
          return (1 - update) * fresh + update * old;
        }),
      options,
    );
  }

  /** Both directions side by side. @param {Matrix} x @param {Cell} forward @param {Cell} backward */
  function bidirectionalGru(x, forward, backward) {
    const there = gru(x, forward);
    const back = gru(x, backward, { reverse: true });
    return {
      states: beside([there.states, back.states]),
      last: Float32Array.from([...there.last, ...back.last]),
    };
  }

  /** The LSTM, with all its memories and gates. @param {Matrix} x @param {Cell} cell */
  function lstm(x, cell) {
    const width = cell.state.weight.columns;
    const memories = matrix(x.rows, width);
    const forget = matrix(x.rows, width);
    let memory = new Float32Array(width);
    let t = 0;
    const { states, last } = carry(
      x,
      cell,
      width,
      (input, state) => {
        const gate = (/** @type {number} */ which, /** @type {number} */ i) =>
          input[which * width + i] + state[which * width + i];
        memory = memory.map((old, i) => {
          forget.data[t * width + i] = sigmoid(gate(1, i));
          return sigmoid(gate(1, i)) * old + sigmoid(gate(0, i)) * Math.tanh(gate(2, i));
        });
        memories.data.set(memory, t * width);
        t += 1;
        return memory.map((value, i) => sigmoid(gate(3, i)) * Math.tanh(value));
      },
      {},
    );
    return { states, last, memories, forget };
  }

  return { cell, torchCell, rnn, gru, bidirectionalGru, lstm };
})();
