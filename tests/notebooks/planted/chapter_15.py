"""Mistakes to which the claims of chapter 15 fall."""

PLANTED = [
    (
        "15-softmax-form-is-attention",
        "the mask is forgotten",
        "weightings.softmax_weights(query, key, masks.causal(64))",
        "weightings.softmax_weights(query, key, None)",
    ),
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
        "        weights = self.form((q * wanted) @ asks, answers, None)\n",
        "        weights = ((q * wanted) @ asks) @ answers.transpose(-2, -1)\n",
    ),
    (
        "15-width-closes-the-gap",
        "half of each head's width is cut away",
        "        asks, answers = (self.starts + self.rates * self.change).unbind(dim=2)\n",
        "        asks, answers = (self.starts + self.rates * self.change).unbind(dim=2)\n"
        "        asks = asks[..., : asks.size(-1) // 2]\n"
        "        answers = answers[..., : answers.size(-1) // 2]\n",
    ),
    (
        "15-dead-keys-come-from-the-start",
        "the start lets scores be negative",
        "    return torch.randn(*shape, generator=generator).abs()",
        "    return torch.randn(*shape, generator=generator)",
    ),
    (
        "15-able-and-not-taught",
        "no key dies: what scores below zero keeps a weight, and a gradient",
        'relu, normalised = FORMS["ReLU"], FORMS["normalised ReLU"]',
        'relu, normalised = FORMS["ReLU"], FORMS["softmax"]',
    ),
    (
        "15-averages-need-width",
        "each question names one place",
        "topk(q).indices",
        "topk(1).indices.expand(-1, q)",
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
        'fresh = reader("shaped")',
        'fresh = reader("shaped")\n'
        "for block in fresh.stack.blocks:\n"
        "    block.self_attention.attention.query_projection.reset_parameters()",
    ),
    (
        "15-a-chain-composes",
        "the chain that keeps no token of its own is read",
        '    "shaped": "shaped",',
        '    "shaped": "identity, unshaped",',
    ),
    (
        "15-a-shaped-start-is-enough",
        "no token is kept: attention stays unshaped",
        "        skipless.shape(model.stack)\n",
        "        for block in model.stack.blocks:\n"
        "            skipless.start_as_identity(block)\n"
        "        model.stack.final_norm = nn.Identity()\n",
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
    (
        "15-counter-sees-the-kernel",
        "the kernel is overlooked",
        "kernel = multiplications(lambda: fused_attention(*heads))",
        "kernel = multiplications(lambda: heads[0])",
    ),
    (
        "15-equal-parameters",
        "the cost of a step is taken for the size",
        "    max(run.parameters for run in raced.runs.values())\n",
        "    max(run.multiplications for run in raced.runs.values())\n",
    ),
    (
        "15-looking-back-wins-at-equal-data",
        "the marks before training are read",
        "torch.tensor(run.curves)[:, -1] for name, run",
        "torch.tensor(run.curves)[:, 0] for name, run",
    ),
    (
        "15-cheap-steps-win-at-equal-work",
        "every step is taken to cost the same",
        "    place = spent / run.multiplications / raced.every",
        "    place = min(spent / 15e6 / raced.every, 7.0)",
    ),
]
