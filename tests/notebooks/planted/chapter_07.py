"""Mistakes to which the claims of chapter 7 fall."""

PLANTED = [
    (
        "7-collapse-faster-than-exponential",
        "attention has a skip",
        "distinctness_by_layer(seed, look) for",
        "distinctness_by_layer(seed, lambda x, w: x + look(x, w)) for",
    ),
    (
        "7-carried-equals-plain",
        "the keys' common part is left out of the weights",
        "common = torch.softmax(mean @ M @ own.T, dim=0)",
        "common = torch.full((n,), 1 / n, dtype=torch.float64)",
    ),
    (
        "7-collapse-is-cubic",
        "the difference enters the scores at full size",
        "pair = torch.expm1(own @ M @ own.T)",
        "pair = torch.expm1(own @ M @ own.T / own.norm())",
    ),
    (
        "7-skip-slows-the-collapse",
        "the skip is forgotten",
        "return x + look(x, projections)",
        "return look(x, projections)",
    ),
    (
        "7-stream-is-a-sum",
        "the norms stand behind",
        'block = BlockConfig(d_model=32, n_heads=4, d_ff=64, norm="pre")',
        'block = BlockConfig(d_model=32, n_heads=4, d_ff=64, norm="post")',
    ),
    (
        "7-gradient-dies-without-skip",
        "the skip is there",
        "bare = torch.stack([gradients_by_block(None, False, seed) for seed in range(3)])",
        "bare = torch.stack([gradients_by_block(None, True, seed) for seed in range(3)])",
    ),
    (
        "7-gradient-arrives-with-skip",
        "the skip is not there",
        "added = torch.stack([gradients_by_block(None, True, seed) for seed in range(3)])",
        "added = torch.stack([gradients_by_block(None, False, seed) for seed in range(3)])",
    ),
    (
        "7-layer-norm-equals-torch",
        "epsilon is ten times smaller",
        "ours, theirs = LayerNorm(d, epsilon=1e-5)",
        "ours, theirs = LayerNorm(d, epsilon=1e-6)",
    ),
    (
        "7-norm-over-tokens-leaks",
        "the norm runs over the width",
        "return (x - x.mean(dim=1, keepdim=True)) / x.std(dim=1, correction=0, keepdim=True)",
        "return (x - x.mean(dim=2, keepdim=True)) / x.std(dim=2, correction=0, keepdim=True)",
    ),
    (
        "7-epsilon-place-changes-quiet-tokens",
        "the outer epsilon stands inside",
        "return centred / (centred.square().mean(dim=-1, keepdim=True).sqrt() + epsilon)",
        "return centred / (centred.square().mean(dim=-1, keepdim=True) + epsilon).sqrt()",
    ),
    (
        "7-epsilon-outside-nan",
        "the outer epsilon stands inside",
        "return centred / (centred.square().mean(dim=-1, keepdim=True).sqrt() + epsilon)",
        "return centred / (centred.square().mean(dim=-1, keepdim=True) + epsilon).sqrt()",
    ),
    (
        "7-rms-norm-of-centred",
        "the mean stays in",
        "centred = RMSNorm(d).double(), tokens - tokens.mean(dim=-1, keepdim=True)",
        "centred = RMSNorm(d).double(), tokens",
    ),
    (
        "7-norm-keeps-gradients",
        "there is no norm",
        '"norm alone": ("pre", False)',
        '"norm alone": (None, False)',
    ),
    (
        "7-norm-does-not-keep-tokens",
        "there is a skip",
        '"norm alone": ("pre", False)',
        '"norm alone": ("pre", True)',
    ),
    (
        "7-trainability-gap",
        "the best setting is compared with the one that has skips",
        'for name in ("norm alone", "neither")',
        'for name in ("skip alone", "neither")',
    ),
    (
        "7-pre-norm-stands-large-steps",
        "pre-norm is compared with itself",
        'pre, post = accuracy["pre", True, rate], accuracy["post", True, rate]',
        'pre, post = accuracy["pre", True, rate], accuracy["pre", True, rate]',
    ),
    (
        "7-no-difference-at-small-steps",
        "models without skips are taken for both",
        "accuracy[norm, True, rate] for norm in",
        'accuracy["pre", False, rate] for norm in',
    ),
]
