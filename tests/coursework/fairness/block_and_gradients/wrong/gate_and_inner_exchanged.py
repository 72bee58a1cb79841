# earns: 22
# fails: feed_forward_gradients | the gate stands on the other copy
# %% feed_forward
def feed_forward(x, gate_matrix, inner_matrix, output_matrix):
    return ((x @ gate_matrix) * gate(x @ inner_matrix)) @ output_matrix


def feed_forward_gradient(x, gate_matrix, inner_matrix, output_matrix, upstream):
    inner, z = x @ gate_matrix, x @ inner_matrix
    u = upstream @ output_matrix.T
    by_z, by_inner = u * inner * gate_slope(z), u * gate(z)

    def over_tokens(left, right):
        return left.flatten(0, 1).T @ right.flatten(0, 1)

    return (
        by_inner @ gate_matrix.T + by_z @ inner_matrix.T,
        over_tokens(x, by_inner),
        over_tokens(x, by_z),
        over_tokens(gate(z) * inner, upstream),
    )
