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
        "13-blocks-need-no-square",
        "the queries come in turn, and autograd keeps their weights",
        "turn = functools.partial(checkpoint, definition, use_reentrant=False)",
        "turn = definition",
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
        "13-low-rank-fits-some-heads",
        "the heads have learned nothing",
        "trained = torch.stack([heads(small.model, text) for text in range(3)])",
        "trained = torch.stack([heads(GPT(small.model.config).eval(), text) for text in range(3)])",
    ),
    (
        "13-low-rank-fits-some-heads",
        "the weights of all heads are averaged before they are judged",
        "return torch.cat([weights[0] for weights in maps.values()]).double()",
        "every = torch.cat([weights[0] for weights in maps.values()]).double()\n"
        "    return every.mean(0).repeat(len(every), 1, 1)",
    ),
    (
        "13-lookup-has-no-low-rank",
        "the lookup is blurred: its scores are not sharp",
        "attention(20 * width**0.5 * key[torch.arange(n) % asked], key, key)",
        "attention(key[torch.arange(n) % asked], key, key)",
    ),
    (
        "13-lookup-has-no-low-rank",
        "every key is looked up four times, so there are 32 different rows",
        "left_out(lookups(n, seed))",
        "left_out(lookups(n // 4, seed))",
    ),
    (
        "13-rank-32-cut-costs-little",
        "the directions that matter least are kept",
        "left[..., :rank] * singular[..., None, :rank], right[..., :rank, :].mT",
        "left[..., -rank:] * singular[..., None, -rank:], right[..., -rank:, :].mT",
    ),
    (
        "13-rank-8-under-the-mask",
        "the zeros of the future are fitted too",
        "seen = weights.double(), masks.causal(n).double()",
        "seen = weights.double(), torch.ones(n, n).double()",
    ),
    (
        "13-window-and-low-rank-are-even",
        "as many keys are kept, but spread over the text",
        "kept = weights * (back < size)",
        "kept = weights * (back % (n // size) == 0)",
    ),
    (
        "13-low-rank-under-a-mask-is-a-running-sum",
        "each token is read before it is filed",
        "        state = state + torch.outer(key, value)\n        rows.append(query @ state)",
        "        rows.append(query @ state)\n        state = state + torch.outer(key, value)",
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
        "13-not-for-want-of-room",
        "the state is fitted in a single step",
        "torch.optim.LBFGS([state], max_iter=300,",
        "torch.optim.LBFGS([state], max_iter=1,",
    ),
    (
        "13-crosstalk-predicts-the-loss",
        "half of the crosstalk is heard",
        'crosstalk = answers["sum"][value == 0].std()',
        'crosstalk = answers["sum"][value == 0].std() / 2',
    ),
    (
        "13-crosstalk-predicts-the-loss",
        "the sum is read as sharply as softmax reads, so that noise outvotes nothing",
        "right = [(answer.argmax(-1) == label).double().mean() for answer in answers.values()]",
        'answers["sum"] = answers["softmax"]\n'
        "    right = [(answer.argmax(-1) == label).double().mean() for answer in answers.values()]",
    ),
    (
        "13-no-state-tried-kept-512",
        "no more keys are filed than a state can be fitted to",
        "filed = [16, 32, 64, 128, 256, 512]",
        "filed = [16, 32, 48, 64, 96, 128]",
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
        "13-load-not-length",
        "the long texts have twice the load",
        '"linear": short["linear"][:, -1] - long["linear"][:, 2],',
        '"linear": short["linear"][:, -1] - long["linear"][:, 3],',
    ),
    (
        "13-more-state-more-recall",
        "the weights are added and the state is left as it was",
        '"linear, wide heads": ("linear, wide heads, 4 times the steps", 2 * 32 * (32 + 1)),',
        '"linear, wide heads": ("linear, wide feed-forward, 4 times the steps", 544),',
    ),
    (
        "13-linear-fades-with-load",
        "the layer keeps all keys, and no state of fixed size",
        '"linear": ("linear, 4 times the steps", 2 * 16 * (16 + 1)),',
        '"linear": ("attention", 2 * 16 * (16 + 1)),',
    ),
    (
        "13-more-state-more-recall",
        "the heads are no wider than the others'",
        '"linear, wide heads": ("linear, wide heads, 4 times the steps", 2 * 32 * (32 + 1)),',
        '"linear, wide heads": ("linear, 4 times the steps", 2 * 32 * (32 + 1)),',
    ),
    (
        "13-attention-recalls-at-every-load",
        "no value knows the key before it: there is no short convolution",
        '"attention": ("attention", 2 * 128 * 32),',
        '"attention": ("attention, no neighbours", 2 * 128 * 32),',
    ),
    (
        "13-hyena-did-not-learn-this",
        "a state that files keys stands in Hyena's place",
        '"Hyena": ("Hyena, 4 times the steps", 2 * 128 * 32),',
        '"Hyena": ("linear, 4 times the steps", 2 * 128 * 32),',
    ),
    (
        "13-cheap-and-loaded-forgets",
        "the rivals have to keep eight keys only",
        '"the delta rule": long["delta rule"][:, -1],',
        '"the delta rule": long["delta rule"][:, 0],',
    ),
    (
        "13-raced-linear-slower-at-256",
        "the texts are longer",
        'over_attention["linear"][:, 0],',
        'over_attention["linear"][:, 1],',
    ),
]
