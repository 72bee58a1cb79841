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
        "13-recomputation-costs-a-product",
        "the weights are computed a third time",
        '("blocks", lambda: by_blocks(*tensors)),',
        '("blocks", lambda: by_blocks(*tensors) + 0 * definition(*tensors.detach())),',
    ),
    (
        "13-blocks-skip-the-future",
        "the blocks of the future are computed, too",
        "multiplications(functools.partial(by_blocks, *tensors, causal=True)) / whole",
        "multiplications(functools.partial(by_blocks, *tensors, causal=False)) / whole",
    ),
    (
        "13-window-equals-its-mask",
        "the window is one token wider",
        "window_attention(Q, K, V, 16) - masked",
        "window_attention(Q, K, V, 17) - masked",
    ),
    (
        "13-lookup-has-no-low-rank",
        "the lookup is blurred: its scores are not sharp",
        "query, sharpness = key, 20 * width**0.5",
        "query, sharpness = key, 1.0",
    ),
    (
        "13-low-rank-recalls-a-part",
        "the entries are mixed into as many as there are",
        "race = recall_race.load()\nranks",
        'race = recall_race.load()\nrace.found["rank 8"][:] = race.found["rank 32"]\nranks',
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
        "13-crosstalk-not-capacity",
        "the keys do not disturb each other: they have room to stand at right angles",
        "def filed_and_found(n, seed, width=32, labels=32):",
        "def filed_and_found(n, seed, width=1024, labels=32):",
    ),
    (
        "13-crosstalk-not-capacity",
        "the state is fitted in a single step",
        "torch.optim.LBFGS([state], max_iter=300,",
        "torch.optim.LBFGS([state], max_iter=1,",
    ),
    (
        "13-every-state-overflows",
        "no more keys are filed than a state can be fitted to",
        "filed = [16, 32, 64, 128, 256, 512]",
        "filed = [16, 32, 48, 64, 96, 128]",
    ),
    (
        "13-delta-rule-at-once",
        "a token asks before it has written",
        "key[i] @ corrected(key[: i + 1], value[: i + 1])",
        "key[i] @ corrected(key[:i], value[:i])",
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
        "13-blocks-take-less-time",
        "the times at the shortest text are compared",
        'over_definition = {name: runs[:, -1] / taken["definition"][:, -1] '
        "for name, runs in taken.items()}",
        'over_definition = {name: runs[:, 0] / taken["definition"][:, 0] '
        "for name, runs in taken.items()}",
    ),
    (
        "13-exact-rises-steeper",
        "the time of each token is taken, and not that of the text",
        "[exponent(lengths[start:], run[start:]) for run in runs]",
        "[exponent(lengths[start:], run[start:] / np.array(lengths[start:])) for run in runs]",
    ),
    (
        "13-hyena-crosses-the-kernel",
        "short texts are asked about, too",
        "late = lengths.index(1024)",
        "late = lengths.index(384)",
    ),
    (
        "13-kernel-wants-four-axes",
        "the fourth axis is kept",
        "fused_attention(q[0], k[0], v[0], causal=True)",
        "fused_attention(q, k, v, causal=True)",
    ),
    (
        "13-attention-recalls-at-every-load",
        "the first half of each text is another one's, so there is nothing to look up in it",
        "(answer(test.tokens) == test.targets)",
        "(answer(torch.cat([test.tokens[:, :64].roll(1, 0), test.tokens[:, 64:]], 1)) "
        "== test.targets)",
    ),
    (
        "13-linear-fades-with-load",
        "there are eight keys at every load",
        "test = texts(256, load, torch.Generator().manual_seed(99))",
        "test = texts(256, 8, torch.Generator().manual_seed(99))",
    ),
    (
        "13-hyena-did-not-learn-this",
        "the least load is taken for the greatest",
        'runs["Hyena, 4 times the steps"][:, -1],',
        'runs["Hyena, 4 times the steps"][:, 0],',
    ),
    (
        "13-cheap-and-loaded-forgets",
        "the rivals have to keep eight keys only",
        '"the delta rule": long["delta rule"][:, -1],',
        '"the delta rule": long["delta rule"][:, 0],',
    ),
    (
        "13-nothing-is-saved-at-256",
        "the texts are longer",
        'taken["linear"][:, 0] / taken["kernel"][:, 0],',
        'taken["linear"][:, 1] / taken["kernel"][:, 1],',
    ),
]
