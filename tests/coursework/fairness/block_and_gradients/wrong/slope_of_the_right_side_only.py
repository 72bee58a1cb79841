# earns: 22
# fails: gate_values | it is not the derivative of the gate
# fails: gate_slope_agrees_with_your_gate | it is not the derivative of your gate
# %% gate
def gate(z):
    «% if gate_rule.kind == "swish" %»
    return z / (1 + torch.exp(-« gate_rule.constant » * z))
    «% elif gate_rule.kind == "softplus" %»
    return torch.log(1 + torch.exp(« gate_rule.constant » * z)) / « gate_rule.constant »
    «% else %»
    return torch.where(z > 0, z**2, -« gate_rule.constant » * z**2)
    «% endif %»


def gate_slope(z):
    «% if gate_rule.kind == "leaky square" %»
    return 2 * z
    «% else %»
    s = torch.exp(« gate_rule.constant » * z) / (1 + torch.exp(« gate_rule.constant » * z))
    return « "s" if gate_rule.kind == "softplus" else "s + z * s * (1 - s)" »
    «% endif %»
