"""Mistakes to which the claims of chapter 8 fall."""

PLANTED = [
    (
        "8-no-positions-chance",
        "the slot is not empty: another tagger is trained, with a table in it",
        '    (unordered - 1 / 7).abs(),\n    "<=",',
        '    (share_right(slots["learned"], seeds=1) - 1 / 7).abs(),\n    "<=",',
    ),
    (
        "8-bits-are-clocks",
        "the clocks are read exactly on the turn",
        "(counted + 0.5) * turns",
        "counted * turns",
    ),
    (
        "8-sinusoids-agree",
        "the exponent is c / d",
        "angle = p / base ** (2 * c / d)",
        "angle = p / base ** (c / d)",
    ),
    (
        "8-positions-solve",
        "the learned table is taken out, and another tagger trained without it",
        "tabled = torch.cat([*ordered.values()])",
        'tabled = torch.cat([ordered["sinusoidal"], share_right(nn.Identity, seeds=1)])',
    ),
    (
        "8-shift-identity",
        "the rotation is transposed",
        "residuals[k] = (table[:-k] @ M.T - table[k:])",
        "residuals[k] = (table[:-k] @ M - table[k:])",
    ),
    (
        "8-shift-identity",
        "the table is rounded to float32",
        "table = positions.sinusoidal(512, 64, dtype=torch.float64)",
        "table = positions.sinusoidal(512, 64).double()",
    ),
    (
        "8-three-back-by-rotation",
        "the keys are turned the other way",
        "table, table @ positions.shift_matrix(3, 64).T",
        "table, table @ positions.shift_matrix(3, 64)",
    ),
    (
        "8-fit-is-not-the-rotation",
        "the fit is told that each clock turns by itself",
        "    return torch.linalg.lstsq(table[: fitted_on - k], table[k:fitted_on], "
        'driver="gelsd").solution.T',
        "    return fit_step_by_clock(k, fitted_on)",
    ),
    (
        "8-similarity-by-distance",
        "the positions of a random table",
        "similarity = table @ table.T",
        "similarity = torch.randn(512, 512, dtype=torch.float64, generator=generator)",
    ),
    (
        "8-similarity-decays",
        "the speeds are spread evenly",
        "return 10000.0 ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)",
        "return even_speeds(d)",
    ),
    (
        "8-few-clocks-need-magnitudes",
        "the speeds are spread over one factor of two",
        "return 10.0 ** (-4 * random_speeds(d, source))",
        "return 10.0 ** (-0.3 * random_speeds(d, source))",
    ),
    (
        "8-sum-keeps-both",
        "all vectors share 8 directions",
        "read_both(random_vectors(100, d), random_vectors(32, d))",
        "read_both(random_vectors(100, d, 8), random_vectors(32, d, 8))",
    ),
    (
        "8-sinusoids-need-width",
        "the places stand a hundred apart, so that slow clocks move as well",
        "positions.sinusoidal(32, d, dtype=torch.float64)",
        "positions.sinusoidal(3200, d, dtype=torch.float64)[::100]",
    ),
    (
        "8-wrong-axis-learns-nothing",
        "the table is added along the tokens after all",
        "x + self.table[: x.size(0), None]",
        "x + self.table[: x.size(1)]",
    ),
    (
        "8-wrong-axis-is-caught",
        "the table is added along the tokens after all",
        "x + self.table[: x.size(0), None]",
        "x + self.table[: x.size(1)]",
    ),
    (
        "8-wrong-axis-tells-no-order",
        "the table is added along the tokens after all",
        "x + self.table[: x.size(0), None]",
        "x + self.table[: x.size(1)]",
    ),
    (
        "8-positions-break-symmetry",
        "the model that is called right has none",
        '"right": Tagger(SinusoidalPositions(64, width)).double()',
        '"right": Tagger(nn.Identity()).double()',
    ),
    (
        "8-rnn-has-order",
        "each state forgets the one before",
        "states.append(self.cell(x, states[-1]))",
        "states.append(self.cell(x, states[0]))",
    ),
    (
        "8-positions-in-parallel",
        "the model that is called right reads one word after another",
        '"right": Tagger(SinusoidalPositions(64, width)).double()',
        '"right": RecurrentTagger().double()',
    ),
    (
        "8-rotary-offset-alone",
        "sinusoids are added to queries and keys in place of turning them",
        "rotary_scores = positions.rotate(same_query) @ positions.rotate(same_key).T / 8\n"
        "table_of_places = positions.sinusoidal(length, 64, dtype=torch.float64)",
        "table_of_places = positions.sinusoidal(length, 64, dtype=torch.float64)\n"
        "rotary_scores = (same_query + table_of_places) @ (same_key + table_of_places).T / 8",
    ),
    (
        "8-rotary-offset-alone",
        "only the queries are turned",
        "rotary_scores = positions.rotate(same_query) @ positions.rotate(same_key).T / 8",
        "rotary_scores = positions.rotate(same_query) @ same_key.T / 8",
    ),
    (
        "8-rotary-knows-offset",
        "nothing is turned",
        "rotary_scores = positions.rotate(same_query) @ positions.rotate(same_key).T / 8",
        "rotary_scores = same_query @ same_key.T / 8",
    ),
    (
        "8-causal-mask-counts",
        "there is no mask",
        "attention(even, even, is_first, masks.causal(1000))",
        "attention(even, even, is_first)",
    ),
    (
        "8-added-fail-past-training",
        "the texts are cut into pieces, so that no place is unseen",
        "[right_by_place(model, long_digits) for model in copiers[kind]]",
        "[\n"
        "            torch.cat([right_by_place(m, p) for p in long_digits.split(32, 1)] * 2)"
        "[:124]\n"
        "            for m in copiers[kind]\n"
        "        ]",
    ),
    (
        "8-unseen-places-suffice",
        "the digits are not moved",
        "right_by_place(model, short_digits, first).mean()",
        "right_by_place(model, short_digits, first % 2).mean()",
    ),
    (
        "8-rotary-copies-past-training",
        "queries and keys are no longer turned",
        "copy_right = {",
        'for model in copiers["rotary"]:\n'
        "    for block in model.stack.blocks:\n"
        "        block.self_attention.rotate_positions = None\n"
        "copy_right = {",
    ),
    (
        "8-clipped-copies-far",
        "offsets beyond 31 begin again at zero",
        "copy_right = {",
        'for model in copiers["clipped"]:\n'
        "    numbers, at = model.positions.table, torch.arange(128)\n"
        "    wrapped = numbers[:, 31 + (at[:, None] - at) % 32]\n"
        "    model.positions.bias = lambda x, at=wrapped: at[:, : x.size(1), : x.size(1)]\n"
        "copy_right = {",
    ),
    (
        "8-two-do-not-point-yet",
        "models that can point answer in place of those with ALiBi",
        "torch.stack([named_by_offset(model) for model in copiers[kind]])",
        "torch.stack([named_by_offset(m) for m in copiers[kind.replace('alibi', 'rotary')]])",
    ),
    (
        "8-rotary-wins-within",
        "queries and keys are no longer turned",
        "text_bits = {",
        'for model in readers["rotary"]:\n'
        "    for block in model.stack.blocks:\n"
        "        block.self_attention.rotate_positions = None\n"
        "text_bits = {",
    ),
    (
        "8-alibi-beats-rotary-beyond",
        "the slopes are taken away",
        "text_bits = {",
        'for model in readers["alibi"]:\n    model.positions.bias = lambda x: None\ntext_bits = {',
    ),
    (
        "8-clipped-wins-beyond",
        "offsets beyond 31 begin again at zero",
        "text_bits = {",
        'for model in readers["clipped"]:\n'
        "    numbers, at = model.positions.table, torch.arange(128)\n"
        "    wrapped = numbers[:, 31 + (at[:, None] - at) % 32]\n"
        "    model.positions.bias = lambda x, at=wrapped: at[:, : x.size(1), : x.size(1)]\n"
        "text_bits = {",
    ),
    (
        "8-four-do-not-worsen",
        "the models without positions have a table that goes on past the trained length",
        "text_bits = {",
        'readers["none"] = readers["sinusoidal"]\ntext_bits = {',
    ),
    (
        "8-roughly-bigrams",
        "the text is shuffled before its pairs are counted",
        "counts = NGramCounts(train_ids, len(alphabet), order=3)",
        "mixed = torch.randperm(len(train_ids), generator=generator)\n"
        "counts = NGramCounts(train_ids[mixed], len(alphabet), order=3)",
    ),
    (
        "8-clamp-is-attention",
        "the keys are not turned",
        "rotate(query, 0) @ rotate(key, 0).transpose(-2, -1)",
        "rotate(query, 0) @ key.transpose(-2, -1)",
    ),
    (
        "8-clamp-is-attention",
        "the biases of the offsets are taken from the far end",
        "bias[:, -1].flip(-1)[:, back.clamp(0, furthest)]",
        "bias[:, -1][:, back.clamp(0, furthest)]",
    ),
    (
        "8-unseen-offsets-are-the-cause",
        "the offsets are not clamped, and all keys stay",
        "torch.where(back <= furthest, scores,",
        "torch.where(back <= 4 * furthest + 3, scores,",
    ),
    (
        "8-clamp-mends-copying",
        "the offsets are not clamped, and all keys stay",
        "torch.where(back <= furthest, scores,",
        "torch.where(back <= 4 * furthest + 3, scores,",
    ),
    (
        "8-unseen-keys-harm",
        "the far keys are drawn from offsets that training has seen",
        "unseen = back >= trained_length",
        "unseen = (back >= 8) & (back < trained_length)",
    ),
    (
        "8-clamped-rotary-leads",
        "the offsets are not clamped, and all keys stay",
        "torch.where(back <= furthest, scores,",
        "torch.where(back <= 4 * furthest + 3, scores,",
    ),
    (
        "8-half-speed-names-six",
        "the clocks keep their speed",
        '("at half the speed", 0.5)',
        '("at half the speed", 1.0)',
    ),
    (
        "8-slower-clocks-need-training",
        "the clocks keep their pace",
        '    slowed["half the speed"],\n',
        '    far_copies(copiers["rotary"][:1], turn=stretched(1.0)),\n',
    ),
]
