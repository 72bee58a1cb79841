"""Wrong answers to the exercises of chapter 2, each with the words that its verdict must say."""

WRONG = [
    (
        "2.1",
        "no tanh",
        "the tanh is missing",
        """
def additive_scores(queries, keys, A, B, w):
    return ((queries @ A)[:, None] + (keys @ B)[None]) @ w
exercises.check_additive_scores(additive_scores)
""",
    ),
    (
        "2.1",
        "hidden numbers summed, w unused",
        "weigh each with its number in w",
        """
def additive_scores(queries, keys, A, B, w):
    return torch.tanh((queries @ A)[:, None] + (keys @ B)[None]).sum(dim=-1)
exercises.check_additive_scores(additive_scores)
""",
    ),
    (
        "2.1",
        "tanh before query and key meet",
        "you took the tanh of each before they met",
        """
def additive_scores(queries, keys, A, B, w):
    return (torch.tanh(queries @ A)[:, None] + torch.tanh(keys @ B)[None]) @ w
exercises.check_additive_scores(additive_scores)
""",
    ),
    (
        "2.1",
        "query and key each through the whole network",
        "went through separate networks",
        """
def additive_scores(queries, keys, A, B, w):
    return torch.tanh(queries @ A @ w)[:, None] + torch.tanh(keys @ B @ w)[None]
exercises.check_additive_scores(additive_scores)
""",
    ),
    (
        "2.1",
        "w multiplied but not summed",
        "there are still p numbers for each pair",
        """
def additive_scores(queries, keys, A, B, w):
    return torch.tanh((queries @ A)[:, None] + (keys @ B)[None]) * w
exercises.check_additive_scores(additive_scores)
""",
    ),
    (
        "2.1",
        "transposed",
        "have a row for each key",
        """
def additive_scores(queries, keys, A, B, w):
    return torch.tanh((queries @ A)[None] + (keys @ B)[:, None]) @ w
exercises.check_additive_scores(additive_scores)
""",
    ),
    (
        "2.1",
        "softmax already taken",
        "these are weights already",
        """
def additive_scores(queries, keys, A, B, w):
    scores = torch.tanh((queries @ A)[:, None] + (keys @ B)[None]) @ w
    return scores.softmax(dim=-1)
exercises.check_additive_scores(additive_scores)
""",
    ),
    (
        "2.2",
        "the ordinary lookup",
        "the threshold has no effect",
        """
def lookup_or_default(queries, keys, values, default, threshold):
    return torch.softmax(queries @ keys.T, dim=-1) @ values
exercises.check_lookup_or_default(lookup_or_default)
""",
    ),
    (
        "2.2",
        "the threshold taken from all scores",
        "the threshold has no effect",
        """
def lookup_or_default(queries, keys, values, default, threshold):
    return torch.softmax(queries @ keys.T - threshold, dim=-1) @ values
exercises.check_lookup_or_default(lookup_or_default)
""",
    ),
    (
        "2.2",
        "the default forgotten in the average",
        "nothing stands in for the rest",
        """
def lookup_or_default(queries, keys, values, default, threshold):
    raised = torch.exp(queries @ keys.T)
    return raised @ values / (raised.sum(dim=-1, keepdim=True) + math.exp(threshold))
exercises.check_lookup_or_default(lookup_or_default)
""",
    ),
    (
        "2.2",
        "the default added to a whole answer",
        "you added the default to a whole answer",
        """
def lookup_or_default(queries, keys, values, default, threshold):
    scores = queries @ keys.T
    rest = 1 - torch.sigmoid(scores.logsumexp(dim=-1, keepdim=True) - threshold)
    return scores.softmax(dim=-1) @ values + rest * default
exercises.check_lookup_or_default(lookup_or_default)
""",
    ),
    (
        "2.2",
        "the threshold among the exponentials",
        "it is a score, so take its exponential",
        """
def lookup_or_default(queries, keys, values, default, threshold):
    raised = torch.exp(queries @ keys.T)
    total = raised.sum(dim=-1, keepdim=True) + threshold
    return (raised @ values + threshold * default) / total
exercises.check_lookup_or_default(lookup_or_default)
""",
    ),
    (
        "2.2",
        "a switch at the threshold",
        "a step, which has no slope",
        """
def lookup_or_default(queries, keys, values, default, threshold):
    scores = queries @ keys.T
    fits = (scores.amax(dim=-1) >= threshold)[:, None]
    return torch.where(fits, scores.softmax(dim=-1) @ values, default)
exercises.check_lookup_or_default(lookup_or_default)
""",
    ),
    (
        "2.2",
        "keys below the threshold hidden",
        "you hid the keys below the threshold",
        """
def lookup_or_default(queries, keys, values, default, threshold):
    scores = queries @ keys.T
    weights = scores.masked_fill(scores < threshold, float("-inf")).softmax(dim=-1)
    return torch.where(weights.isnan().any(dim=-1, keepdim=True), default, weights @ values)
exercises.check_lookup_or_default(lookup_or_default)
""",
    ),
    (
        "2.2",
        "softmax over the queries",
        "softmax runs over the queries",
        """
def lookup_or_default(queries, keys, values, default, threshold):
    scores = queries @ keys.T
    scores = torch.cat([scores, torch.full_like(scores[:, :1], threshold)], dim=1)
    return scores.softmax(dim=0) @ torch.cat([values, default[None]])
exercises.check_lookup_or_default(lookup_or_default)
""",
    ),
    (
        "2.2",
        "minus the threshold",
        "the threshold has the wrong sign",
        """
def lookup_or_default(queries, keys, values, default, threshold):
    scores = queries @ keys.T
    scores = torch.cat([scores, torch.full_like(scores[:, :1], -threshold)], dim=1)
    return scores.softmax(dim=-1) @ torch.cat([values, default[None]])
exercises.check_lookup_or_default(lookup_or_default)
""",
    ),
    (
        "2.2",
        "exponentials that overflow",
        "their exponential overflows",
        """
def lookup_or_default(queries, keys, values, default, threshold):
    raised = torch.exp(queries @ keys.T)
    beside = math.exp(threshold)
    return (raised @ values + beside * default) / (raised.sum(dim=-1, keepdim=True) + beside)
exercises.check_lookup_or_default(lookup_or_default)
""",
    ),
    (
        "2.2",
        "weights returned beside the answers",
        "returned a tuple",
        """
def lookup_or_default(queries, keys, values, default, threshold):
    scores = queries @ keys.T
    weights = torch.cat([scores, torch.full_like(scores[:, :1], threshold)], dim=1).softmax(-1)
    return weights @ torch.cat([values, default[None]]), weights
exercises.check_lookup_or_default(lookup_or_default)
""",
    ),
    (
        "2.3",
        "as it was given",
        "the gradient reaches the values alone",
        """
def mended_lookup(queries, keys, values, temperature):
    scores = torch.zeros(len(queries), len(keys), dtype=queries.dtype)
    for i, query in enumerate(queries):
        for j, key in enumerate(keys):
            scores[i, j] = float(query @ key)
    return torch.softmax(scores / temperature, dim=-1) @ values
exercises.check_mended_lookup(mended_lookup)
""",
    ),
    (
        "2.3",
        "a new leaf, which may learn but comes from nowhere",
        "the gradient reaches the values alone",
        """
def mended_lookup(queries, keys, values, temperature):
    scores = [[float(query @ key) for key in keys] for query in queries]
    scores = torch.tensor(scores, dtype=queries.dtype, requires_grad=True)
    return torch.softmax(scores / temperature, dim=-1) @ values
exercises.check_mended_lookup(mended_lookup)
""",
    ),
    (
        "2.3",
        "the keys still cut",
        "no gradient reaches the keys",
        """
def mended_lookup(queries, keys, values, temperature):
    scores = queries @ keys.detach().T
    return torch.softmax(scores / temperature, dim=-1) @ values
exercises.check_mended_lookup(mended_lookup)
""",
    ),
    (
        "2.3",
        "all of it cut",
        "no gradient leaves your answers at all",
        """
def mended_lookup(queries, keys, values, temperature):
    with torch.no_grad():
        return torch.softmax(queries @ keys.T / temperature, dim=-1) @ values
exercises.check_mended_lookup(mended_lookup)
""",
    ),
    (
        "2.3",
        "the values cut in exchange",
        "no gradient reaches the values",
        """
def mended_lookup(queries, keys, values, temperature):
    return torch.softmax(queries @ keys.T / temperature, dim=-1) @ values.data
exercises.check_mended_lookup(mended_lookup)
""",
    ),
    (
        "2.3",
        "a gradient for the best key alone",
        "but not all of it",
        """
def mended_lookup(queries, keys, values, temperature):
    scores = queries @ keys.T
    best = scores == scores.amax(dim=-1, keepdim=True)
    scores = torch.where(best, scores, scores.detach())
    return torch.softmax(scores / temperature, dim=-1) @ values
exercises.check_mended_lookup(mended_lookup)
""",
    ),
    (
        "2.3",
        "the temperature lost on the way",
        "the temperature is lost",
        """
def mended_lookup(queries, keys, values, temperature):
    return torch.softmax(queries @ keys.T, dim=-1) @ values
exercises.check_mended_lookup(mended_lookup)
""",
    ),
    (
        "2.3",
        "scaled too",
        "you divided by √d too",
        """
def mended_lookup(queries, keys, values, temperature):
    scores = queries @ keys.T / math.sqrt(keys.size(-1))
    return torch.softmax(scores / temperature, dim=-1) @ values
exercises.check_mended_lookup(mended_lookup)
""",
    ),
    (
        "2.3",
        "softmax over the other axis",
        "softmax runs over the queries now",
        """
def mended_lookup(queries, keys, values, temperature):
    return torch.softmax(queries @ keys.T / temperature, dim=0) @ values
exercises.check_mended_lookup(mended_lookup)
""",
    ),
    (
        "2.3",
        "the hard lookup",
        "you return the best key's value alone",
        """
def mended_lookup(queries, keys, values, temperature):
    return values[(queries @ keys.T).argmax(dim=-1)]
exercises.check_mended_lookup(mended_lookup)
""",
    ),
    (
        "2.3",
        "scores multiplied by the temperature",
        "you multiply the scores by the temperature",
        """
def mended_lookup(queries, keys, values, temperature):
    return torch.softmax(queries @ keys.T * temperature, dim=-1) @ values
exercises.check_mended_lookup(mended_lookup)
""",
    ),
    (
        "2.4",
        "a column",
        "your bias is a column",
        """
def gaussian_bias(keys):
    return -keys.square().sum(dim=-1, keepdim=True) / (2 * math.sqrt(keys.size(-1)))
exercises.check_gaussian_bias(gaussian_bias)
""",
    ),
    (
        "2.4",
        "plus in place of minus",
        "the sign is wrong",
        """
def gaussian_bias(keys):
    return keys.square().sum(dim=-1) / (2 * math.sqrt(keys.size(-1)))
exercises.check_gaussian_bias(gaussian_bias)
""",
    ),
    (
        "2.4",
        "the half forgotten",
        "the 2 in the denominator is missing",
        """
def gaussian_bias(keys):
    return -keys.square().sum(dim=-1) / math.sqrt(keys.size(-1))
exercises.check_gaussian_bias(gaussian_bias)
""",
    ),
    (
        "2.4",
        "bias not scaled",
        "the √d is missing",
        """
def gaussian_bias(keys):
    return -keys.square().sum(dim=-1) / 2
exercises.check_gaussian_bias(gaussian_bias)
""",
    ),
    (
        "2.4",
        "d in place of √d",
        "you divided by d where the kernel has √d",
        """
def gaussian_bias(keys):
    return -keys.square().sum(dim=-1) / (2 * keys.size(-1))
exercises.check_gaussian_bias(gaussian_bias)
""",
    ),
    (
        "2.4",
        "length, not squared",
        "you took the length of each key",
        """
def gaussian_bias(keys):
    return -keys.norm(dim=-1) / (2 * math.sqrt(keys.size(-1)))
exercises.check_gaussian_bias(gaussian_bias)
""",
    ),
    (
        "2.4",
        "mean of squares",
        "you averaged the squares",
        """
def gaussian_bias(keys):
    return -keys.square().mean(dim=-1) / (2 * math.sqrt(keys.size(-1)))
exercises.check_gaussian_bias(gaussian_bias)
""",
    ),
    (
        "2.4",
        "numbers summed without squaring",
        "without squaring them",
        """
def gaussian_bias(keys):
    return -keys.sum(dim=-1) / (2 * math.sqrt(keys.size(-1)))
exercises.check_gaussian_bias(gaussian_bias)
""",
    ),
    (
        "2.4",
        "the sum squared, not the numbers",
        "sum of each key's numbers",
        """
def gaussian_bias(keys):
    return -keys.sum(dim=-1).square() / (2 * math.sqrt(keys.size(-1)))
exercises.check_gaussian_bias(gaussian_bias)
""",
    ),
    (
        "2.4",
        "the factor, and not its logarithm",
        "it is its logarithm",
        """
def gaussian_bias(keys):
    return torch.exp(-keys.square().sum(dim=-1) / (2 * math.sqrt(keys.size(-1))))
exercises.check_gaussian_bias(gaussian_bias)
""",
    ),
    (
        "2.4",
        "the number of keys for the width",
        "you took √m",
        """
def gaussian_bias(keys):
    return -keys.square().sum(dim=-1) / (2 * math.sqrt(keys.size(0)))
exercises.check_gaussian_bias(gaussian_bias)
""",
    ),
    (
        "2.4",
        "the 2 within the root",
        "stands outside of the root",
        """
def gaussian_bias(keys):
    return -keys.square().sum(dim=-1) / math.sqrt(2 * keys.size(-1))
exercises.check_gaussian_bias(gaussian_bias)
""",
    ),
    (
        "2.4",
        "the 2 on the wrong side",
        "you multiplied by the 2",
        """
def gaussian_bias(keys):
    return -2 * keys.square().sum(dim=-1) / math.sqrt(keys.size(-1))
exercises.check_gaussian_bias(gaussian_bias)
""",
    ),
    (
        "2.5",
        "compares with the library, and refuses every other score",
        "refuses what is right: a Gaussian kernel",
        """
def reports_honestly(look_up):
    query, key, value = torch.randn(3, 7, 5)
    answers, _ = look_up(query, key, value)
    return torch.allclose(answers, attention(query, key, value)[0], atol=1e-5)
exercises.check_reports_honestly(reports_honestly)
""",
    ),
    (
        "2.5",
        "asks for a distribution only",
        "impostors through: it reports its weights one place late",
        """
def reports_honestly(look_up):
    _, weights = look_up(*torch.randn(3, 7, 5))
    return bool((weights >= 0).all()) and torch.allclose(weights.sum(-1), torch.ones(7))
exercises.check_reports_honestly(reports_honestly)
""",
    ),
    (
        "2.5",
        "asks for equal bits",
        "attention that adds up in another order",
        """
def reports_honestly(look_up):
    query, key = torch.randn(2, 7, 5)
    value = torch.randn(7, 3)
    answers, weights = look_up(query, key, value)
    return torch.equal(weights @ value, answers)
exercises.check_reports_honestly(reports_honestly)
""",
    ),
    (
        "2.5",
        "asks whether a difference is large",
        "comparison with NaN is always False",
        """
def reports_honestly(look_up):
    for n_entries, width in ((5, 4), (23, 6), (9, 2)):
        query, key = torch.randn(9, width), torch.randn(n_entries, width)
        value = torch.randn(n_entries, 6)
        answers, weights = look_up(query, key, value)
        if (weights @ value - answers).abs().max() > 1e-4:
            return False
    return True
exercises.check_reports_honestly(reports_honestly)
""",
    ),
    (
        "2.5",
        "asks one query alone",
        "it reports the first query's weights for all queries",
        """
def reports_honestly(look_up):
    query, key, value = torch.randn(1, 5), torch.randn(11, 5), torch.randn(11, 5)
    answers, weights = look_up(query, key, value)
    return torch.allclose(weights @ value, answers, atol=1e-5)
exercises.check_reports_honestly(reports_honestly)
""",
    ),
    (
        "2.5",
        "asks with positive values alone",
        "it takes negative values for zero",
        """
def reports_honestly(look_up):
    query, key, value = torch.randn(7, 5), torch.randn(11, 5), torch.rand(11, 5)
    answers, weights = look_up(query, key, value)
    return torch.allclose(weights @ value, answers, atol=1e-5)
exercises.check_reports_honestly(reports_honestly)
""",
    ),
    (
        "2.5",
        "never makes values as wide as keys",
        "it hands out keys where values have the keys' width",
        """
def reports_honestly(look_up):
    query, key, value = torch.randn(7, 5), torch.randn(11, 5), torch.randn(11, 3)
    answers, weights = look_up(query, key, value)
    return torch.allclose(weights @ value, answers, atol=1e-5)
exercises.check_reports_honestly(reports_honestly)
""",
    ),
    (
        "2.5",
        "never has more than eight entries",
        "it reads eight entries at most",
        """
def reports_honestly(look_up):
    query, key, value = torch.randn(3, 7, 5)
    answers, weights = look_up(query, key, value)
    return torch.allclose(weights @ value, answers, atol=1e-5)
exercises.check_reports_honestly(reports_honestly)
""",
    ),
    (
        "2.5",
        "a tolerance as wide as the mistakes",
        "it mixes a hundredth of the plain average",
        """
def reports_honestly(look_up):
    query, key, value = torch.randn(7, 5), torch.randn(11, 5), torch.randn(11, 5)
    answers, weights = look_up(query, key, value)
    return bool((weights @ value - answers).abs().max() < 0.1)
exercises.check_reports_honestly(reports_honestly)
""",
    ),
    (
        "2.5",
        "True and False the other way round",
        "says the opposite",
        """
def reports_honestly(look_up):
    query, key, value = torch.randn(7, 5), torch.randn(11, 5), torch.randn(11, 5)
    answers, weights = look_up(query, key, value)
    return not torch.allclose(weights @ value, answers, atol=1e-5)
exercises.check_reports_honestly(reports_honestly)
""",
    ),
    (
        "2.2",
        "the best score alone against the threshold",
        "you set the best score alone",
        """
def lookup_or_default(queries, keys, values, default, threshold):
    scores = queries @ keys.T
    found = scores.softmax(dim=-1) @ values
    gate = torch.sigmoid(scores.max(dim=-1, keepdim=True).values - threshold)
    return gate * found + (1 - gate) * default

exercises.check_lookup_or_default(lookup_or_default)
""",
    ),
    (
        "2.2",
        "the default in full, beside what the keys have",
        "stands in each answer in full",
        """
def lookup_or_default(queries, keys, values, default, threshold):
    scores = queries @ keys.T
    extra = torch.full((len(queries), 1), float(threshold), dtype=scores.dtype)
    weights = torch.cat([scores, extra], dim=1).softmax(dim=1)
    return weights[:, :-1] @ values + default

exercises.check_lookup_or_default(lookup_or_default)
""",
    ),
    (
        "2.2",
        "first among the scores, last among the values",
        "meets another entry's value",
        """
def lookup_or_default(queries, keys, values, default, threshold):
    scores = queries @ keys.T
    extra = torch.full((len(queries), 1), float(threshold), dtype=scores.dtype)
    weights = torch.cat([extra, scores], dim=1).softmax(dim=1)
    return weights @ torch.cat([values, default[None]])

exercises.check_lookup_or_default(lookup_or_default)
""",
    ),
    (
        "2.1",
        "a product where the two are to be added",
        "the projections are multiplied where they meet",
        """
def additive_scores(queries, keys, A, B, w):
    return torch.tanh((queries @ A)[:, None] * (keys @ B)[None]) @ w
exercises.check_additive_scores(additive_scores)
""",
    ),
    (
        "2.1",
        "a difference, averaged",
        "there are two mistakes. You take one projection from the other",
        """
def additive_scores(queries, keys, A, B, w):
    return (torch.tanh((queries @ A)[:, None] - (keys @ B)[None]) * w).mean(dim=-1)
exercises.check_additive_scores(additive_scores)
""",
    ),
    (
        "2.2",
        "scaled",
        "you divided the scores by √d",
        """
def lookup_or_default(queries, keys, values, default, threshold):
    scores = queries @ keys.T / keys.size(-1) ** 0.5
    beside = torch.full((len(queries), 1), threshold, dtype=scores.dtype)
    weights = torch.cat([scores, beside], dim=1).softmax(dim=-1)
    return weights @ torch.cat([values, default[None]])
exercises.check_lookup_or_default(lookup_or_default)
""",
    ),
    (
        "2.2",
        "an entry for each key",
        "you added an entry for each key",
        """
def lookup_or_default(queries, keys, values, default, threshold):
    scores = queries @ keys.T
    weights = torch.cat([scores, torch.full_like(scores, threshold)], dim=1).softmax(dim=-1)
    return weights @ torch.cat([values, default.expand_as(values)])
exercises.check_lookup_or_default(lookup_or_default)
""",
    ),
    (
        "2.3",
        "the softmax of unit queries",
        "you made the queries' length one",
        """
def mended_lookup(queries, keys, values, temperature):
    asked = F.normalize(queries, dim=-1)
    return torch.softmax(asked @ keys.T / temperature, dim=-1) @ values
exercises.check_mended_lookup(mended_lookup)
""",
    ),
    (
        "2.4",
        "two mistakes at once",
        "there are two mistakes. The sign is wrong",
        """
def gaussian_bias(keys):
    return keys.square().sum(dim=-1) / 2
exercises.check_gaussian_bias(gaussian_bias)
""",
    ),
    (
        "2.4",
        "the same for all keys",
        "which the softmax does not see",
        """
def gaussian_bias(keys):
    return torch.zeros(len(keys), dtype=keys.dtype)
exercises.check_gaussian_bias(gaussian_bias)
""",
    ),
    (
        "2.5",
        "compares means",
        "so that the mean of all answers stays",
        """
def reports_honestly(look_up):
    query, key, value = torch.randn(9, 4), torch.randn(20, 4), torch.randn(20, 4)
    found, weights = look_up(query, key, value)
    return bool((weights @ value - found).mean().abs() < 1e-4)
exercises.check_reports_honestly(reports_honestly)
""",
    ),
]

ALSO_RIGHT = [
    (
        "2.1",
        "two loops",
        """
def additive_scores(queries, keys, A, B, w):
    scores = torch.zeros(len(queries), len(keys), dtype=queries.dtype)
    for i, query in enumerate(queries):
        for j, key in enumerate(keys):
            scores[i, j] = w.dot(torch.tanh(query @ A + key @ B))
    return scores
exercises.check_additive_scores(additive_scores)
""",
    ),
    (
        "2.2",
        "the keys' share as a sigmoid",
        """
def lookup_or_default(queries, keys, values, default, threshold):
    scores = queries @ keys.T
    share = torch.sigmoid(scores.logsumexp(dim=-1, keepdim=True) - threshold)
    return share * (scores.softmax(dim=-1) @ values) + (1 - share) * default
exercises.check_lookup_or_default(lookup_or_default)
""",
    ),
    (
        "2.3",
        "the loops kept, without float",
        """
def mended_lookup(queries, keys, values, temperature):
    scores = torch.zeros(len(queries), len(keys), dtype=queries.dtype)
    for i, query in enumerate(queries):
        for j, key in enumerate(keys):
            scores[i, j] = query @ key
    return torch.softmax(scores / temperature, dim=-1) @ values
exercises.check_mended_lookup(mended_lookup)
""",
    ),
    (
        "2.3",
        "einsum",
        """
def mended_lookup(queries, keys, values, temperature):
    scores = torch.einsum("qd,kd->qk", queries, keys) / temperature
    return torch.einsum("qk,kv->qv", scores.softmax(dim=-1), values)
exercises.check_mended_lookup(mended_lookup)
""",
    ),
    (
        "2.4",
        "up to a constant, which the softmax does not see, and as a row",
        """
def gaussian_bias(keys):
    return (3 - 0.5 * torch.einsum("kd,kd->k", keys, keys) / keys.shape[1] ** 0.5)[None]
exercises.check_gaussian_bias(gaussian_bias)
""",
    ),
    (
        "2.4",
        "the logarithm of the kernel at a query of zeros, less its mean",
        """
def gaussian_bias(keys):
    root = keys.size(-1) ** 0.5
    bias = torch.stack([torch.exp(-(key @ key) / (2 * root)).log() for key in keys])
    return bias - bias.mean()
exercises.check_gaussian_bias(gaussian_bias)
""",
    ),
    (
        "2.5",
        "values moved one by one, as a derivative",
        """
def reports_honestly(look_up):
    query, key = torch.randn(4, 9), torch.randn(12, 9)
    value = torch.randn(12, 9)
    answers, weights = look_up(query, key, value)
    if not (answers - torch.einsum("qk,kv->qv", weights, value)).abs().max() < 1e-4:
        return False
    for entry in range(12):
        moved = value.clone()
        moved[entry] -= 3.0
        change = look_up(query, key, moved)[0] - answers
        if (change + 3.0 * weights[:, entry, None]).abs().max() > 1e-4:
            return False
    return True
exercises.check_reports_honestly(reports_honestly)
""",
    ),
]
