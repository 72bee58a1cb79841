"""Mistakes to which the claims of chapter 13 fall."""

PLANTED = [
    (
        "13-definition-needs-squares",
        "the definition is measured without its backward pass, in linear memory",
        'memory = {"definition": [peak_memory(training_step(definition, n)) for n in lengths]}',
        'memory = {"definition": [peak_memory(training_step(lambda q, k, v: q + v, n)) '
        "for n in lengths]}",
    ),
    (
        "13-merge-any-order",
        "a block is merged twice",
        "waiting = [*rest, merge(one, other)]",
        "waiting = [*rest, merge(one, merge(other, other))]",
    ),
    (
        "13-merge-any-order",
        "the last block of keys is forgotten",
        "waiting = list(parts)",
        "waiting = list(parts[:-1])",
    ),
    (
        "13-autograd-keeps-blocks",
        "the loop computes its weights anew",
        'memory["loop"] = [peak_memory(training_step(loop_of_merges, n)) for n in lengths]',
        'memory["loop"] = [peak_memory(training_step(by_blocks, n)) for n in lengths]',
    ),
    (
        "13-blocks-need-no-square",
        "one block holds all keys",
        "by_blocks = functools.partial(blockwise_attention, block_size=64)",
        "by_blocks = functools.partial(blockwise_attention, block_size=8192)",
    ),
    (
        "13-blocks-need-no-square",
        "autograd goes through the loop",
        'memory["blocks"] = [peak_memory(training_step(by_blocks, n)) for n in lengths]',
        'memory["blocks"] = [peak_memory(training_step(loop_of_merges, n)) for n in lengths]',
    ),
    (
        "13-blocks-equal-in-value",
        "the blocks are not told of the mask",
        "blockwise_attention(*tensors, mask, causal=causal, block_size=block_size)",
        "blockwise_attention(*tensors, None, causal=causal, block_size=block_size)",
    ),
    (
        "13-blocks-equal-in-gradient",
        "the outputs of another loss are differentiated",
        "torch.autograd.grad(got, tensors, arriving)",
        "torch.autograd.grad(got, tensors, 2 * arriving)",
    ),
    (
        "13-window-equals-its-mask",
        "the window is one token wider",
        "window_attention(Q, K, V, 16) - masked",
        "window_attention(Q, K, V, 17) - masked",
    ),
    (
        "13-softmax-raises-the-rank",
        "the rank of the scores is taken",
        "torch.linalg.matrix_rank(weights)",
        "torch.linalg.matrix_rank(scores)",
    ),
    (
        "13-linear-three-ways",
        "each key is filed with the value of the token before",
        "output, state = step(Q[token], K[token], V[token], state)",
        "output, state = step(Q[token], K[token], V[token - 1], state)",
    ),
    (
        "13-linear-three-ways",
        "the square is not causal",
        "shares = (positive_features(Q) @ positive_features(K).T) * masks.causal(length)",
        "shares = positive_features(Q) @ positive_features(K).T",
    ),
    (
        "13-state-overflows",
        "the keys are filed in as many dimensions as there are keys",
        "found = torch.stack([filed_and_found(n) for n in filed])",
        "found = torch.stack([filed_and_found(n, width=8 * n) for n in filed])",
    ),
    (
        "13-fft-is-toeplitz",
        "the circle is not widened",
        "(fft_convolution(x, h) - direct)",
        "(on_the_circle - direct)",
    ),
    (
        "13-circle-leaks-the-future",
        "the zeros are appended",
        "leak = torch.fft.irfft(torch.fft.rfft(changed) * torch.fft.rfft(h), n=n)",
        "leak = fft_convolution(changed, h)",
    ),
    (
        "13-prefix-is-a-beginning",
        "the filter is stretched",
        'for name, way in (("fixed", layer), ("stretched", stretched))',
        'for name, way in (("fixed", stretched), ("stretched", stretched))',
    ),
    (
        "13-stretched-filter-tells",
        "the filter is not stretched",
        "places = torch.linspace(0, 255, x.size(1)).round().long()",
        "places = torch.arange(x.size(1))",
    ),
    (
        "13-hyena-is-a-matrix",
        "the gates are exchanged in the matrix",
        "data_controlled_matrix(gates[:, c], filters[:, c])",
        "data_controlled_matrix(gates.flip(0)[:, c], filters[:, c])",
    ),
    (
        "13-hyena-is-causal",
        "the present is exchanged with the future",
        "changed[:, t:] = noise[:, t:]",
        "changed[:, t - 1 :] = noise[:, t - 1 :]",
    ),
    (
        "13-kernel-wants-four-axes",
        "the fourth axis is kept",
        "fused_attention(q[0], k[0], v[0], causal=True)",
        "fused_attention(q, k, v, causal=True)",
    ),
    (
        "13-exact-is-quadratic-in-time",
        "the times of linear attention are taken for the kernel's",
        "[exponent(lengths[start:], run[start:]) for run in runs]",
        '[exponent(lengths[start:], run[start:]) for run in taken["linear" if name == "kernel" '
        "else name]]",
    ),
    (
        "13-inexact-is-below",
        "the times of the definition are taken for Hyena's",
        "[exponent(lengths[start:], run[start:]) for run in runs]",
        '[exponent(lengths[start:], run[start:]) for run in taken["definition" if name == "Hyena" '
        "else name]]",
    ),
    (
        "13-hyena-passes-the-definition",
        "the times at the shortest text are compared",
        "at_the_end = {name: runs[:, -1] for name, runs in taken.items()}",
        "at_the_end = {name: runs[:, 0] for name, runs in taken.items()}",
    ),
    (
        "13-hyena-crosses-early",
        "the blocks are taken for Hyena",
        '(taken["Hyena"][:, place:] < taken[way][:, place:]).all()',
        '(taken["blocks"][:, place:] < taken[way][:, place:]).all()',
    ),
    (
        "13-attention-recalls",
        "the window is taken for attention",
        "for name, models in recallers.items()",
        'for name, models in (recallers | {"attention": recallers["window of 8"]}).items()',
    ),
    (
        "13-neighbours-decide",
        "the neighbours are there",
        "for name, models in recallers.items()",
        "for name, models in "
        '(recallers | {"attention, no neighbours": recallers["attention"]}).items()',
    ),
    (
        "13-linear-recalls-what-fits",
        "linear attention is measured with narrow heads",
        "for name, models in recallers.items()",
        'for name, models in (recallers | {"linear": recallers["linear, heads of 2"]}).items()',
    ),
    (
        "13-narrow-state-forgets",
        "linear attention is measured with wide heads",
        "for name, models in recallers.items()",
        'for name, models in (recallers | {"linear, heads of 2": recallers["linear"]}).items()',
    ),
    (
        "13-hyena-looks-up",
        "the mean is taken for Hyena",
        "for name, models in recallers.items()",
        'for name, models in (recallers | {"Hyena": recallers["mean"]}).items()',
    ),
    (
        "13-hyena-recalls-less",
        "attention is taken for Hyena",
        "for name, models in recallers.items()",
        'for name, models in (recallers | {"Hyena": recallers["attention"]}).items()',
    ),
    (
        "13-hyena-fades-with-length",
        "attention is taken for Hyena",
        "for name, models in recallers.items()",
        'for name, models in (recallers | {"Hyena, 4 × as long": recallers["attention"]}).items()',
    ),
]
