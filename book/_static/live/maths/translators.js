// Models that read one sequence and write another: the recurrent translator with attention, and the
// Transformer of 2017. Each has encode and decode, and a run returns where it looked.

var SoftLookup = SoftLookup || {};

SoftLookup.translators = (() => {
  "use strict";
  const { beside, matrix } = SoftLookup.arrays;
  const { multiplyTransposed } = SoftLookup.products;
  const { attend, causal } = SoftLookup.attention;
  const { embed, linear } = SoftLookup.layers;
  const { range } = SoftLookup.positions;
  const { bidirectionalGru, gru, torchCell } = SoftLookup.recurrent;
  const { stack } = SoftLookup.blocks;

  /** The library's AttentionSeq2Seq. @param {Bundle} bundle */
  function recurrent(bundle) {
    /** @param {ArrayLike<number>} source */
    function encode(source) {
      const x = embed(bundle.matrix("source_embedding.weight"), source);
      const parts = bundle.part("encoder.");
      return bidirectionalGru(x, torchCell(parts), torchCell(parts, "l0_reverse"));
    }

    /**
     * Score what comes after each target token.
     * @param {{states: Matrix, last: Float32Array}} source from encode
     * @param {ArrayLike<number>} target behind its start token
     * @param {{mask?: Mask, edit?: (weights: Matrix) => Matrix | void}} [options]
     */
    function decode(source, target, options = {}) {
      const x = embed(bundle.matrix("target_embedding.weight"), target);
      const { states } = gru(x, torchCell(bundle.part("decoder.")), { start: source.last });
      const query = linear(states, bundle.linear("query_projection"));
      const looked = attend(query, source.states, source.states, options);
      const logits = linear(beside([states, looked.output]), bundle.linear("output_projection"));
      return { logits, weights: looked.weights, scores: looked.scores, states };
    }

    return { config: bundle.config, encode, decode };
  }

  /** The library's Transformer, with its TransformerConfig. @param {Bundle} bundle */
  function transformer(bundle) {
    const { n_heads, n_layers, d_model, norm = "pre", positions = "sinusoidal" } = bundle.config;
    const config = { n_heads, norm };
    const scale = Math.sqrt(d_model);

    /** @param {string} side @param {ArrayLike<number>} ids @param {ArrayLike<number>} at */
    function embedded(side, ids, at) {
      const own = `${side}_embedding.table`;
      const table = bundle.matrix(bundle.has(own) ? own : "source_embedding.table");
      const parts = bundle.part(`${side}_positions.`);
      return SoftLookup.models.placed(parts, positions, embed(table, ids, scale), at, n_heads).x;
    }

    /** @param {ArrayLike<number>} source @param {{edits?: Edits, mask?: Mask, at?: ArrayLike<number>}} [options] */
    function encode(source, { edits, mask, at } = {}) {
      const x = embedded("source", source, at ?? range(source.length));
      return stack(x, bundle.part("encoder."), n_layers, config, { edits, mask });
    }

    /**
     * Score every next token of the target.
     * @param {ArrayLike<number>} target @param {Matrix} memory what encode gave as its output
     * @param {{edits?: Edits, memoryMask?: Mask}} [options]
     */
    function decode(target, memory, { edits, memoryMask } = {}) {
      const x = embedded("target", target, range(target.length));
      const mask = causal(target.length);
      const options = { edits, mask, memory, memoryMask };
      const { output, layers } = stack(x, bundle.part("decoder."), n_layers, config, options);
      const tied = !bundle.has("output_projection.weight");
      const table = bundle.has("target_embedding.table") ? "target_embedding" : "source_embedding";
      const logits = tied
        ? multiplyTransposed(output, bundle.matrix(`${table}.table`))
        : linear(output, bundle.linear("output_projection"));
      return { logits, output, layers };
    }

    return { config: bundle.config, encode, decode };
  }

  /**
   * Write the likeliest token each time, until the end or the limit.
   * @param {(written: number[]) => Matrix} nextLogits the last row is that of the next token
   * @param {{start: number, end: number, limit: number}} options
   * @returns {number[]} without the start and the end
   */
  function greedy(nextLogits, { start, end, limit }) {
    const written = [start];
    for (let i = 0; i < limit; i++) {
      const logits = nextLogits(written);
      const next = SoftLookup.arrays.argmax(SoftLookup.arrays.row(logits, logits.rows - 1));
      if (next === end) break;
      written.push(next);
    }
    return written.slice(1);
  }

  /**
   * Keep the best few beginnings at each step.
   * @param {(written: number[]) => Matrix} nextLogits
   * @param {{start: number, end: number, limit: number, beams: number}} options
   * @returns {{tokens: number[], logProbability: number, finished: boolean}[]} the best first
   */
  function beamSearch(nextLogits, { start, end, limit, beams }) {
    let kept = [{ tokens: [start], logProbability: 0, finished: false }];
    for (let i = 0; i < limit && !kept.every(({ finished }) => finished); i++) {
      const candidates = kept.filter(({ finished }) => finished);
      for (const beam of kept.filter(({ finished }) => !finished)) {
        const logits = nextLogits(beam.tokens);
        const last = matrix(1, logits.columns, SoftLookup.arrays.row(logits, logits.rows - 1));
        SoftLookup.attention.softmax(last.data).forEach((probability, token) => {
          candidates.push({
            tokens: token === end ? beam.tokens : [...beam.tokens, token],
            logProbability: beam.logProbability + Math.log(probability),
            finished: token === end,
          });
        });
      }
      kept = candidates.sort((a, b) => b.logProbability - a.logProbability).slice(0, beams);
    }
    return kept.map((beam) => ({ ...beam, tokens: beam.tokens.slice(1) }));
  }

  return { recurrent, transformer, greedy, beamSearch };
})();
