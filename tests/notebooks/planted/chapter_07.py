"""Mistakes to which the claims of chapter 7 fall."""

PLANTED = [
    (
        "7-collapse-faster-than-exponential",
        "tokens that have become alike are told apart again before they ask and answer",
        "    return attention(x @ projections[0], x @ projections[1], x @ projections[2])[0]",
        "    own = x - x.mean(dim=0)\n"
        "    asks = own / own.std()\n"
        "    return attention(asks @ projections[0], asks @ projections[1], x @ projections[2])[0]",
    ),
    (
        "7-carried-equals-plain",
        "the keys' common part is left out of the weights",
        "common = torch.softmax(mean @ M @ answering.T, dim=0)",
        "common = torch.full((n,), 1 / n, dtype=torch.float64)",
    ),
    (
        "7-collapse-is-cubic",
        "the difference enters the scores at full size",
        "pair = torch.expm1(asking @ M @ answering.T)",
        "pair = torch.expm1(asking @ M @ answering.T / own.norm())",
    ),
    (
        "7-skip-keeps-the-token",
        "the skip is forgotten",
        "return x + look(x, projections)",
        "return look(x, projections)",
    ),
    (
        "7-skip-keeps-the-token",
        "the skip carries noise of the same size",
        "return x + look(x, projections)",
        "return look_and_add_noise(x, projections)",
    ),
    (
        "7-skip-withstands-noise",
        "the skip is missing",
        "named(step, noise=0.1) for step in (look_and_add, look_mostly_at_itself)",
        "named(look_mostly_at_itself, noise=0.1)\n"
        "    for step in (look_and_add, look_mostly_at_itself)",
    ),
    (
        "7-common-outgrows",
        "each token hears one other, and nothing is averaged",
        "return x + look(x, projections)",
        "return pass_on_and_add(x, projections)",
    ),
    (
        "7-stream-is-a-sum",
        "the norms stand behind",
        'block = BlockConfig(d_model=32, n_heads=4, d_ff=64, norm="pre")',
        'block = BlockConfig(d_model=32, n_heads=4, d_ff=64, norm="post")',
    ),
    (
        "7-small-start-without-skip",
        "whatever has no skip begins with its variance kept",
        "    if scaled:",
        "    if scaled or not residual:",
    ),
    (
        "7-gradient-arrives-either-way",
        "a stack without norms is left with PyTorch's start",
        "    if scaled:",
        "    if scaled and norm:",
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
        "7-pre-norm-stream-grows",
        "a norm stands on the stream behind each block",
        "            stream = block(stream)",
        "            stream = F.layer_norm(block(stream), (d_model,))",
    ),
    (
        "7-norm-keeps-gradients",
        "neither norms nor start keep any size",
        '"norm alone": ("pre", False, False)',
        '"norm alone": (None, False, False)',
    ),
    (
        "7-norm-does-not-keep-tokens",
        "each token keeps itself past a whole block",
        "            x = block(x)\n            least",
        "            x = x + block(x)\n            least",
    ),
    (
        "7-identical-tokens-teach-no-query",
        "the queries of block 1 are read, where tokens still differ",
        "    of_queries[name] = torch.stack(runs)\n",
        "    of_queries[name] = torch.stack(runs).flip(1)\n",
    ),
    (
        "7-skips-learn-here",
        "the skip is taken out",
        '"skip alone": stored.with_skip["skip alone"],',
        '"skip alone": [*stored.without_skip["neither, scaled"].values()],',
    ),
    (
        "7-tokens-apart-learn",
        "each token looks at all alike",
        "    stored.mostly_itself,\n",
        "    [*stored.all_alike.values()],\n",
    ),
    (
        "7-both-learn-at-small-steps",
        "post-norm has lost its skips",
        'post = {smaller: stored.places["post"][smaller]}',
        'post = {smaller: [*stored.without_skip["norm alone"].values()]}',
    ),
    (
        "7-pre-norm-stands-large-steps",
        "the norms stand on the stream after all",
        'pre[1e-2] = stored.places["pre"][1e-2]',
        'pre[1e-2] = stored.places["post"][1e-2]',
    ),
    (
        "7-large-steps-collapse-post-norm",
        "the tokens are looked at before the ten steps",
        'trace["post-norm at 0.01"][:, 10, 0],',
        'trace["post-norm at 0.01"][:, 0, 0],',
    ),
    (
        "7-ten-steps-decide",
        "the first ten steps are as small as the others",
        '"post-norm at 0.01": stored.after_ten["post"],',
        '"post-norm at 0.01": post[smaller],',
    ),
    (
        "7-climb-teaches-post-norm",
        "the rate does not climb",
        '"a climb over 30 steps": stored.begun["a climb over 30 steps"],',
        '"a climb over 30 steps": post[1e-2],',
    ),
    (
        "7-itself-keeps-the-token",
        "no token prefers itself",
        "projections, bonus=4.0):",
        "projections, bonus=0.0):",
    ),
]
