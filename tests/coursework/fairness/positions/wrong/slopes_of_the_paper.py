# earns: 18
# fails: bias_values | its slopes are those of the paper
# %% distance_bias
def slopes(n_heads):
    h = torch.arange(n_heads, dtype=torch.float64)
    return 2 ** (-8 * (h + 1) / n_heads)


def distance_bias(n_heads, queries, keys):
    back = torch.arange(keys - queries, keys)[:, None] - torch.arange(keys).double()
    away = torch.where(back < 0, « "-2" if bias_rule.ahead == "twice as far" else "-1" » * back, back)
    «% if bias_rule.shape == "logarithm" %»
    away = away.log1p()
    «% elif bias_rule.shape == "root" %»
    away = away.sqrt()
    «% endif %»
    bias = -slopes(n_heads)[:, None, None] * away
    «% if bias_rule.ahead == "nowhere" %»
    bias = bias.masked_fill(back < 0, -torch.inf)
    «% endif %»
    return bias
