# earns: 17
# fails: step_everywhere | it moves by -5 in place of 5; a sign is wrong, or it stands on the other
# fails: step_moves_your_clocks | it moves by -1 in place of 1. A sign is wrong, or it is made to stand on the
# %% step_matrix
def step_matrix(offset, width):
    n = width // 2
    angle = offset * speeds(n, « clock_rule.base »)
    «% if clock_rule.arrangement.endswith("first") %»
    s, c = torch.arange(n), n + torch.arange(n)
    «% else %»
    s, c = 2 * torch.arange(n), 2 * torch.arange(n) + 1
    «% endif %»
    «% if clock_rule.arrangement.startswith("cosine") %»
    s, c = c, s
    «% endif %»
    matrix = torch.zeros(width, width, dtype=torch.float64)
    matrix[s, s] = matrix[c, c] = angle.cos()
    matrix[s, c], matrix[c, s] = angle.sin(), -angle.sin()
    return « "matrix.T" if side == "left" else "matrix" »
