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
        '    idle_after("uneven start"),\n    ">=",\n    3,',
        '    idle_after("everywhere"),\n    ">=",\n    3,',
    ),
    (
        "16-about-as-many-as-before",
        "what is idle before the training is not counted",
        "return idle_after(name) - np.mean(idle_before(name))",
        "return idle_after(name)",
    ),
    (
        "16-training-collapses-an-even-start",
        "the facts share no direction",
        'arms["even start"] = run_arm(even_start, TEN_SEEDS)',
        'arms["even start"] = run_arm(even_start, TEN_SEEDS, common=0.0)',
    ),
    (
        "16-leaders-do-not-win",
        "the two that are chosen most after the training are looked at",
        "two = [row.argsort()[-2:] for row in arms[name][1]]",
        "two = [row.argsort()[-2:] for row in arms[name][2]]",
    ),
    (
        "16-collapse-without-learning-experts",
        "the experts learn, and the router does not",
        "mixture.experts.requires_grad_(False)",
        "mixture.router.requires_grad_(False)",
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
        "16-short-steps-idle-few",
        "the slow router has the rate of the others",
        '"weight", AtLowRate(1, times)',
        '"weight", AtLowRate(1, 1)',
    ),
    (
        "16-idle-experts-cost-facts",
        "the router that begins even learns",
        'mean_gain_of(still, "uneven start, still"),\n    ">=",',
        'mean_gain_of("even start", "uneven start, still"),\n    ">=",',
    ),
    (
        "16-shut-experts-cost-facts",
        "none is shut",
        "score_projection.bias.data[:4] -= 1e4",
        "score_projection.bias.data[:0] -= 1e4",
    ),
    (
        "16-balance-adds-facts",
        "the loss that is added has no weight",
        "return known + balance * load_balancing_loss(routings[0])",
        "return known + 0 * balance * load_balancing_loss(routings[0])",
    ),
    (
        "16-fixed-router-knows-more",
        "the router that is to stay as it was begins uneven",
        "mean_gain_of(still, balanced),",
        'mean_gain_of("uneven start, still", balanced),',
    ),
    (
        "16-slow-router-knows-half",
        "the slow router does not learn at all",
        "    np.mean(known(slow)),\n",
        "    np.mean(known(still)),\n",
    ),
    (
        "16-moving-router-costs-facts",
        "behind its end the router moves on",
        "return held_still(made)",
        "return made",
    ),
    (
        "16-unbalanced-are-worth-one",
        "those that are balanced are compared",
        'mean_gain_of("uneven start", "one network"),',
        'mean_gain_of("uneven start, balanced", "one network"),',
    ),
    (
        "16-time-does-not-even-out",
        "the facts share no direction",
        "experts, SEEDS[:2], steps=600)",
        "experts, SEEDS[:2], steps=600, common=0.0)",
    ),
    (
        "16-some-of-many-fall-idle",
        "there are eight experts, as before",
        "functools.partial(experts, n_experts=64)",
        "functools.partial(experts, n_experts=8)",
    ),
    (
        "16-little-shared-idles-none",
        "the direction is ten times as long",
        "experts, SEEDS[:2], common=0.35)",
        "experts, SEEDS[:2], common=10 * 0.35)",
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
