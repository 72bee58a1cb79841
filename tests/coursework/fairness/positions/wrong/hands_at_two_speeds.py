# earns: 18
# fails: clock_values | its speeds are not this term's
# fails: clocks_are_clocks | sine² + cosine² of a clock is not one; does each sine stand where its cosine
# %% clock_table
def speeds(n, base):
    i = torch.arange(n, dtype=torch.float64)
    return {
        "ends": base ** (-i / max(n - 1, 1)),
        "half steps": base ** (-(i + 0.5) / n),
        "squares": base ** (-((i / n) ** 2)),
        "periods": 1 / (1 + (base - 1) * i / n),
    }["« clock_rule.spacing »"]


def clock_table(length, width):
    # A speed for each column, in place of one for each clock.
    angles = torch.arange(length)[:, None] * speeds(width, « clock_rule.base »)
    table = torch.zeros(length, width, dtype=torch.float64)
    «% if clock_rule.arrangement.endswith("first") %»
    half = « "width // 2" if clock_rule.odd == "zero" else "(width + 1) // 2" »
    ones, others = slice(0, half), slice(half, width)
    «% else %»
    ones, others = slice(0, None, 2), slice(1, None, 2)
    «% endif %»
    «% if clock_rule.arrangement.startswith("cosine") %»
    ones, others = others, ones
    «% endif %»
    table[:, ones], table[:, others] = angles[:, ones].sin(), angles[:, others].cos()
    return table
