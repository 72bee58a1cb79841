"""Mistakes to which the claims of chapter 15 fall."""

PLANTED = [
    (
        "15-a-cut-off-makes-rows",
        "the sign is thrown away, and not what lies below zero",
        '"ReLU": F.relu(score),',
        '"ReLU": score.abs(),',
    ),
    (
        "15-three-numbers-address-any-place",
        "the threshold is left out, so that half of the circle scores above zero",
        "torch.tensor([1.0, 1.0, -math.cos(math.pi / n)])",
        "torch.tensor([1.0, 1.0, 0.0])",
    ),
    (
        "15-a-steep-power-looks-up-too",
        "the keys stand on a whole circle, where each has one opposite",
        "angle = math.pi * torch.arange(32, dtype=torch.float64) / 32",
        "angle = 2 * math.pi * torch.arange(32, dtype=torch.float64) / 32",
    ),
    (
        "15-powers-have-floors",
        "the square is given the floor of a linear form",
        '(("square", 2), ("fourth power", 4))',
        '(("square", 1), ("fourth power", 4))',
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
        "15-a-cut-off-needs-little-width",
        "the scores go to the weights without their bend",
        """torch.cat([at_4[name] for name in ("softmax", "sigmoid", "ReLU")])""",
        """torch.stack(
        [
            error_of_lookups(asks @ answers.transpose(-2, -1)).min()
            for name in ("softmax", "sigmoid", "ReLU")
            for asks, answers in [heads[name][4].tables()]
        ]
    )""",
    ),
    (
        "15-a-square-has-more-features",
        "the size of the score is taken for its square",
        "    return weightings.linear_weights(query, key, mask).square()\n",
        "    return weightings.linear_weights(query, key, mask).abs()\n",
    ),
    (
        "15-no-cut-off-is-needed",
        "the weights are the squares of the scores, and not their fourth powers",
        "    return error_of_lookups(heads.form(asks, answers, None))\n\n\ndef judged",
        "    return error_of_lookups(heads.form(asks, answers, None).abs().sqrt())\n\n\ndef judged",
    ),
    (
        "15-softmax-and-sigmoid-learned-at-all-widths",
        "keys that were dead at the start have weights of zero",
        "    return error_of_lookups(heads.form(asks, answers, None))\n\n\ndef judged",
        "    alive = (heads.starts[:, 0] * heads.starts[:, 1]).sum(dim=-1)[:, None] > 0\n"
        "    return error_of_lookups(heads.form(asks, answers, None) * alive)\n\n\n"
        "def judged",
    ),
    (
        "15-error-is-the-share-of-the-dead",
        "the scores with the next key are counted, not those with a query's own",
        "        ((asks * answers).sum(dim=-1) <= 0)",
        "        ((asks * answers.roll(1, dims=-2)).sum(dim=-1) <= 0)",
    ),
    (
        "15-width-closes-the-gap",
        "the heads that are measured have half the width",
        'at_32[name] for name in ("positive linear", "linear")',
        'at_16[name] for name in ("positive linear", "linear")',
    ),
    (
        "15-dead-keys-come-from-the-start",
        "keys are not turned round, so that own scores can be negative",
        "answers * own.sign()",
        "answers",
    ),
    (
        "15-able-and-not-taught",
        "no key dies: what scores below zero keeps a weight, and a gradient",
        'relu, normalised = FORMS["ReLU"], FORMS["normalised ReLU"]',
        'relu, normalised = FORMS["ReLU"], FORMS["softmax"]',
    ),
    (
        "15-whole-rows-went-out",
        "the weights are not divided by their sum",
        'relu, normalised = FORMS["ReLU"], FORMS["normalised ReLU"]',
        'relu, normalised = FORMS["ReLU"], FORMS["ReLU"]',
    ),
    (
        "15-one-in-the-sum-teaches-it",
        "what is added to the sum is next to nothing",
        "ADDED = 1.0",
        "ADDED = 1e-9",
    ),
    (
        "15-faint-keys-stay-lost",
        "the keys are counted that began with a weight",
        "return before < 1e-8,",
        "return before >= 1e-8,",
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
        "15-two-forms-count-places",
        "there is no mask, so that every place has all tokens in view",
        "torch.ones(12, 12).tril().bool()",
        "None",
    ),
    (
        "15-five-forms-do-not-count",
        "the tokens are not equal",
        "alike = torch.ones(12, 4, dtype=torch.float64)",
        "alike = torch.arange(48, dtype=torch.float64).view(12, 4)",
    ),
    (
        "15-landmark-tells-places",
        "there is no mask",
        "stack(table[tokens][None], CAUSAL)",
        "stack(table[tokens][None])",
    ),
    (
        "15-a-bag-is-worth-this",
        "any digit of the bag is guessed, and not the commonest",
        "(bag.amax(-1) / bag.sum(-1))",
        "(1 / (bag > 0).sum(-1))",
    ),
    (
        "15-mask-finds-order",
        "of the masked stack the run is read that has no mask",
        '"mask, 2 layers": "mask, depth 2"',
        '"mask, 2 layers": "nothing, depth 2"',
    ),
    (
        "15-positions-answer-all",
        "of one layer the run is read that has a mask in place of positions",
        '"positions, 1 layer": "positions, depth 1"',
        '"positions, 1 layer": "mask, depth 1"',
    ),
    (
        "15-reverse-beside-positions",
        "the positions beside the mask are left out",
        'reverse_right("mask and positions", rate)',
        'reverse_right("mask", rate)',
    ),
    (
        "15-reverse-was-not-yet",
        "the second layer is taken away",
        "reverse_after(2, 1200)",
        "reverse_after(1, 1200)",
    ),
    (
        "15-a-count-does-not-end-the-delay",
        "the answers to another question are read",
        'place = QUESTIONS.index("place")',
        'place = QUESTIONS.index("after")',
    ),
    (
        "15-positions-forbid-nothing",
        "the models that are called trained were taught and tried behind a mask",
        'trained_reader(1, "positions", seed, asked=past)',
        'trained_reader(1, "mask and positions", seed, asked=past)',
    ),
    (
        "15-sure-and-not-blind",
        "what is sure is taken for what is not looked at",
        '    logits_after,\n    ">="',
        '    asked_after,\n    ">="',
    ),
    (
        "15-shaped-chain-begins-as-identity",
        "the query projections begin at random",
        "fresh = {start: reader(start) for start in (*STARTS, *OWN_KEY)}\n",
        "fresh = {start: reader(start) for start in (*STARTS, *OWN_KEY)}\n"
        'for block in fresh["shaped"].stack.blocks:\n'
        "    block.self_attention.attention.query_projection.reset_parameters()\n",
    ),
    (
        "15-turned-chain-keeps-distances",
        "the tokens are turned by a start that draws them together",
        '    "turned": skipless.turn,',
        '    "turned": lambda stack: skipless.look_at_itself(stack, 4.0),',
    ),
    (
        "15-own-key-begins-as-the-bias",
        "the bias beside it is another",
        'biased = reader("bias 4").stack',
        'biased = reader("bias 3").stack',
    ),
    (
        "15-a-chain-composes",
        "of the turned chain the run is read whose tokens begin alike",
        '    "turned": "shaped and turned",',
        '    "turned": "identity, unshaped",',
    ),
    (
        "15-a-chain-composes",
        "nothing is added to the attention on whose diagonal the bias should be",
        '    "bias 4, one head": "one head and diagonal bias 4",',
        '    "bias 4, one head": "one head and diagonal bias 4",\n    "bias 4": "own key 4",',
    ),
    (
        "15-at-large-steps-norms-kept-it",
        "the norms are taken from the stack with skips",
        '    "skip, no norms": "skip without norms",',
        '    "skip, no norms": "skip without norms",\n    "skip": "skip without norms",',
    ),
    (
        "15-more-than-its-start",
        "there is no bias, and only the start is left",
        '    "bias 4, own embeddings": "keys apart and diagonal bias 4",',
        '    "bias 4, own embeddings": "own key 4",',
    ),
    (
        "15-a-start-taught-one-lookup",
        "the tokens of the chain are drawn together at the start",
        '    "unshaped": "identity, unshaped",',
        '    "unshaped": "identity, unshaped",\n    "own key 6": "identity, unshaped",',
    ),
    (
        "15-no-identity-is-needed",
        "of the turned chain the run is read whose tokens begin alike",
        '    "turned": "shaped and turned",',
        '    "turned": "identity, unshaped",',
    ),
    (
        "15-two-hops-first-teach-three",
        "the run is read that was taught a token's own pair first, which needs no lookup",
        "taught_first(2)[:, 8],",
        "taught_first(1)[:, 8],",
    ),
    (
        "15-bias-six-was-not-yet",
        "the first step is read, and not the last",
        "torch.tensor(longer[stored_as(start, hops)].curves)[:, -1]",
        "torch.tensor(longer[stored_as(start, hops)].curves)[:, 0]",
    ),
    (
        "15-own-key-made-cycles-alike",
        "the tokens are looked at before the first block",
        'differences("own key 6")[:, -1],',
        'differences("own key 6")[:, 0],',
    ),
    (
        "15-one-lookup-but-for-cycles-of-two",
        "the cycles of two are not left out",
        "[0, *range(2, 8)]",
        "[*range(8)]",
    ),
    (
        "15-skips-carry-more",
        "the block adds what the skip carries after all",
        '    "skip": lambda x, change: change,',
        '    "skip": lambda x, change: x + change,',
    ),
    (
        "15-the-content-is-missed",
        "each text keeps its own stream",
        '    "mean skip": lambda x, change: mean_of_texts(x) + change,',
        '    "mean skip": lambda x, change: x + change,',
    ),
    (
        "15-few-parts-work",
        "the skips around the parts are cut in their place",
        '    "part": lambda x, change: x,',
        '    "part": lambda x, change: change,',
    ),
    (
        "15-one-skip-is-replaced",
        "the part is cut along with its skip",
        '    "skip": lambda x, change: change,',
        '    "skip": lambda x, change: 0 * change,',
    ),
    (
        "15-networks-can-be-spared",
        "the stream is cut with the networks",
        '    "part": lambda x, change: x,',
        '    "part": lambda x, change: 0 * x,',
    ),
    (
        "15-attention-led-after-equal-data",
        "one that attends is an LSTM",
        'ATTENDING = ("RNN with attention", "Transformer", "GPT", "linear attention")',
        'ATTENDING = ("RNN with attention", "Transformer", "LSTM", "linear attention")',
    ),
    (
        "15-cheap-steps-led-after-equal-work",
        "all steps are taken to cost the same",
        "work / raced.runs[name].multiplications",
        'work / raced.runs["Transformer"].multiplications',
    ),
]
