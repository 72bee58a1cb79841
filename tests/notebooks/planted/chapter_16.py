"""Mistakes to which the claims of chapter 16 fall."""

FROM_THE_FIRST = (
    "bits[before] - bits[name]",
    'bits["GPT-2"] - bits[name]',
)

PLANTED = [
    (
        "16-cache-is-counted",
        "the values are not kept",
        'both, modules = ("key_projection", "value_projection"), model.named_modules()',
        'both, modules = ("key_projection",), model.named_modules()',
    ),
    (
        "16-cache-outgrows-weights",
        "the heads go on sharing",
        "for shared in (config.n_key_value_heads, config.n_heads, 1)",
        "for shared in (config.n_key_value_heads, config.n_key_value_heads, 1)",
    ),
    (
        "16-sharing-shortens-the-reading",
        "the cache of one text is counted for sixteen",
        "weights, texts * window * cache_bytes_per_token(config)",
        "weights, window * cache_bytes_per_token(config)",
    ),
    (
        "16-groups-have-two-ends",
        "heads are dealt out like cards, and not neighbour by neighbour",
        "groups = query.chunk(key.size(1), dim=1)",
        "groups = [query[:, each :: key.size(1)] for each in range(key.size(1))]",
    ),
    (
        "16-query-key-norm-allows-the-rate",
        "the norms are left out",
        "return Heads(nn.RMSNorm(d_head), nn.RMSNorm(d_head))",
        "return Heads(nn.Identity(), nn.Identity())",
    ),
    (
        "16-ordinary-rate-needs-no-norm",
        "the runs are those at eight times the rate",
        '    shares["no norm, ordinary rate"],',
        '    shares["no norm"],',
    ),
    (
        "16-smaller-weights-save-most",
        "the scores are capped, and nothing is slower",
        "    saved(slower),",
        "    saved(cap),",
    ),
    (
        "16-norm-holds-scores",
        "the norms are there, and the scores pass them by",
        "    query, key = layer.mix.compared(query, key)\n",
        "",
    ),
    (
        "16-norm-holds-scores",
        "the scores are those of the capped arm",
        "    scores[both],",
        "    scores[cap],",
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
        "16-only-router-idles-too",
        "the facts share no direction",
        "x = F.rms_norm(x + times * shared, (WIDTH,))",
        "x = F.rms_norm(x + 0 * shared, (WIDTH,))",
    ),
    (
        "16-only-router-idles-too",
        "the router is frozen, too",
        'frozen=("network.experts", "answer")',
        'frozen=("network",)',
    ),
    (
        "16-shared-part-idles-experts",
        "the mean is not taken away",
        "lambda _, read: (read[0] - mean,)",
        "lambda _, read: (read[0] - 0 * mean,)",
    ),
    (
        "16-router-alone-needs-the-shared-part",
        "the facts share a direction, and the router sees it",
        'mean_idle(kept[f"{alone}, {what}"].after)',
        "mean_idle(kept[alone].after)",
    ),
    (
        "16-balance-idles-none",
        "the balancing loss is computed and counts for nothing",
        "return known + balance * load_balancing_loss(routings[0])",
        "return known + 0 * balance * load_balancing_loss(routings[0])",
    ),
    (
        "16-scan-is-its-recurrence",
        "what is written and what is read are exchanged",
        "by_steps, also_last = scan_by_steps(x, duration, fading, write, read)",
        "by_steps, also_last = scan_by_steps(x, duration, fading, read, write)",
    ),
    (
        "16-selective-layer-by-hand",
        "the convolution begins with its last weight, so that it sees the text backwards",
        'kernel = p["convolution.weight"][:, 0]  # (channels, 4)',
        'kernel = p["convolution.weight"][:, 0].flip(1)',
    ),
    (
        "16-state-does-not-grow",
        "the text is kept beside the state",
        "widths.append(state.recent.numel() + state.summary.numel())",
        "widths.append(state.summary.numel() + text[:, : place + 1].numel())",
    ),
    (
        "16-fixed-state-fades-with-load",
        "the lightest load is compared with the next",
        "lost = {name: rows[:, 0] - rows[:, -1] for name, rows in found_by.items()}",
        "lost = {name: rows[:, 0] - rows[:, 1] for name, rows in found_by.items()}",
    ),
    (
        "16-fixed-state-fades-with-load",
        "attention is asked in its place",
        'for name in ASKED if name != "attention"',
        'for name in ASKED if name == "attention"',
    ),
    (
        "16-rotary-moves-most",
        "every arm is compared with the first",
        *FROM_THE_FIRST,
    ),
    (
        "16-table-is-worse-than-none",
        "the table starts at zero",
        '    -over_none["GPT-2"],',
        '    -over_none["table from zero"],',
    ),
    (
        "16-rotary-beats-no-positions",
        "the arm is that of a table from zero",
        'over_none["rotary"] = bits["no positions"] - bits["rotary positions"]',
        'over_none["rotary"] = bits["no positions"] - bits["table from zero"]',
    ),
    (
        "16-swiglu-helps",
        "gained and lost are exchanged",
        "bits[before] - bits[name]",
        "bits[name] - bits[before]",
    ),
    (
        "16-the-rest-within-the-spread",
        "every arm is compared with the first",
        *FROM_THE_FIRST,
    ),
    (
        "16-fewer-heads-do-as-well",
        "the two heads are those of GPT-2's block",
        'fewer = bits["grouped queries"] - bits["two heads"]',
        'fewer = bits["grouped queries"] - bits["GPT-2"]',
    ),
    (
        "16-frozen-idle-in-our-gpt",
        "the choices are counted before the training",
        '    idle_in_both(causes_in_gpt["experts frozen"]),',
        '    idle_in_both(in_gpt["unbalanced"].before),',
    ),
    (
        "16-one-expert-is-crowded",
        "there is a balancing loss",
        '    busiest(loads["unbalanced"]),',
        '    busiest(loads["balanced"]),',
    ),
    (
        "16-shared-part-in-our-gpt",
        "the routers read their tokens as they are",
        '    idle_in_both(causes_in_gpt["shared part hidden"]),',
        '    idle_in_both(in_gpt["unbalanced"].after),',
    ),
]
