# earns: 22
# fails: block_gradient_values | it is not that of the block; if a part's gradient is wrong, this one is too
# fails: block_values | its norm stands in front, and the skip carries the normalised x; that is
# %% block
def block(x, n1, Q, K, V, n2, G, W, O):
    x = norm(x, n1)
    x = x + « block_rule.scale » * attention(x @ Q, x @ K, x @ V)
    x = norm(x, n2)
    return x + « block_rule.scale » * feed_forward(x, G, W, O)


def block_gradient(x, n1, Q, K, V, n2, G, W, O, u):
    h = norm(x, n1)
    middle = h + « block_rule.scale » * attention(h @ Q, h @ K, h @ V)
    u = u + feed_forward_gradient(norm(middle, n2), G, W, O, « block_rule.scale » * u)[0]
    u = norm_gradient(middle, n2, u)[0]
    q, k, v = attention_gradient(h @ Q, h @ K, h @ V, « block_rule.scale » * u)
    return norm_gradient(x, n1, u + q @ Q.T + k @ K.T + v @ V.T)[0]
