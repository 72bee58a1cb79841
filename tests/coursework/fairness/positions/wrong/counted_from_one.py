# earns: 17
# fails: clock_values | it is counted from 1
# fails: clocks_are_clocks | at position 0 the clocks do not stand at 0; is it counted from 1?
# fails: add_values | what is added is not the scaled row of each token's place; is the table right?
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
    n = « "width // 2" if clock_rule.odd == "zero" else "(width + 1) // 2" »
    angles = torch.arange(1, length + 1)[:, None] * speeds(n, « clock_rule.base »)
    hands = [angles.sin(), angles.cos()]« "" if clock_rule.arrangement.startswith("sine") else "[::-1]" »
    «% if clock_rule.arrangement.endswith("first") %»
    table = torch.cat(hands, -1)
    «% else %»
    table = torch.stack(hands, -1).flatten(1)
    «% endif %»
    return F.pad(table, (0, 1))[:, :width]
