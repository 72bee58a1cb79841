"""Mistakes to which the claims of chapter 16 fall."""

FROM_THE_FIRST = (
    "gained[name] = bits[before] - bits[name]",
    'gained[name] = bits["GPT-2"] - bits[name]',
)

PLANTED = [
    (
        "16-cache-is-counted",
        "the values are not kept",
        "for pair in held for each in pair)",
        "for pair in held for each in pair[:1])",
    ),
    (
        "16-cache-outgrows-weights",
        "the heads go on sharing",
        "dataclasses.replace(config, n_key_value_heads=config.n_heads)",
        "dataclasses.replace(config, n_key_value_heads=config.n_key_value_heads)",
    ),
    (
        "16-groups-have-two-ends",
        "heads are dealt out like cards, and not neighbour by neighbour",
        "groups = query.chunk(key.size(1), dim=1)",
        "groups = [query[:, each :: key.size(1)] for each in range(key.size(1))]",
    ),
    (
        "16-key-bias-does-nothing",
        "the bias is that of the queries",
        "module.key_projection.bias.copy_(10 * numbers(24))",
        "module.query_projection.bias.copy_(10 * numbers(24))",
    ),
    (
        "16-normed-scores-are-bounded",
        "the learned weights of the norms are forgotten",
        "bound *= layer.mix.norms[name].weight.abs().max().item()",
        "bound *= 1.0",
    ),
    (
        "16-query-key-norm-stands-the-rate",
        "the norms stand on values and outputs",
        'with_norm = trained["queries and keys normed", HIGH]',
        'with_norm = trained["values and outputs normed", HIGH]',
    ),
    (
        "16-norm-holds-scores",
        "the norms are there, and the scores pass them by",
        "    query, key, _ = layer.mix.normed(query=query, key=key, value=value)\n",
        "",
    ),
    (
        "16-file-is-todays-model",
        "neighbouring columns are paired, as the paper on rotary positions does",
        "one, other = x.chunk(2, dim=-1)",
        "one, other = x[..., ::2], x[..., 1::2]",
    ),
    (
        "16-file-in-float32",
        "the norm's epsilon is another model's",
        "torch.sqrt(x.square().mean(dim=-1, keepdim=True) + epsilon)",
        "torch.sqrt(x.square().mean(dim=-1, keepdim=True) + 1000 * epsilon)",
    ),
    (
        "16-cache-writes-the-same",
        "of the prompt only the last token enters the cache",
        "return model(read[:, caches[0].length :], caches)[:, -1]",
        "return model(read[:, -1:], caches)[:, -1]",
    ),
    (
        "16-untrained-router-leaves-idle",
        "the router's scores are counted without what they have in common",
        "at_start[name] = count_idle([shares_of(model, x) for x, _, model in untrained])",
        "at_start[name] = count_idle(\n"
        "        [shares_of(model, x - x.mean(dim=0)) for x, _, model in untrained]\n"
        "    )",
    ),
    (
        "16-training-leaves-experts-idle",
        "the facts share no direction",
        'np.mean(idle["shared"]),\n    ">=",\n    3,',
        'np.mean(idle["everywhere"]),\n    ">=",\n    3,',
    ),
    (
        "16-about-as-many-as-before",
        "what is idle before the training is not counted",
        "return np.mean(idle[name]) - np.mean(before[name])",
        "return np.mean(idle[name])",
    ),
    (
        "16-training-collapses-an-even-start",
        "the direction is hidden from the router that begins even",
        'np.mean(idle["even start"]),\n    ">=",',
        'np.mean(idle["hidden"]),\n    ">=",',
    ),
    (
        "16-even-start-changes-little",
        "the router that begins even does not learn",
        'np.mean(idle["shared"]) - np.mean(idle["even start"]),',
        'np.mean(idle["shared"]) - np.mean(idle["even start, router untrained"]),',
    ),
    (
        "16-leaders-do-not-win",
        "the two that are chosen most after the training are looked at",
        "two = [row.argsort()[-2:] for row in mixtures[name][0]]",
        "two = [row.argsort()[-2:] for row in mixtures[name][1]]",
    ),
    (
        "16-collapse-without-learning-experts",
        "the experts learn, and the router does not",
        'np.mean(idle[f"even start, {how}"]) for how in ("experts untrained",',
        'np.mean(idle[f"even start, {how}"]) for how in ("router untrained",',
    ),
    (
        "16-some-of-many-fall-idle",
        "there are eight experts, as before",
        "learned_by(functools.partial(experts, n_experts=64), 0.0, 200, 0.0)",
        "learned_by(functools.partial(experts, n_experts=8), 0.0, 200, 0.0)",
    ),
    (
        "16-hidden-direction-is-enough",
        "the mean is computed and left where it is",
        "return (seen[0] - seen[0].mean(dim=0),)",
        "return (seen[0] - 0 * seen[0].mean(dim=0),)",
    ),
    (
        "16-long-common-steps-are-enough",
        "the fast bias takes steps as short as the slow one",
        "times = x.mean(dim=0).abs().sum() if fast else 1.0",
        "times = 1.0",
    ),
    (
        "16-little-shared-idles-none",
        "the direction is ten times as long",
        "_, *rows = learned_by(experts, 0.35, 200, 0.0, SEEDS[:2])",
        "_, *rows = learned_by(experts, 10 * 0.35, 200, 0.0, SEEDS[:2])",
    ),
    (
        "16-time-does-not-even-out",
        "the facts share no direction",
        'idle["shared, 3 times the steps"],\n    ">=",',
        'idle["everywhere"],\n    ">=",',
    ),
    (
        "16-idle-experts-cost-facts",
        "the router that begins even learns",
        'even over uneven start, routers untrained": gains(fixed, "shared, router untrained")',
        'even over uneven start, routers untrained": gains(even, "shared, router untrained")',
    ),
    (
        "16-shut-experts-cost-facts",
        "none is shut",
        "score_projection.bias.data[:4] -= 1e4",
        "score_projection.bias.data[:0] -= 1e4",
    ),
    (
        "16-training-the-router-adds-nothing",
        "the router that is compared is trained with the loss",
        'gains("shared", "shared, router untrained")',
        'gains(balanced, "shared, router untrained")',
    ),
    (
        "16-balance-adds-facts",
        "the router is left untrained, and no loss is added",
        '"balanced over not, uneven start": gains(balanced, "shared")',
        '"balanced over not, uneven start": gains("shared, router untrained", "shared")',
    ),
    (
        "16-fixed-router-knows-more",
        "the router that is to stay as it was begins uneven",
        'router, balanced": gains("even start, balanced", fixed)',
        'router, balanced": gains("even start, balanced", "shared, router untrained")',
    ),
    (
        "16-unbalanced-are-worth-one",
        "those that are balanced are compared",
        '"uneven start over one network": gains("shared", "one network")',
        '"uneven start over one network": gains(balanced, "one network")',
    ),
    (
        "16-small-gpt-shares-little",
        "the sizes of the numbers are averaged, and not the numbers",
        "x.mean(dim=0).square().sum()",
        "x.abs().mean(dim=0).square().sum()",
    ),
    (
        "16-scan-is-its-recurrence",
        "what is written and what is read are exchanged",
        "by_steps, also_last = scan_by_steps(x, duration, fading, write, read)",
        "by_steps, also_last = scan_by_steps(x, duration, fading, read, write)",
    ),
    (
        "16-state-does-not-grow",
        "the text is kept beside the state",
        "widths.append(state.recent.numel() + state.summary.numel())",
        "widths.append(state.summary.numel() + text[:, : place + 1].numel())",
    ),
    (
        "16-selective-fades-with-load",
        "the lightest load is compared with the next",
        "lost = {name: rows[:, 0] - rows[:, -1] for name, rows in same_steps.items()}",
        "lost = {name: rows[:, 0] - rows[:, 1] for name, rows in same_steps.items()}",
    ),
    (
        "16-selective-recalls-less",
        "every row is that of linear attention",
        "np.array(recall.recall[name]) for name in",
        'np.array(recall.recall["linear"]) for name in',
    ),
    (
        "16-rotary-moves-most",
        "every arm is compared with the first",
        *FROM_THE_FIRST,
    ),
    (
        "16-table-is-worse-than-none",
        "the table is the one that starts at one",
        '"a table from 0.02": "GPT-2",',
        '"a table from 0.02": "large table",',
    ),
    (
        "16-rotary-beats-no-positions",
        "the arm is that of the sinusoids",
        '"rotary positions": "rotary positions",',
        '"rotary positions": "sinusoids",',
    ),
    (
        "16-gate-helps",
        "gained and lost are exchanged",
        "gained[name] = bits[before] - bits[name]",
        "gained[name] = bits[name] - bits[before]",
    ),
    (
        "16-the-rest-within-the-spread",
        "every arm is compared with the first",
        *FROM_THE_FIRST,
    ),
    (
        "16-fewer-heads-do-as-well",
        "the two heads are those of GPT-2's block",
        '"grouped queries over two heads": bits["grouped queries"] - bits["two heads"]',
        '"grouped queries over two heads": bits["grouped queries"] - bits["GPT-2"]',
    ),
]
