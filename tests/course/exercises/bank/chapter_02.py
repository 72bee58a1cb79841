"""Wrong answers to the exercises of chapter 2, each with the words that its verdict must say."""

WRONG = [
    (
        "2.1",
        "softmax over the queries",
        "softmax runs over the wrong axis",
        """
def soft_lookup(queries, keys, values, temperature):
    return torch.softmax(queries @ keys.T / temperature, dim=0) @ values
exercises.check_soft_lookup(soft_lookup)
""",
    ),
    (
        "2.1",
        "temperature multiplied",
        "so that hot is sharp",
        """
def soft_lookup(queries, keys, values, temperature):
    return torch.softmax(queries @ keys.T * temperature, dim=-1) @ values
exercises.check_soft_lookup(soft_lookup)
""",
    ),
    (
        "2.1",
        "temperature forgotten",
        "do not depend on the temperature",
        """
def soft_lookup(queries, keys, values, temperature):
    return torch.softmax(queries @ keys.T, dim=-1) @ values
exercises.check_soft_lookup(soft_lookup)
""",
    ),
    (
        "2.1",
        "scores divided by their sum, without the exponential",
        "you divided the scores by their sum",
        """
def soft_lookup(queries, keys, values, temperature):
    scores = queries @ keys.T / temperature
    return scores / scores.sum(dim=-1, keepdim=True) @ values
exercises.check_soft_lookup(soft_lookup)
""",
    ),
    (
        "2.1",
        "the best key only",
        "that is the hard lookup",
        """
def soft_lookup(queries, keys, values, temperature):
    return values[(queries @ keys.T).argmax(dim=-1)]
exercises.check_soft_lookup(soft_lookup)
""",
    ),
    (
        "2.1",
        "exponentials not divided by their sum",
        "your weights do not add up to one",
        """
def soft_lookup(queries, keys, values, temperature):
    return torch.exp(queries @ keys.T / temperature) @ values
exercises.check_soft_lookup(soft_lookup)
""",
    ),
    (
        "2.1",
        "keys averaged in place of values",
        "(7, 3) is expected",
        """
def soft_lookup(queries, keys, values, temperature):
    return torch.softmax(queries @ keys.T / temperature, dim=-1) @ keys
exercises.check_soft_lookup(soft_lookup)
""",
    ),
    (
        "2.1",
        "weights returned beside the answers",
        "returned a tuple",
        """
def soft_lookup(queries, keys, values, temperature):
    weights = torch.softmax(queries @ keys.T / temperature, dim=-1)
    return weights @ values, weights
exercises.check_soft_lookup(soft_lookup)
""",
    ),
    (
        "2.2",
        "no tanh",
        "the tanh is missing",
        """
def additive_scores(queries, keys, A, B, w):
    return ((queries @ A)[:, None] + (keys @ B)[None]) @ w
exercises.check_additive_scores(additive_scores)
""",
    ),
    (
        "2.2",
        "hidden numbers summed, w unused",
        "weigh each with its number in w",
        """
def additive_scores(queries, keys, A, B, w):
    return torch.tanh((queries @ A)[:, None] + (keys @ B)[None]).sum(dim=-1)
exercises.check_additive_scores(additive_scores)
""",
    ),
    (
        "2.2",
        "tanh before query and key meet",
        "you took the tanh of each before they met",
        """
def additive_scores(queries, keys, A, B, w):
    return (torch.tanh(queries @ A)[:, None] + torch.tanh(keys @ B)[None]) @ w
exercises.check_additive_scores(additive_scores)
""",
    ),
    (
        "2.2",
        "query and key each through the whole network",
        "went through separate networks",
        """
def additive_scores(queries, keys, A, B, w):
    return torch.tanh(queries @ A @ w)[:, None] + torch.tanh(keys @ B @ w)[None]
exercises.check_additive_scores(additive_scores)
""",
    ),
    (
        "2.2",
        "w multiplied but not summed",
        "there are still p numbers for each pair",
        """
def additive_scores(queries, keys, A, B, w):
    return torch.tanh((queries @ A)[:, None] + (keys @ B)[None]) * w
exercises.check_additive_scores(additive_scores)
""",
    ),
    (
        "2.2",
        "transposed",
        "have a row for each key",
        """
def additive_scores(queries, keys, A, B, w):
    return torch.tanh((queries @ A)[None] + (keys @ B)[:, None]) @ w
exercises.check_additive_scores(additive_scores)
""",
    ),
    (
        "2.2",
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
        "2.3",
        "the root of the number of queries",
        "root of the number of queries",
        """
def scaled_dot_product_attention(query, key, value):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-2))
    return scores.softmax(-1) @ value
exercises.check_scaled_dot_product(scaled_dot_product_attention)
""",
    ),
    (
        "2.3",
        "the root of the number of heads",
        "root of the number of heads",
        """
def scaled_dot_product_attention(query, key, value):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(1))
    return scores.softmax(-1) @ value
exercises.check_scaled_dot_product(scaled_dot_product_attention)
""",
    ),
    (
        "2.3",
        "axes counted from the front",
        "with 0 your code raises",
        """
def scaled_dot_product_attention(query, key, value):
    scores = query @ key.transpose(2, 3) / math.sqrt(query.size(3))
    return scores.softmax(3) @ value
exercises.check_scaled_dot_product(scaled_dot_product_attention)
""",
    ),
    (
        "2.3",
        "four axes, and no other number",
        "with 0 your code raises",
        """
def scaled_dot_product_attention(query, key, value):
    scores = torch.einsum("bhqd,bhkd->bhqk", query, key) / math.sqrt(query.size(-1))
    return torch.einsum("bhqk,bhkv->bhqv", scores.softmax(-1), value)
exercises.check_scaled_dot_product(scaled_dot_product_attention)
""",
    ),
    (
        "2.3",
        "no scale",
        "the division by √d is missing",
        """
def scaled_dot_product_attention(query, key, value):
    return torch.softmax(query @ key.transpose(-2, -1), dim=-1) @ value
exercises.check_scaled_dot_product(scaled_dot_product_attention)
""",
    ),
    (
        "2.3",
        "divided by d",
        "you divided by d; the spread",
        """
def scaled_dot_product_attention(query, key, value):
    return torch.softmax(query @ key.transpose(-2, -1) / query.size(-1), dim=-1) @ value
exercises.check_scaled_dot_product(scaled_dot_product_attention)
""",
    ),
    (
        "2.3",
        "multiplied by √d",
        "you multiplied by √d",
        """
def scaled_dot_product_attention(query, key, value):
    scores = query @ key.transpose(-2, -1) * math.sqrt(query.size(-1))
    return torch.softmax(scores, dim=-1) @ value
exercises.check_scaled_dot_product(scaled_dot_product_attention)
""",
    ),
    (
        "2.3",
        "root of the number of keys",
        "root of the number of keys",
        """
def scaled_dot_product_attention(query, key, value):
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.size(-2))
    return torch.softmax(scores, dim=-1) @ value
exercises.check_scaled_dot_product(scaled_dot_product_attention)
""",
    ),
    (
        "2.3",
        "root of the values' width",
        "root of the values' width",
        """
def scaled_dot_product_attention(query, key, value):
    scores = query @ key.transpose(-2, -1) / math.sqrt(value.size(-1))
    return torch.softmax(scores, dim=-1) @ value
exercises.check_scaled_dot_product(scaled_dot_product_attention)
""",
    ),
    (
        "2.3",
        "√d_model in place of √d_head",
        "you divided by √d_model",
        """
def scaled_dot_product_attention(query, key, value):
    d_model = query.size(1) * query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_model)
    return torch.softmax(scores, dim=-1) @ value
exercises.check_scaled_dot_product(scaled_dot_product_attention)
""",
    ),
    (
        "2.3",
        "weights scaled after the softmax",
        "you scaled the weights, after the softmax",
        """
def scaled_dot_product_attention(query, key, value):
    weights = torch.softmax(query @ key.transpose(-2, -1), dim=-1)
    return weights / math.sqrt(query.size(-1)) @ value
exercises.check_scaled_dot_product(scaled_dot_product_attention)
""",
    ),
    (
        "2.3",
        "softmax over the queries",
        "softmax runs over the queries",
        """
def scaled_dot_product_attention(query, key, value):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    return torch.softmax(scores, dim=-2) @ value
exercises.check_scaled_dot_product(scaled_dot_product_attention)
""",
    ),
    (
        "2.3",
        "softmax over axis 1, right for one matrix a batch and wrong with heads",
        "softmax runs over the heads",
        """
def scaled_dot_product_attention(query, key, value):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    return torch.softmax(scores, dim=1) @ value
exercises.check_scaled_dot_product(scaled_dot_product_attention)
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
]

ALSO_RIGHT = [
    (
        "2.1",
        "a loop in single precision, with the exponential by hand",
        """
def soft_lookup(queries, keys, values, temperature):
    answers = []
    for query in queries.float():
        weights = torch.exp(keys.float() @ query / temperature)
        answers.append((weights / weights.sum()) @ values.float())
    return torch.stack(answers)
exercises.check_soft_lookup(soft_lookup)
""",
    ),
    (
        "2.2",
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
        "2.3",
        "einsum, with the scale put on the query",
        """
def scaled_dot_product_attention(query, key, value):
    scores = torch.einsum("...qd,...kd->...qk", query * query.shape[-1] ** -0.5, key)
    return torch.einsum("...qk,...kv->...qv", scores.softmax(-1), value)
exercises.check_scaled_dot_product(scaled_dot_product_attention)
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
]
