"""Mistakes to which the claims of chapter 18 fall."""

PLANTED = [
    (
        "18-four-numbers-a-parameter",
        "the optimiser's two averages are counted as one",
        "abs(alone[0].held.total - training_bytes(n_parameters, torch.float64))",
        "abs(alone[0].held.total - 3 * 8 * n_parameters)",
    ),
    (
        "18-six-n-d",
        "the table of tokens is counted as a product",
        'if weight.dim() == 2 and name != "embedding.table"',
        "if weight.dim() == 2",
    ),
    (
        "18-data-parallel-is-one-process",
        "what trained on the same rows on each worker is measured for torch's wrapper",
        'apart(by_data["by hand"]) + apart(by_data["by torch"])',
        'apart(by_data["by hand"]) + apart(by_data["the same rows for everyone"])',
    ),
    (
        "18-loss-hardly-tells",
        "the workers learn nothing at all",
        'off(by_data["the average forgotten"]),',
        "half_rate,",
    ),
    (
        "18-ring-adds-up",
        "the ring is held against what its workers began with",
        'by_worker["ring by hand"][1] - by_worker["torch\'s all-reduce"][1]',
        'by_worker["ring by hand"][1] - by_worker["torch\'s reduce-scatter"][1]',
    ),
    (
        "18-ring-bytes",
        "torch is counted by what everyone sends to everyone",
        'over_formula("ring by hand") + over_formula("torch\'s all-reduce")',
        'over_formula("ring by hand") + over_formula("everyone to everyone")',
    ),
    (
        "18-shards-hold-their-part",
        "what is measured was not sharded",
        '[4 * each for each in held_part(by_shards["sharded"])]',
        '[4 * each for each in held_part(by_data["by hand"])]',
    ),
    (
        "18-sharding-sends-more",
        "the model is not sharded, and its gradients are averaged once",
        'shard_costs = sent_for_each_weight(by_shards["sharded"])',
        'shard_costs = sent_for_each_weight(by_data["by torch"])',
    ),
    (
        "18-gloo-scatters-by-all-reduce",
        "the bytes of half an all-reduce are counted",
        'sent_by["torch\'s reduce-scatter"][crowd] / gather_bytes(S, crowd)',
        'sent_by["torch\'s all-reduce"][crowd] / 2 / gather_bytes(S, crowd)',
    ),
    (
        "18-columns-then-rows",
        "the second matrix is cut by other rows",
        "zip(a.chunk(2, dim=1), b.chunk(2, dim=0), strict=True)",
        "zip(a.chunk(2, dim=1), b.flip(0).chunk(2, dim=0), strict=True)",
    ),
    (
        "18-streams-not-weights",
        "the batch is shared and the products are not",
        '    fallen["tensor parallel"],',
        '    fallen["data parallel"],',
    ),
    (
        "18-weights-not-streams",
        "the products are shared and the batch is not",
        '    grown["data parallel"],',
        '    grown["tensor parallel"],',
    ),
    (
        "18-idle-formula",
        "the orders of fewer stages are laid out",
        "tables = {which: schedules.timetable(order) for which, order in orders.items()}",
        "tables = {which: schedules.timetable(order[-1:]) for which, order in orders.items()}",
    ),
    (
        "18-same-idle-share",
        "1F1B has twice as many micro-batches",
        'float(idle["GPipe", count] - idle["1F1B", count]) for count in COUNTS',
        'float(idle["GPipe", 4] - idle["1F1B", 8]) for count in COUNTS',
    ),
    (
        "18-fewer-activations",
        "what did all forward passes first is counted for 1F1B",
        '    kept["1F1B", 8],\n    "<="',
        '    kept["GPipe", 8],\n    "<="',
    ),
    (
        "18-every-kind-is-one-process",
        "the shards hear nothing of each other's gradients",
        'apart(by_shards["sharded"], alone_short)',
        'apart(by_data["the average forgotten"], alone)',
    ),
    (
        "18-small-updates-vanish",
        "the sums of weight and update are those of float32",
        'missed["bfloat16 sums"] + missed["bfloat16 throughout"]',
        'missed["bfloat16 products"] + missed["bfloat16 throughout"]',
    ),
    (
        "18-resumed-is-uninterrupted",
        "the resumed run forgets its optimiser",
        '[off_by["two workers again"], off_by["one process"]]',
        '[off_by["two workers again"], off_by["one process, the weights alone"]]',
    ),
    (
        "18-law-misses",
        "the gain is counted over a smaller size than the largest fitted one",
        "means[-1] - came,",
        "means[-2] - came,",
    ),
    (
        "18-interval-decides",
        "the three losses of each size are drawn anew for both intervals",
        "for draw_means in (resampled_means, pooled_means)",
        "for draw_means in (resampled_means, resampled_means)",
    ),
]
