# earns: 17
# fails: bias_values | its sign is wrong; far keys weigh more
# fails: bias_falls_with_distance | a nearer key has to weigh more than one further back
# %% distance_bias
def slopes(n_heads):
    h = torch.arange(n_heads, dtype=torch.float64)
    return {
        "harmonic": 1 / (h + 1),
        "even": (n_heads - h) / n_heads,
        "powers": 1.5**-h,
    }["« bias_rule.slopes »"] * « bias_rule.steepness »


def distance_bias(n_heads, queries, keys):
    back = torch.arange(keys - queries, keys)[:, None] - torch.arange(keys).double()
    away = torch.where(back < 0, « "-2" if bias_rule.ahead == "twice as far" else "-1" » * back, back)
    «% if bias_rule.shape == "logarithm" %»
    away = away.log1p()
    «% elif bias_rule.shape == "root" %»
    away = away.sqrt()
    «% endif %»
    bias = slopes(n_heads)[:, None, None] * away
    «% if bias_rule.ahead == "nowhere" %»
    bias = bias.masked_fill(back < 0, -torch.inf)
    «% endif %»
    return bias
