# earns: 21
# fails: feed_forward_gradients | it forgets that x stands twice; it follows only the way through the gate
# fails: feed_forward_gradient_agrees | by x, it is another: x goes through the gate and past it
# %% feed_forward
def feed_forward(x, gate_matrix, inner_matrix, output_matrix):
    return (gate(x @ gate_matrix) * (x @ inner_matrix)) @ output_matrix


def feed_forward_gradient(x, gate_matrix, inner_matrix, output_matrix, upstream):
    z, inner = x @ gate_matrix, x @ inner_matrix
    u = upstream @ output_matrix.T
    by_z = u * inner * gate_slope(z)

    def over_tokens(left, right):
        return left.flatten(0, 1).T @ right.flatten(0, 1)

    return (
        by_z @ gate_matrix.T,
        over_tokens(x, by_z),
        over_tokens(x, u * gate(z)),
        over_tokens(gate(z) * inner, upstream),
    )
