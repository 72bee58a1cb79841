# earns: 17
# fails: gate_values | it is not the derivative of the gate
# fails: gate_slope_agrees_with_your_gate | it is not the derivative of your gate
# fails: feed_forward_gradients | by x, it is another; is the gate's slope right?
# fails: feed_forward_gradient_agrees | by x, it is another: x goes through the gate and past it
# fails: block_gradient_values | it is not that of the block; if a part's gradient is wrong, this one is too
# fails: block_gradient_agrees | it is not the gradient of your block; are all its parts' gradients right?
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
