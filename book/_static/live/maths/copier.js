// The readers of the chapter on positions: two causal blocks that say, at each place of a text of
// digits, the digit of three places back. They differ in how they are told the order.

var SoftLookup = SoftLookup || {};

SoftLookup.copier = (() => {
  "use strict";
  const { causal } = SoftLookup.attention;
  const { embed, linear } = SoftLookup.layers;
  const { range } = SoftLookup.positions;
  const { argmax, row } = SoftLookup.arrays;
  const { stack } = SoftLookup.blocks;

  /**
   * Read a text that begins at a place of the tables.
   * @param {Bundle} bundle of all kinds @param {string} kind
   * @param {number[]} tokens the start token, then digits @param {number} [first]
   * @returns {{logits: Matrix, said: number[], layers: BlockTrace[]}}
   */
  function read(bundle, kind, tokens, first = 0) {
    const { n_heads, n_layers } = bundle.config;
    const parts = bundle.part(`${kind}.`);
    const embedded = embed(parts.matrix("embedding.weight"), tokens);
    const at = range(tokens.length, first);
    const placed = SoftLookup.models.placed(parts.part("positions."), kind, embedded, at, n_heads);
    const { output, layers } = stack(
      placed.x,
      parts.part("stack."),
      n_layers,
      { n_heads },
      {
        mask: causal(tokens.length),
        bias: placed.bias,
        rotateAt: placed.rotateAt,
      },
    );
    const logits = linear(output, parts.linear("to_vocabulary"));
    const said = Array.from({ length: logits.rows }, (_, i) => argmax(row(logits, i)));
    return { logits, said, layers };
  }

  /** What keeps a text from being read; nothing, if it can be. @param {Bundle} bundle @param {string} text */
  function fault({ config: { back, longest } }, text) {
    if (text.length <= back)
      return `Write ${back + 1} digits or more: the model looks ${back} back.`;
    if (/\D/.test(text)) return "These models read the digits 0 to 9, and nothing else.";
    if (text.length > 10 * longest) return `That is long; the models have ${longest} places.`;
    return "";
  }

  return { read, fault };
})();
