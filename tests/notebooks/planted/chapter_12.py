"""Mistakes to which the claims of chapter 12 fall."""

PLANTED = [
    (
        "12-norm-never-stops",
        "the steps are of one length, so that the norm grows with their number",
        "checkpoints, step_size=1.0, normalised=False)",
        "checkpoints, step_size=1.0)",
    ),
    (
        "12-svc-is-the-programme",
        "the machine is left soft",
        'svc = SVC(kernel="linear", C=1e6, tol=1e-8).fit(points.numpy(), classes.numpy())',
        'svc = SVC(kernel="linear", C=0.01).fit(points.numpy(), classes.numpy())',
    ),
    (
        "12-logistic-counts-the-offset",
        "the offset stands on a coordinate of thirty, and costs next to nothing",
        "torch.ones(len(points), 1)], dim=1)",
        "30 * torch.ones(len(points), 1)], dim=1)",
    ),
    (
        "12-layer-is-attention",
        "the division by the root of the width is not undone",
        "queries = math.sqrt(5) * plane.queries[:, None] @ Q",
        "queries = plane.queries[:, None] @ Q",
    ),
    (
        "12-gradient-by-hand",
        "the softmax is derived as if each weight had its own score alone",
        "return slope * X.T @ (a * (worths - m)).outer(z)",
        "return slope * X.T @ (a * worths).outer(z)",
    ),
    (
        "12-selection-is-an-svm",
        "the points of one side stand twice as far out",
        "mirrored = torch.cat([constraints, -constraints])",
        "mirrored = torch.cat([constraints, -2 * constraints])",
    ),
    (
        "12-plane-turns-to-the-margin",
        "training stops after twenty steps, before W has turned",
        "paths = descend(three_runs, starts, range(0, 2_001))",
        "paths = descend(three_runs, starts, range(0, 21))",
    ),
    (
        "12-cone-of-a-local-direction",
        "the label is turned, so that a and b are worth less than what holds them up",
        "labels=torch.ones(1, dtype=torch.float64),",
        "labels=-torch.ones(1, dtype=torch.float64),",
    ),
    (
        "12-no-plateau-under-even-steps",
        "the steps are as long as the gradient, which has vanished",
        "runs, (W,) = descend_from(places, [600], **how)",
        'runs, (W,) = descend_from(places, [600], **{"normalised": False} | how)',
    ),
    (
        "12-w-turns-to-frobenius",
        "the steps are as long as the gradient, so that W has hardly turned",
        '"W": descend(data, random_start(RUNS, 10), record),',
        '"W": descend(data, random_start(RUNS, 10), record, normalised=False),',
    ),
    (
        "12-factors-turn-to-nuclear",
        "the product is trained as one matrix",
        '"K, Q": descend_factored(data, key_start, query_start, record, penalty=tiny),',
        '"K, Q": descend(data, key_start @ query_start.mT, record),',
    ),
    (
        "12-penalty-arrives",
        "there is no penalty",
        '"K, Q": descend_factored(data, key_start, query_start, record, penalty=tiny),',
        '"K, Q": descend_factored(data, key_start, query_start, record, penalty=0.0),',
    ),
    (
        "12-float64-freezes",
        "the gradient is computed in logarithms after all",
        "in_float64 = descend_factored(data, key_start, query_start, [2_000, 4_000])",
        "in_float64 = descend_factored(data, key_start, query_start, [2_000, 4_000],\n"
        "                              gradient_of=selection_direction)",
    ),
    (
        "12-factors-have-low-rank",
        "the factors are those after ten steps",
        '"trained K Qᵀ": trained["K, Q"][-1],',
        '"trained K Qᵀ": trained["K, Q"][1],',
    ),
    (
        "12-frobenius-rank",
        "there are six queries, and not five",
        "random_problems(60, 5, 5, d, draws)",
        "random_problems(60, 6, 5, d, draws)",
    ),
    (
        "12-nuclear-rank-stays",
        "the sum of squares is minimised, not the sum of singular values",
        "programmes[norm](each)",
        'programmes["Frobenius"](each)',
    ),
    (
        "12-softmax-saturates",
        "the weights are those after 20 steps",
        'final = trained["W"][-1]',
        'final = trained["W"][2]',
    ),
    (
        "12-selection-is-locally-optimal",
        "the worths forget the labels",
        "worths = token_worths(data)\n",
        "worths = token_worths(data) * data.labels[..., None]\n",
    ),
    (
        "12-feasible-is-not-found",
        "every problem in which the weights settle counts as solved",
        "(settled & (chosen.indices == optimal_tokens(problems)).all(-1))",
        "(settled)",
    ),
    (
        "12-width-helps-beyond-feasibility",
        "the tokens have five coordinates at most, however wide the space is said to be",
        "        many = random_problems(100, 5, 5, d, generator)\n"
        "        found[d].append(found_all(many, random_start(100, d)))",
        "        many = random_problems(100, 5, 5, min(d, 5), generator)\n"
        "        found[d].append(found_all(many, random_start(100, min(d, 5))))",
    ),
    (
        "12-equal-worths-are-global",
        "the losers keep their worths",
        'for name, many in (("random", random_worths), ("equal", equal_worths)):',
        'for name, many in (("random", random_worths), ("equal", random_worths)):',
    ),
    (
        "12-self-attention-too",
        "the steps are as long as the gradient, so that W has hardly turned",
        "(W,) = descend(own_query, random_start(RUNS, 12), [2_000])",
        "(W,) = descend(own_query, random_start(RUNS, 12), [2_000], normalised=False)",
    ),
    (
        "12-finite-part-is-a-projection",
        "one difference of kept tokens is projected on, of several",
        "finite = part_within(W[r], equal)",
        "finite = part_within(W[r], equal[:1])",
    ),
    (
        "12-rest-is-generalised-svm",
        "the kept tokens are to beat the others by exactly one, not by one at least",
        "generalised_max_margin(equal, apart),",
        "least_squares(apart),",
    ),
    (
        "12-two-layers-gradient",
        "what comes up counts as a value, and not as a key",
        "(slope[..., None] * (as_value + as_key))",
        "(slope[..., None] * as_value)",
    ),
    (
        "12-two-layers-two-machines",
        "the first layer stands still",
        "W_1, W_2 = W_1 - step[..., :d], W_2 - step[..., d:]",
        "W_1, W_2 = W_1, W_2 - step[..., d:]",
    ),
]
