# earns: all
# %% clock_table
def speed(i, n, base):
    «% if clock_rule.spacing == "ends" %»
    return 1.0 if n == 1 else base ** (-i / (n - 1))
    «% elif clock_rule.spacing == "half steps" %»
    return base ** (-(i + 0.5) / n)
    «% elif clock_rule.spacing == "squares" %»
    return base ** (-i * i / (n * n))
    «% else %»
    return 1 / (1 + (base - 1) * i / n)
    «% endif %»


def speeds(n, base):
    return torch.tensor([speed(i, n, base) for i in range(n)], dtype=torch.float64)


def clock_table(length, width):
    zero = "« clock_rule.odd »" == "zero"
    n = width // 2 if zero else -(-width // 2)
    rows = []
    for p in range(length):
        sines = [math.sin(p * speed(i, n, « clock_rule.base »)) for i in range(n)]
        cosines = [math.cos(p * speed(i, n, « clock_rule.base »)) for i in range(n)]
        «% if clock_rule.arrangement == "sines first" %»
        row = sines + cosines
        «% elif clock_rule.arrangement == "cosines first" %»
        row = cosines + sines
        «% elif clock_rule.arrangement == "sine, cosine" %»
        row = [hand for clock in zip(sines, cosines) for hand in clock]
        «% else %»
        row = [hand for clock in zip(cosines, sines) for hand in clock]
        «% endif %»
        rows.append((row + [0.0])[:width])
    return torch.tensor(rows)
# %% add_clocks
def add_clocks(x, first=0):
    x = x.clone()
    table = clock_table(first + x.shape[-2], x.shape[-1]).to(x.dtype)
    for p in range(x.shape[-2]):
        x[..., p, :] += « scale » * table[first + p]
    return x
# %% distance_bias
def distance_bias(n_heads, queries, keys):
    bias = torch.zeros(n_heads, queries, keys)
    for h in range(n_heads):
        «% if bias_rule.slopes == "harmonic" %»
        slope = « bias_rule.steepness » / (h + 1)
        «% elif bias_rule.slopes == "even" %»
        slope = « bias_rule.steepness » * (1 - h / n_heads)
        «% else %»
        slope = « bias_rule.steepness » / 1.5**h
        «% endif %»
        for q in range(queries):
            for k in range(keys):
                away = keys - queries + q - k
                if away < 0:
                    «% if bias_rule.ahead == "nowhere" %»
                    bias[h, q, k] = -1e9
                    continue
                    «% elif bias_rule.ahead == "as far" %»
                    away = -away
                    «% else %»
                    away = -2 * away
                    «% endif %»
                shaped = {"linear": away, "logarithm": math.log(1 + away), "root": away**0.5}
                bias[h, q, k] = -slope * shaped["« bias_rule.shape »"]
    return bias
# %% extrapolation_score
def extrapolation_score(right, real, trained_length, n_symbols):
    def accuracy(start, end):
        by_place = []
        for p in range(start, min(end, right.shape[1])):
            asked = [bool(r) for r, a in zip(right[:, p], real[:, p]) if a]
            by_place.append((sum(asked), len(asked)))
        «% if score_rule.average == "symbols" %»
        return sum(hits for hits, _ in by_place) / sum(count for _, count in by_place)
        «% else %»
        shares = [hits / count for hits, count in by_place if count]
        return sum(shares) / len(shares)
        «% endif %»

    chance = 1 / n_symbols
    within = accuracy(0, trained_length)
    if within <= chance:
        return 0
    beyond = accuracy(trained_length, trained_length * « score_rule.stretch »)
    return (beyond - chance) / (within - chance)
