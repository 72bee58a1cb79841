# earns: all
# %% clock_table
def speeds(n_clocks, base):
    i = torch.arange(n_clocks).float()
    «% if clock_rule.spacing == "ends" %»
    return torch.pow(torch.tensor(float(base)), -i / max(n_clocks - 1, 1))
    «% elif clock_rule.spacing == "half steps" %»
    return torch.pow(torch.tensor(float(base)), -(i + 0.5) / n_clocks)
    «% elif clock_rule.spacing == "squares" %»
    return torch.pow(torch.tensor(float(base)), -((i / n_clocks) ** 2))
    «% else %»
    return 1 / (1 + (base - 1) * i / n_clocks)
    «% endif %»


def clock_table(length, width):
    n = « "width // 2" if clock_rule.odd == "zero" else "(width + 1) // 2" »
    angles = torch.arange(length).float()[:, None] * speeds(n, « clock_rule.base »)
    hands = [torch.sin(angles), torch.cos(angles)]
    «% if clock_rule.arrangement.startswith("cosine") %»
    hands.reverse()
    «% endif %»
    «% if clock_rule.arrangement.endswith("first") %»
    table = torch.cat(hands, 1)
    «% else %»
    table = torch.stack(hands, 2).reshape(length, 2 * n)
    «% endif %»
    return torch.cat((table, torch.zeros(length, 1)), 1)[:, :width]
# %% turn
def turn(x, first=0):
    x = x.float()
    width = x.shape[-1]
    r = round(« turn_rule.share » * width)
    angles = torch.arange(first, first + x.shape[-2]).float()[:, None] * speeds(r // 2, « turn_rule.base »)
    index = torch.arange(r) + « "0" if turn_rule.end == "first" else "width - r" »
    «% if turn_rule.pairing == "neighbours" %»
    a, b = index[0::2], index[1::2]
    «% else %»
    a, b = index.chunk(2)
    «% endif %»
    out = x.clone()
    sign = « "1" if turn_rule.way == "left" else "-1" »
    out[..., a] = x[..., a] * angles.cos() - sign * x[..., b] * angles.sin()
    out[..., b] = sign * x[..., a] * angles.sin() + x[..., b] * angles.cos()
    return out
# %% distance_bias
def distance_bias(n_heads, queries, keys):
    back = torch.arange(keys - queries, keys)[:, None] - torch.arange(keys)[None, :]
    ahead = back < 0
    away = back.abs().float()
    «% if bias_rule.ahead == "twice as far" %»
    away[ahead] *= 2
    «% endif %»
    «% if bias_rule.shape == "logarithm" %»
    away = torch.log(away + 1)
    «% elif bias_rule.shape == "root" %»
    away = torch.sqrt(away)
    «% endif %»
    slopes = torch.tensor(
        [
            {"harmonic": 1 / (h + 1), "even": (n_heads - h) / n_heads, "powers": 1.5**-h}[
                "« bias_rule.slopes »"
            ]
            for h in range(n_heads)
        ]
    )
    bias = -« bias_rule.steepness » * torch.einsum("h,qk->hqk", slopes, away)
    «% if bias_rule.ahead == "nowhere" %»
    bias[:, ahead] = float("-inf")
    «% endif %»
    return bias
# %% extrapolation_score
def extrapolation_score(right, real, trained_length, n_symbols):
    right, real = right.float() * real.float(), real.float()
    scores = []
    for part in (slice(0, trained_length), slice(trained_length, « score_rule.stretch » * trained_length)):
        «% if score_rule.average == "symbols" %»
        accuracy = right[:, part].sum() / real[:, part].sum()
        «% else %»
        accuracy = (right[:, part].sum(0) / real[:, part].sum(0)).nanmean()
        «% endif %»
        scores.append(accuracy - 1 / n_symbols)
    if scores[0] <= 0:
        return torch.tensor(0.0)
    return scores[1] / scores[0]
