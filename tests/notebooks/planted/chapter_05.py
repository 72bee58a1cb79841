"""Mistakes to which the claims of chapter 5 fall."""

PLANTED = [
    (
        "5-minus-infinity-leaves-out",
        "the mask is added as 0 and 1",
        "M = masks.to_additive(masks.causal(n), dtype=torch.float64)",
        "M = masks.causal(n).double()",
    ),
    (
        "5-mask-after-softmax-leaks",
        "the mask is put on before the softmax too",
        "_, weights = attention(x @ W_Q, x @ W_K, x @ W_V)",
        "_, weights = attention(x @ W_Q, x @ W_K, x @ W_V, masks.causal(n))",
    ),
    (
        "5-no-influence-outside",
        "the masks point the other way",
        "influence(lambda x, mask=mask: look(x, mask), X)",
        "influence(lambda x, mask=mask: look(x, mask.T), X)",
    ),
    (
        "5-influence-inside",
        "every mask is cut to a window of two",
        "influence(lambda x, mask=mask: look(x, mask), X)",
        "influence(lambda x, mask=mask: look(x, mask & masks.sliding_window(n, 2)), X)",
    ),
    (
        "5-window-reach",
        "the window is one token wider, as if it did not count the token itself",
        "x = x + look(x, masks.sliding_window(n, window))",
        "x = x + look(x, masks.sliding_window(n, window + 1))",
    ),
    (
        "5-causal-no-leak",
        "the first two tokens see each other",
        '"causal, as a mask": lambda x: run_stack(x, Visibility(masks.causal(13)))',
        '"causal, as a mask": lambda x: run_stack(x, Visibility(masks.prefix(13, 2)))',
    ),
    (
        "5-causal-no-leak",
        "the kernel is not told that it is causal",
        '"causal, in the kernel": lambda x: run_stack(x, CAUSAL)',
        '"causal, in the kernel": lambda x: run_stack(x, EVERYTHING)',
    ),
    (
        "5-leak-is-caught",
        "the future is exchanged for itself",
        "torch.randn(changed[:, t:].shape, dtype=x.dtype, generator=generator)",
        "x[:, t:]",
    ),
    (
        "5-mask-breaks-symmetry",
        "the mask is shuffled with the words",
        "look(X[order], masks.causal(n))",
        "look(X[order], masks.causal(n)[order][:, order])",
    ),
    (
        "5-one-pass-many",
        "the one pass has no mask",
        "one_pass = run_stack(text, CAUSAL)",
        "one_pass = run_stack(text)",
    ),
    (
        "5-leak-looks-good",
        "shares of right guesses are taken for bits",
        "way: run[:, 0] for",
        "way: run[:, 1] for",
    ),
    (
        "5-leak-fails-hidden",
        "the leaking models are judged with the future in view",
        'min(bits[name]["hidden"].mean(1).min() for',
        'min(bits[name]["in view"].mean(1).min() for',
    ),
    (
        "5-honest-stays",
        "the model without a mask is taken for the honest one",
        'honest_model = trained["causal"].double()',
        'honest_model = trained["no mask"].double()',
    ),
    (
        "5-padding-content",
        "the changed padding is not masked",
        "other_content = run_stack(scrambled, Visibility(masks.padding(lengths, 8)))",
        "other_content = run_stack(scrambled)",
    ),
    (
        "5-padding-length",
        "the longer padding is taken for words",
        "masks.padding(lengths, 13)",
        "masks.padding(lengths + 5, 13)",
    ),
    (
        "5-empty-row-zero",
        "no row is empty",
        "left_padded = masks.causal(n) & (torch.arange(n) >= 3)",
        "left_padded = masks.causal(n)",
    ),
    (
        "5-empty-row-gradient",
        "the empty row is filled with minus infinity",
        '"attention": lambda *arguments: attention(*arguments)[0]',
        '"attention": with_weights(lambda s, m: s.masked_fill(~m, -math.inf).softmax(-1))',
    ),
    (
        "5-finite-fill-averages",
        "the finite number is added to the scores, not put in their place",
        "s.masked_fill(~m, -1e9)",
        "(s - 1e9 * ~m)",
    ),
    (
        "5-torch-wrong-way-leaks",
        "one of the masks is in the right convention",
        '"multihead  ours": torch_multihead(ours)',
        '"multihead  ours": torch_multihead(inverted)',
    ),
    (
        "5-torch-multihead-agrees",
        "the mask is handed over as it is",
        "torch_multihead(masks.to_torch_multihead(mask))(sentence)",
        "torch_multihead(mask)(sentence)",
    ),
]
