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
        "16-norm-needs-no-slowing",
        "the two matrices are held, and the norms are left out",
        '    shares["both normed, W held", HIGH],\n',
        '    shares["no norm, W held", HIGH],\n',
    ),
    (
        "16-norm-holds-scores",
        "the norms are there, and the scores pass them by",
        "    query, key, _ = layer.mix.normed(query=query, key=key, value=value)\n",
        "",
    ),
    (
        "16-scores-grow-before-anything-is-learned",
        "the norms stand on values and outputs",
        '[score for _, score in early["queries and keys normed"]]',
        '[score for _, score in early["values and outputs normed"]]',
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
        "16-mixture-by-hand",
        "the probabilities of the chosen do not sum to one",
        "    weight = weight / weight.sum(dim=-1, keepdim=True)\n",
        "",
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
        "16-training-collapses-an-even-start",
        "the facts share no direction",
        '[mean_idle(each["even start"]) for each in (arms, kept)]',
        '[mean_idle(each["everywhere"]) for each in (arms, kept)]',
    ),
    (
        "16-collapse-without-learning-experts",
        "the experts learn, and the router does not",
        '[mean_idle(each["router alone learns"]) for each in (arms, kept)]',
        'mean_idle(kept["still"])',
    ),
    (
        "16-unchosen-get-no-gradient",
        "the balancing loss is in it",
        "    task = F.cross_entropy(collapsed(x), labels)\n",
        "    task = F.cross_entropy(collapsed(x), labels)\n"
        "task = task + load_balancing_loss(routings[0])\n",
    ),
    (
        "16-hidden-direction-is-enough",
        "the mean is computed and left where it is",
        "return (seen[0] - seen[0].mean(dim=0),)",
        "return (seen[0] - 0 * seen[0].mean(dim=0),)",
    ),
    (
        "16-long-common-steps-are-enough",
        "the bias takes a step as long as its rate, and no longer",
        'means_of("hidden, bias in long steps", "even start"',
        'means_of("hidden, bias in ordinary steps", "even start"',
    ),
    (
        "16-loss-or-offset-idles-none",
        "neither is there",
        'HELPED = ("balanced", "offset")',
        'HELPED = ("even start",)',
    ),
    (
        "16-balance-adds-facts",
        "the loss that is added has no weight",
        'mean_gain_of(balanced, "even start")',
        'mean_gain_of("even start", "even start")',
    ),
    (
        "16-width-counts",
        "facts of the smaller width are counted",
        "[mean_idle(kept[name]) for name in wide[:2]]",
        '[mean_idle(kept["a shorter direction"]) for name in wide[:2]]',
    ),
    (
        "16-fixed-router-knows-more",
        "behind the router that is to stay as it was, four experts are shut",
        '    mean_gain_of(still, balanced),\n    ">=",',
        '    mean_gain_of("four shut, still", balanced),\n    ">=",',
    ),
    (
        "16-moving-router-costs-facts",
        "behind its end the router moves on",
        '    mean_gain_of(f"{balanced}, its end", balanced),\n    ">=",',
        '    mean_gain_of(f"{balanced}, its end moving on", balanced),\n    ">=",',
    ),
    (
        "16-moving-costs-time",
        "the steps are the usual 200",
        '    mean_gain_of(still + long, balanced + long),\n    "<=",',
        '    mean_gain_of(still, balanced),\n    "<=",',
    ),
    (
        "16-other-rates-idle-too",
        "the arm that is balanced is counted",
        "[mean_idle(arm) for arm in at_rate.values()],\n",
        '[mean_idle(kept[f"balanced, rate {rate}"]) for rate in at_rate],\n',
    ),
    (
        "16-little-shared-idles-none",
        "the direction is nine times as long",
        '    idle_in(kept["a shorter direction"]),\n',
        '    idle_in(kept["uneven start"]),\n',
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
        "16-one-fade-favours-what-follows",
        "the fade is chosen by the token",
        "one_fade = [fade * every for fade in torch",
        "one_fade = [fade * chosen for fade in torch",
    ),
    (
        "16-selective-fades-with-load",
        "the lightest load is compared with the next",
        "lost = {name: rows[:, 0] - rows[:, -1] for name, rows in found_by.items()}",
        "lost = {name: rows[:, 0] - rows[:, 1] for name, rows in found_by.items()}",
    ),
    (
        "16-selective-learns-late",
        "every training is stopped after the same steps",
        "(found_by[name + more] - found_by[name])[:, -1]",
        "(found_by[name] - found_by[name])[:, -1]",
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
    (
        "16-value-bias-is-a-constant",
        "the large bias goes into the keys, which rotary positions turn",
        "    without, into = turning(x), turning.value_projection.bias\n",
        "    without, into = turning(x), turning.key_projection.bias\n",
    ),
    (
        "16-experts-idle-in-our-gpt",
        "the choices are counted before the training",
        "for blocks in in_gpt[name].after], axis=0)",
        "for blocks in in_gpt[name].before], axis=0)",
    ),
    (
        "16-no-gain-of-routing-seen",
        "the router that never learns is compared with the plain block",
        'of_learning = {name: gains[name] - gains["still"] for name in',
        "of_learning = {name: gains[name] for name in",
    ),
]
