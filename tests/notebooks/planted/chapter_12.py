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
        "return slope * X.T @ (a * (scores - m)).outer(z)",
        "return slope * X.T @ (a * scores).outer(z)",
    ),
    (
        "12-selection-is-an-svm",
        "the points of one side stand twice as far out",
        "mirrored = torch.cat([constraints, -constraints])",
        "mirrored = torch.cat([constraints, -2 * constraints])",
    ),
    (
        "12-plane-turns-to-the-margin",
        "the programme is asked for another token",
        "in_the_plane = separations(tokens, plane.queries, best)",
        "in_the_plane = separations(tokens, plane.queries, (best + 1) % 3)",
    ),
    (
        "12-w-turns-to-frobenius",
        "the solution is that of the nuclear norm",
        '("Frobenius", frobenius_max_margin), (',
        '("Frobenius", nuclear_max_margin), (',
    ),
    (
        "12-factors-turn-to-nuclear",
        "the solution is that of the Frobenius norm",
        '("nuclear", nuclear_max_margin))',
        '("nuclear", frobenius_max_margin))',
    ),
    (
        "12-each-its-own-norm",
        "the programmes are asked for tokens that were not selected",
        "    selected = selection_weights(problem, W).argmax(-1)\n    return",
        "    selected = (selection_weights(problem, W).argmax(-1) + 1) % 8\n    return",
    ),
    (
        "12-penalty-matters",
        "both trainings go without a penalty",
        "query_start, record, penalty=tiny)",
        "query_start, record, penalty=0.0)",
    ),
    (
        "12-factors-have-low-rank",
        "the ranks are those before training",
        "numerical_rank(trained[way][-1], 0.03)",
        "numerical_rank(trained[way][0], 0.03)",
    ),
    (
        "12-softmax-saturates",
        "the weights are those after 20 steps",
        'final = trained["W"][-1]',
        'final = trained["W"][2]',
    ),
    (
        "12-selection-is-locally-optimal",
        "the scores forget the labels",
        "scores = token_scores(data)\n",
        "scores = token_scores(data) * data.labels[..., None]\n",
    ),
    (
        "12-global-grows-with-dimension",
        "every problem in which the weights settle counts as solved",
        "(settled & (chosen.indices == optimal_tokens(many)).all(-1))",
        "(settled)",
    ),
    (
        "12-wide-finds-the-optimum",
        "the optimal tokens are those of the opposite labels",
        "(chosen.indices == optimal_tokens(many))",
        "(chosen.indices == token_scores(many).argmin(-1))",
    ),
    (
        "12-feasible-is-not-found",
        "every problem in which the weights settle counts as solved",
        "(settled & (chosen.indices == optimal_tokens(many)).all(-1))",
        "(settled)",
    ),
    (
        "12-equal-scores-are-global",
        "the losers keep their scores",
        'for name, many in (("random", random_scores), ("equal", equal_scores)):',
        'for name, many in (("random", random_scores), ("equal", random_scores)):',
    ),
    (
        "12-self-attention-too",
        "the solution is that of the nuclear norm",
        "solve_for_selected(own_query, W, frobenius_max_margin)",
        "solve_for_selected(own_query, W, nuclear_max_margin)",
    ),
    (
        "12-frobenius-rank",
        "the ranks are those of the nuclear solutions",
        'mean_ranks["Frobenius"].items()',
        'mean_ranks["nuclear"].items()',
    ),
    (
        "12-nuclear-rank-stays",
        "the nuclear solution is solved for the Frobenius norm",
        "for each in constraints]",
        "for each in constraints for programme in [frobenius_max_margin]]",
    ),
]
