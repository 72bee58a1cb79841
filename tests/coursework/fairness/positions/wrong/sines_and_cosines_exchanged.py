# earns: 16
# fails: clock_values | its columns are arranged as cosines first
# fails: clocks_are_clocks | sines and cosines have changed places; at position 0 sines are 0
# fails: add_values | what is added is not the scaled row of each token's place; is the table right?
# fails: step_moves_your_clocks | it moves by -1 in place of 1. A sign is wrong, or it is made to stand on the
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
    angles = torch.arange(length)[:, None] * speeds(n, « clock_rule.base »)
    hands = [angles.sin(), angles.cos()]« "" if clock_rule.arrangement.startswith("cosine") else "[::-1]" »
    «% if clock_rule.arrangement.endswith("first") %»
    table = torch.cat(hands, -1)
    «% else %»
    table = torch.stack(hands, -1).flatten(1)
    «% endif %»
    return F.pad(table, (0, 1))[:, :width]
