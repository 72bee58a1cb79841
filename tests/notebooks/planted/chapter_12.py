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
        "12-far-rivals-leave-no-trace",
        "the rival left out is a near one",
        'for number, rival in enumerate("bcd"):',
        'for number, rival in enumerate("bdc"):',
    ),
    (
        "12-growth-is-the-margin",
        "the norm is said to grow with the margin, not with what it takes to have a margin of 1",
        "predicted_growth = widest.norm() * math.log(10)",
        "predicted_growth = math.log(10) / widest.norm()",
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
        "runs, (W,) = descend_from(places, [steps], **how)",
        'runs, (W,) = descend_from(places, [steps], **{"normalised": False} | how)',
    ),
    (
        "12-w-turns-to-frobenius",
        "the steps are as long as the gradient, so that W has hardly turned",
        '"W": descend(data, random_start(RUNS, 10), record),',
        '"W": descend(data, random_start(RUNS, 10), record, normalised=False),',
    ),
    (
        "12-laggards-arrive",
        "twenty steps are added, not eight thousand",
        'trained["W"][-1, lag], [8_000])',
        'trained["W"][-1, lag], [20])',
    ),
    (
        "12-least-squares-is-level",
        "the margins are those of constraints of length one",
        "constraints.flatten(1), wanted[:, None]",
        "F.normalize(constraints.flatten(1), dim=1), wanted[:, None]",
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
        "in_float64 = without_penalty[-2:]",
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
        "12-feasible-is-not-found",
        "every problem in which the weights settle counts as solved",
        "found[d].append(share(settled & all_optimal))",
        "found[d].append(share(settled))",
    ),
    (
        "12-width-helps-beyond-feasibility",
        "the tokens have five coordinates at most, however wide the space is said to be",
        "        many = random_problems(100, 5, 5, d, generator)\n"
        "        W, selected, settled = train(many, random_start(100, d))",
        "        many = random_problems(100, 5, 5, min(d, 5), generator)\n"
        "        W, selected, settled = train(many, random_start(100, min(d, 5)))",
    ),
    (
        "12-local-optimality-tells-who-stays",
        "the test is read the wrong way round",
        "passed = behind > 1 + 1e-3",
        "passed = behind < 1 + 1e-3",
    ),
    (
        "12-equal-worths-are-global",
        "the losers keep their worths",
        "torch.where(is_best, second + 0.1, second)",
        "torch.where(is_best, second + 0.1, worths)",
    ),
    (
        "12-self-attention-too",
        "the steps are as long as the gradient, so that W has hardly turned",
        "(W,) = descend(own_query, random_start(RUNS, 10), [2_000])",
        "(W,) = descend(own_query, random_start(RUNS, 10), [2_000], normalised=False)",
    ),
    (
        "12-shares-are-predicted",
        "the nearest sum of the points is taken, whatever its weights sum to",
        "[weights >= 0, cvxpy.sum(weights) == 1]",
        "[weights >= 0]",
    ),
    (
        "12-rest-is-generalised-svm",
        "half of those that are dropped are forgotten",
        "generalised_max_margin(equal, apart),",
        "generalised_max_margin(equal, apart[::2]),",
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
