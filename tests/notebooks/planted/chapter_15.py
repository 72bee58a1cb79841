"""Mistakes to which the claims of chapter 15 fall."""

PLANTED = [
    (
        "15-three-numbers-address-any-place",
        "the threshold is left out, so that half of the circle scores above zero",
        "torch.tensor([1.0, 1.0, -math.cos(math.pi / n)])",
        "torch.tensor([1.0, 1.0, 0.0])",
    ),
    (
        "15-floor-of-a-product",
        "the product is bent before it is judged",
        "best_of_rank_12 = left[:, :some] @ right[:some]",
        "best_of_rank_12 = (9 * identity).softmax(dim=-1)",
    ),
    (
        "15-floor-of-a-first-layer",
        "one sum more is known",
        "sums = torch.randn(n_places, some, dtype",
        "sums = torch.randn(n_places, some + 1, dtype",
    ),
    (
        "15-a-bend-needs-little-width",
        "the scores go to the weights without their bend",
        "        return error_of_lookups(self.form(asks, answers, None))\n",
        "        return error_of_lookups(asks @ answers.transpose(-2, -1))\n",
    ),
    (
        "15-a-square-has-more-features",
        "the size of the score is taken for its square",
        "    return weightings.linear_weights(query, key, mask).square()\n",
        "    return weightings.linear_weights(query, key, mask).abs()\n",
    ),
    (
        "15-without-zeros-no-key-dies",
        "small weights are cut to zero, and pass no gradient",
        "        return error_of_lookups(self.form(asks, answers, None))\n",
        "        return error_of_lookups(F.relu(self.form(asks, answers, None) - 0.02))\n",
    ),
    (
        "15-error-is-the-share-of-the-dead",
        "the scores with the next key are counted, not those with a query's own",
        "        ((asks * answers).sum(dim=-1) <= 0)",
        "        ((asks * answers.roll(1, dims=-2)).sum(dim=-1) <= 0)",
    ),
    (
        "15-width-closes-the-gap",
        "half of each head's width is cut away",
        "        asks, answers = self.tables()\n",
        "        asks, answers = (each[..., : each.size(-1) // 2] for each in self.tables())\n",
    ),
    (
        "15-dead-keys-come-from-the-start",
        "key and query begin apart, so that own scores can be negative",
        "    return torch.randn(*shape[1:], generator=generator).expand(*shape)",
        "    return torch.randn(*shape, generator=generator)",
    ),
    (
        "15-able-and-not-taught",
        "no key dies: what scores below zero keeps a weight, and a gradient",
        'relu, normalised = FORMS["ReLU"], FORMS["normalised ReLU"]',
        'relu, normalised = FORMS["ReLU"], FORMS["softmax"]',
    ),
    (
        "15-a-bias-is-the-mask",
        "the bias is large and not infinite",
        "mask_against_bias(-math.inf)",
        "mask_against_bias(-3.0)",
    ),
    (
        "15-one-causal-layer-is-blind",
        "the last token changes too",
        "x[:, 11:]], dim=1)",
        "x[:, 10:11]], dim=1)",
    ),
    (
        "15-one-causal-layer-is-blind",
        "a second layer looks",
        "max(moved_by_shuffling(1, seed) for",
        "max(moved_by_shuffling(2, seed) for",
    ),
    (
        "15-two-causal-layers-see",
        "the mask is forgotten",
        "stack(shuffled, CAUSAL) - stack(x, CAUSAL)",
        "stack(shuffled) - stack(x)",
    ),
    (
        "15-mask-needs-a-landmark",
        "one of the tokens is another",
        "spread_over_places(torch.zeros(12, dtype=torch.long))",
        "spread_over_places((torch.arange(12) == 5).long())",
    ),
    (
        "15-landmark-tells-places",
        "there is no mask",
        "stack(table[tokens][None], CAUSAL)",
        "stack(table[tokens][None])",
    ),
    (
        "15-mask-finds-order",
        "the mask hides nothing",
        '        self.causal = "mask" in told_by',
        "        self.causal = False",
    ),
    (
        "15-positions-answer-all",
        "all places get the same vector",
        "            x = x + self.places.weight\n",
        "            x = x + self.places.weight[:1]\n",
    ),
    (
        "15-reverse-was-not-yet",
        "the second layer is taken away",
        '    model = trained_reader(depth, "mask", seed, steps)',
        '    model = trained_reader(1, "mask", seed, steps)',
    ),
    (
        "15-positions-forbid-nothing",
        "the positions come with a mask",
        "told_by: [trained_reader(1, told_by, seed, asked=past) for seed in seeds]",
        'told_by: [trained_reader(1, "mask and positions", seed, asked=past) for seed in seeds]',
    ),
    (
        "15-shaped-chain-begins-as-identity",
        "the query projections begin at random",
        "fresh = {start: reader(start).stack for start in STARTS}\n",
        "fresh = {start: reader(start).stack for start in STARTS}\n"
        'for block in fresh["shaped"].blocks:\n'
        "    block.self_attention.attention.query_projection.reset_parameters()\n",
    ),
    (
        "15-turned-chain-keeps-distances",
        "the tokens are turned by a start that draws them together",
        '    "turned": skipless.turn,',
        '    "turned": lambda stack: skipless.look_at_itself(stack, 4.0),',
    ),
    (
        "15-a-chain-composes",
        "of the turned chain the run is read whose tokens begin alike",
        '    "turned": "shaped and turned",',
        '    "turned": "identity, unshaped",',
    ),
    (
        "15-large-steps-need-norms",
        "the norms are taken from the stack with skips",
        '    "skip": "skip",',
        '    "skip": "skip without norms",',
    ),
    (
        "15-no-identity-is-needed",
        "the tokens are drawn together: attention stays unshaped",
        "        STARTS[start](model.stack)\n",
        "        unshaped(model.stack)\n",
    ),
    (
        "15-skips-carry-more",
        "the block adds what the skip carries after all",
        '"skip": lambda x, change: change}',
        '"skip": lambda x, change: x + change}',
    ),
    (
        "15-networks-can-be-spared",
        "the stream is cut with the networks",
        'STREAM_AFTER = {"part": lambda x, change: x,',
        'STREAM_AFTER = {"part": lambda x, change: 0 * x,',
    ),
]
