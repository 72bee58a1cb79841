"""Mistakes to which the claims of chapter 5 fall."""

PLANTED = [
    (
        "5-minus-infinity-leaves-out",
        "the mask is added as 0 and 1",
        "M = masks.to_additive(masks.causal(n), dtype=torch.float64)",
        "M = masks.causal(n).double()",
    ),
    (
        "5-leak-looks-good",
        "the answer is cut off where the leaking models should see it",
        "view = {name: measure(models, in_view) for",
        "view = {name: measure(models, cut_at_each_place) for",
    ),
    (
        "5-leak-fails-hidden",
        "the answer stands where it should be hidden",
        "unseen = {name: measure(models, cut_at_each_place) for",
        "unseen = {name: measure(models, in_view) for",
    ),
    (
        "5-leak-copies",
        "the answer is cut off on the shuffled characters",
        "measure(trained[name], in_view, *no_sense)",
        "measure(trained[name], cut_at_each_place, *no_sense)",
    ),
    (
        "5-last-place-tells",
        "a place whose answer is in view is taken for the last",
        "found[:, 0, -1] / found[:, 0].sum(1)",
        "found[:, 0, -2] / found[:, 0].sum(1)",
    ),
    (
        "5-diagonal-is-spare",
        "the residual carries no word past the attention",
        'bits_lost(measure(trained["no diagonal"], in_view))',
        'bits_lost(measure(trained["no diagonal"], lambda model, ids: model.to_alphabet('
        "model.block(model.read(ids), Visibility(model.mask)) - model.read(ids))))",
    ),
    (
        "5-honest-stays",
        "the model without a mask is taken for the honest one",
        'honest_model = trained["causal"][-1].double()',
        'honest_model = trained["no mask"][-1].double()',
    ),
    (
        "5-one-character-ahead",
        "every character stands one place farther ahead than it is",
        "influence_on_the_answer(model, questions[0], answers[0])[:-1]",
        "influence_on_the_answer(model, questions[0], answers[0])[:-1, :].roll(-1, dims=1)",
    ),
    (
        "5-mask-after-softmax-leaks",
        "the denominator is made to sum over the past alone",
        "    if divide_again:\n",
        "    if True:\n",
    ),
    (
        "5-late-mask-is-read",
        "the denominator has no future to tell of",
        "measure(models, in_view, read, each)",
        "measure(models, cut_at_each_place, read, each)",
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
        "the prefix up to the exchanged word is read freely",
        '"causal, as a mask": Visibility(masks.causal(13))',
        '"causal, as a mask": Visibility(masks.prefix(13, 7))',
    ),
    (
        "5-causal-no-leak",
        "the kernel is not told that it is causal",
        '"causal, in the kernel": CAUSAL',
        '"causal, in the kernel": EVERYTHING',
    ),
    (
        "5-leak-is-caught",
        "the future is exchanged for itself",
        "exchanged[:, 6:] = torch.randn(2, 7, 12, generator=generator)",
        "exchanged[:, 6:] = tokens[:, 6:]",
    ),
    (
        "5-mask-breaks-symmetry",
        "the mask is shuffled with the words",
        "look(X[reordered], masks.causal(n))",
        "look(X[reordered], masks.causal(n)[reordered][:, reordered])",
    ),
    (
        "5-last-sees-a-bag",
        "the past has been through a layer before",
        "last = (look(X[only_the_past], masks.causal(n))[-1]",
        "last = (look(look(X[only_the_past], masks.causal(n)), masks.causal(n))[-1]",
    ),
    (
        "5-one-pass-many",
        "the one pass has no mask",
        "one_pass = run_stack(text, CAUSAL)",
        "one_pass = run_stack(text)",
    ),
    (
        "5-one-block-needs-none",
        "the whole text is read without a mask",
        "(one_block(text, CAUSAL) - cut_at_each_place(one_block, text))",
        "(one_block(text) - cut_at_each_place(one_block, text))",
    ),
    (
        "5-deep-needs-the-mask",
        "the cut-off passes have the mask",
        "cut_at_each_place(run_stack, text)",
        "cut_at_each_place(lambda x: run_stack(x, CAUSAL), text)",
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
        "5-right-padding-hidden",
        "the padding stands on the left",
        "before, after = (run_stack(x, CAUSAL) for x in (sentences, scrambled))\n    moved =",
        "before, after = (run_stack(x.flip(1), CAUSAL).flip(1) for x in (sentences, scrambled))\n"
        "    moved =",
    ),
    (
        "5-left-padding-heard",
        "the padding is masked, on the left too",
        "run_stack(x.flip(1), CAUSAL) for x in (sentences, scrambled)",
        "run_stack(x.flip(1), Visibility(words_of.flip(1)[:, None], causal=True))"
        " for x in (sentences, scrambled)",
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
        "5-late-repair-poisons",
        "the scores are filled and not added to",
        "(s + masks.to_additive(m, s.dtype)).softmax(-1).nan_to_num()",
        "s.masked_fill(~m, -math.inf).softmax(-1).masked_fill(~m, 0.0)",
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
    (
        "5-is-causal-counts-from-the-left",
        "the kernel is asked for no triangle",
        "torch.eye(10)[None], is_causal=True)",
        "torch.eye(10)[None], is_causal=False)",
    ),
]
