"""Mistakes to which the claims of chapter 6 fall."""

PLANTED = [
    (
        "6-one-token-affine",
        "there are two tokens",
        "one_token = bend(discuss, normal(1, 1, 12), normal(1, 1, 12))",
        "one_token = bend(discuss, normal(1, 2, 12), normal(1, 2, 12))",
    ),
    (
        "6-five-ways-agree",
        "the loops forget to bend",
        "hinge = max(0.0, float(W_1[:, j] @ token + b_1[j]))",
        "hinge = float(W_1[:, j] @ token + b_1[j])",
    ),
    (
        "6-five-ways-agree",
        "the weights are copied without a transpose of the second",
        "(W_1.T, b_1, W_2.T, b_2)",
        "(W_1.T, b_1, W_2, b_2)",
    ),
    (
        "6-jacobian-block-diagonal",
        "the tokens are normalised by their common mean first",
        '"feed-forward network": think',
        '"feed-forward network": lambda x: think(x - x.mean(0))',
    ),
    (
        "6-same-at-every-place",
        "each place has its own offset",
        '"feed-forward network": think',
        '"feed-forward network": lambda x: think(x + torch.arange(n)[:, None])',
    ),
    (
        "6-locality-is-told-apart",
        "a second feed-forward network is taken for attention",
        '"self-attention": parts["Attention: global"]',
        '"self-attention": parts["Feed-forward: local"]',
    ),
    (
        "6-both-beat-either",
        "the question needs one of the two only",
        'product = questions["product of class means"]',
        'product = questions["product of own numbers"]',
    ),
    (
        "6-deaf-student",
        "the question is about one mean",
        'product = questions["product of class means"]',
        'product = questions["one class mean"]',
    ),
    (
        "6-poll-rate",
        "each poll asks one unit, again and again",
        "drawn = torch.randint(family, (polls, width), generator=generator)",
        "drawn = torch.randint(family, (polls, 1), generator=generator).repeat(1, width)",
    ),
    (
        "6-fixed-units-lag-in-ten",
        "the fixed units are placed as well",
        "placed, fixed = place_units(seen, y, widths[-1]), random_units(widths[-1], dimensions)",
        "placed = fixed = place_units(seen, y, widths[-1], tries=2, steps=2)",
    ),
    (
        "6-placed-rate-in-two",
        "the error is not squared",
        "(guess - y_new).square().mean() / y_new.var()",
        "(guess - y_new).abs().mean() / y_new.std()",
    ),
    (
        "6-placed-rate-in-ten",
        "the units are fixed",
        "placed, fixed = place_units(seen, y, widths[-1]), random_units(widths[-1], dimensions)",
        "placed = fixed = random_units(widths[-1], dimensions)",
    ),
    (
        "6-heads-are-hidden-units",
        "there is no anchor to look at",
        "sequences[:, 0, :-1], sequences[:, 1, -1] = tokens, 1.0",
        "sequences[:, 0, :-1] = tokens",
    ),
    (
        "6-memory-by-hand",
        "there is no threshold",
        "memory.inner_projection.bias.fill_(-theta / (1 - theta))",
        "memory.inner_projection.bias.zero_()",
    ),
    (
        "6-erase-one-fact",
        "a key is erased with its threshold, so that the unit always answers",
        'memory.output_projection.weight[:, countries.index("France")] = 0.0',
        'memory.inner_projection.bias[countries.index("France")] = 0.0',
    ),
    (
        "6-memory-grows-with-width",
        "every network has four units",
        "model = FeedForward(width, units, activation)",
        "model = FeedForward(width, 4, activation)",
    ),
    (
        "6-swiglu-multiplies",
        "the second gate does not see the other sign",
        "torch.tensor([[1.0, 0.0], [-1.0, 0.0]])",
        "torch.tensor([[1.0, 0.0], [1.0, 0.0]])",
    ),
]
