"""Mistakes to which the claims of chapter 8 fall."""

PLANTED = [
    (
        "8-no-positions-chance",
        "the slot is not empty",
        "unordered = [share_right(nn.Identity, task)",
        "unordered = [share_right(lambda: SinusoidalPositions(n, width), task)",
    ),
    (
        "8-bits-are-clocks",
        "the clocks are read exactly on the turn",
        "(counted + 0.5) * turns",
        "counted * turns",
    ),
    (
        "8-sinusoids-agree",
        "the exponent is i / d",
        "angle = p / base ** (2 * i / d)",
        "angle = p / base ** (i / d)",
    ),
    (
        "8-positions-solve",
        "there are no positions in one of the slots",
        '"learned": lambda: LearnedPositions(n, width)',
        '"learned": nn.Identity',
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
        "8-fit-is-not-the-rotation",
        "the rotation is built and not fitted",
        'fitted = torch.linalg.lstsq(table[:31], table[1:32], driver="gelsd").solution.T',
        "fitted = positions.shift_matrix(1, 64)",
    ),
    (
        "8-similarity-by-distance",
        "the positions of a random table",
        "similarity = table @ table.T",
        "similarity = torch.randn(512, 512, dtype=torch.float64, generator=generator)",
    ),
    (
        "8-similarity-decays",
        "similarities are taken between positions that nothing ties together",
        "similarity = table @ table.T",
        "similarity = torch.randn(512, 512, dtype=torch.float64, generator=generator)",
    ),
    (
        "8-sum-keeps-both",
        "the vectors are eight times narrower than stated",
        "kinds = torch.randn(n_kinds, width, dtype=torch.float64, generator=generator)\n"
        "    places = torch.randn(n_places, width, dtype=torch.float64, generator=generator)",
        "kinds = torch.randn(n_kinds, width // 8, dtype=torch.float64, generator=generator)\n"
        "    places = torch.randn(n_places, width // 8, dtype=torch.float64, generator=generator)",
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
        '"right": Tagger(SinusoidalPositions(n, width)).double()',
        '"right": Tagger(nn.Identity()).double()',
    ),
    (
        "8-rotary-offset-alone",
        "sinusoids are added to queries and keys in place of turning them",
        "rotary_scores = positions.rotate(same_query) @ positions.rotate(same_key).T / 8\n"
        "places = positions.sinusoidal(length, 64, dtype=torch.float64)",
        "places = positions.sinusoidal(length, 64, dtype=torch.float64)\n"
        "rotary_scores = (same_query + places) @ (same_key + places).T / 8",
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
        "rotary positions are counted among those that are added",
        'for kind in ("learned", "sinusoidal")',
        'for kind in ("rotary", "sinusoidal")',
    ),
    (
        "8-rotary-copies-past-training",
        "judged within the trained length, where learned positions copy as well",
        '"32 to 63": (29, 61)',
        '"32 to 63": (0, 29)',
    ),
    (
        "8-rotary-wins-within",
        "judged past the trained length",
        '"0 to 31": (0, 32)',
        '"0 to 31": (64, 128)',
    ),
    (
        "8-alibi-wins-beyond",
        "judged within the trained length",
        '"64 to 127": (64, 128)',
        '"64 to 127": (0, 32)',
    ),
    (
        "8-alibi-does-not-worsen",
        "the sinusoidal models are taken for those with ALiBi",
        'for kind, run in text_bits.items()\n}\nprint("bits at places',
        'for kind, run in (text_bits | {"alibi": text_bits["sinusoidal"]}).items()\n}\n'
        'print("bits at places',
    ),
    (
        "8-window-cures-rotary",
        "the window is as long as the text",
        "masks.sliding_window(4 * trained_length, trained_length)",
        "masks.sliding_window(4 * trained_length, 4 * trained_length)",
    ),
    (
        "8-window-cures-no-table",
        "the rotary models are judged in place of the sinusoidal ones",
        'for model in trained[kind]])\n    for kind in kinds\n}\nprint("bits at places 64',
        'for model in trained["rotary"]])\n    for kind in kinds\n}\nprint("bits at places 64',
    ),
]
