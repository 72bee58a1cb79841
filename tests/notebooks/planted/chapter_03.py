"""Mistakes to which the claims of chapter 3 fall."""

PLANTED = [
    (
        "3-picking-is-a-product",
        "the ones stand one place too early",
        "one_hot = F.one_hot(sentence, num_classes",
        "one_hot = F.one_hot(sentence - 1, num_classes",
    ),
    (
        "3-nearest-of-own-kind",
        "the words are given each other's vectors",
        "vectors = word_vectors(names)",
        "vectors = word_vectors(sorted(names))",
    ),
    (
        "3-map-misplaces-neighbours",
        "the map is drawn in twelve directions",
        "places = centred @ directions[:n_directions].T",
        "places = centred @ directions[: max(n_directions, 12)].T",
    ),
    (
        "3-similarity-finds-itself",
        "the queries point the other way",
        "_, itself = attention(fluffy, fluffy, fluffy)",
        "_, itself = attention(-fluffy, fluffy, fluffy)",
    ),
    (
        "3-head-finds-the-thing",
        "nothing is asked: every query is zero",
        "[meant_share(mix, p, split_pairs(seed)[part]) for",
        '[meant_share(mix, {**p, "W_Q": 0 * p["W_Q"]}, split_pairs(seed)[part]) for',
    ),
    (
        "3-a-wide-bag-finds-it",
        "the bag is read without the words that it gathered",
        "[meant_share(mix, p, split_pairs(seed)[part]) for",
        '[meant_share(mix, {**p, "W_V": 0 * p["W_V"]}, split_pairs(seed)[part]) for',
    ),
    (
        "3-pronoun-looks-at-its-thing",
        "a token asks with its own label, and finds itself",
        'return x @ p["W_Q"], x @ p["W_K"]',
        'return x @ p["W_K"], x @ p["W_K"]',
    ),
    (
        "3-its-thing-is-needed",
        "no weight is taken away",
        "F.normalize(looked * ~which, p=1, dim=1)",
        "F.normalize(looked * (which >= 0), p=1, dim=1)",
    ),
    (
        "3-weights-follow-the-input",
        "the second sentence is never read",
        'x = p["table"][pronouns.encode(text)]',
        'x = p["table"][pronouns.encode(ROBOTS_SENTENCE)]',
    ),
    (
        "3-four-ways-agree",
        "the scores are scaled by the width of the values",
        "math.sqrt(K.size(-1))",
        "math.sqrt(V.size(-1))",
    ),
    (
        "3-four-ways-agree",
        "softmax runs over the queries",
        "weights = torch.softmax(scores, dim=-1)\n    return weights @ V",
        "weights = torch.softmax(scores, dim=-2)\n    return weights @ V",
    ),
    (
        "3-columns-agree",
        "softmax runs along the rows of the scores in columns",
        "upright = V @ torch.softmax(K.T @ Q / math.sqrt(d_k), dim=0)",
        "upright = V @ torch.softmax(K.T @ Q / math.sqrt(d_k), dim=1)",
    ),
    (
        "3-columns-agree",
        "queries and keys change places, as on the printed slide",
        "upright = V @ torch.softmax(K.T @ Q / math.sqrt(d_k), dim=0)",
        "upright = V @ torch.softmax(Q.T @ K / math.sqrt(d_k), dim=0)",
    ),
    (
        "3-scores-have-rank-d-k",
        "the weights are measured, not the scores",
        "svdvals(scores)",
        "svdvals(weights)",
    ),
    (
        "3-trained-table-needs-no-matrices",
        "the words are read from a table that nobody trained",
        "exam_of(kinds_of_tables[name][0], trained)",
        "exam_of(\n"
        "    kinds_of_tables[name][0],\n"
        '    {seed: {**p, "table": 0.3 * torch.randn_like(p["table"])} for seed, p in '
        "trained.items()},\n"
        ")",
    ),
    (
        "3-given-table-and-a-map",
        "nothing is asked: every query is zero",
        "exam_of(kinds_of_tables[name][0], trained)",
        "exam_of(\n"
        "    kinds_of_tables[name][0],\n"
        '    {seed: {**p, "W_Q": 0 * p["W_Q"]} for seed, p in trained.items()},\n'
        ")",
    ),
    (
        "3-trained-table-looks",
        "the keys are those of a table that nobody trained",
        "lambda p, x: (shape(x), shape(x))",
        "lambda p, x: (shape(x), shape(torch.randn_like(x)))",
    ),
    (
        "3-start-decides-what-carries-over",
        "the similarity from which the layers started is taken away from what they learned",
        "finds_capital((everyone @ W_Q) @ (everyone @ W_K).T, unseen)",
        "finds_capital((everyone @ W_Q) @ (everyone @ W_K).T - everyone @ everyone.T, unseen)",
    ),
    (
        "3-an-offset-finds-the-capitals",
        "the step leads back, from the capitals to the countries",
        "(capitals[seen] - countries[seen]).mean(0)",
        "(countries[seen] - capitals[seen]).mean(0)",
    ),
    (
        "3-equivariant",
        "the tokens are told their places",
        "shuffled = self_attention(X[order], W_Q, W_K, W_V)",
        "shuffled = self_attention(X[order] + torch.arange(n)[:, None], W_Q, W_K, W_V)",
    ),
    (
        "3-shared-map-carries-words-to-new-places",
        "each place reads its word through a map of its own",
        "meant_share(mix, p, halves.flip(1))",
        "meant_share(\n"
        "    lambda p, x: mix(p, x * torch.arange(-3, 5)[:, None]), p, halves.flip(1)\n"
        ")",
    ),
    (
        "3-loops-count-what-torch-counts",
        "a dot product is counted as one multiplication",
        "multiplications += len(left)",
        "multiplications += 1",
    ),
    (
        "3-cost-is-the-formula",
        "only the first 64 tokens are read",
        "everything = counted(lambda: self_attention(tokens, *matrices))",
        "everything = counted(lambda: self_attention(tokens[:64], *matrices))",
    ),
    (
        "3-sentences-keep-apart",
        "batch and length are exchanged",
        "right = difference(along(changed)[0]",
        "right = difference(across(changed)[0]",
    ),
]
