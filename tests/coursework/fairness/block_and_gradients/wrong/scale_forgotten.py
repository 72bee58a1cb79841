# earns: 21
# fails: block_gradient_values | the scale of the change is missing
# fails: block_values | the change is added whole; its scale is missing
# fails: chain_gradient_by_parts | the scale of each change is missing
# %% block
def wiring(x, w, part):
    """What the norm reads, what the part reads, and what comes out, as this term wires them."""
    scale = 1.0
    read = norm(x, w) if "« block_rule.placement »" in ("pre", "sandwich") else x
    found = part(read)
    if "« block_rule.placement »" in ("change", "sandwich"):
        return read, found, x + scale * norm(found, w)
    total = x + scale * found
    return read, total, norm(total, w) if "« block_rule.placement »" == "post" else total


def wiring_gradient(x, w, part, part_gradient, u):
    scale, place = 1.0, "« block_rule.placement »"
    read, normed, _ = wiring(x, w, part)
    if place == "post":
        u = norm_gradient(normed, w, u)[0]
    to_part = scale * u
    if place in ("change", "sandwich"):
        to_part = norm_gradient(normed, w, to_part)[0]
    back = part_gradient(read, to_part)
    if place in ("pre", "sandwich"):
        back = norm_gradient(x, w, back)[0]
    return u + back


def block(x, n1, Q, K, V, n2, G, W, O):
    x = wiring(x, n1, lambda h: attention(h @ Q, h @ K, h @ V))[2]
    return wiring(x, n2, lambda h: feed_forward(h, G, W, O))[2]


def block_gradient(x, n1, Q, K, V, n2, G, W, O, u):

    def attend(h):
        return attention(h @ Q, h @ K, h @ V)

    def attend_back(h, u):
        q, k, v = attention_gradient(h @ Q, h @ K, h @ V, u)
        return q @ Q.T + k @ K.T + v @ V.T

    def think(h):
        return feed_forward(h, G, W, O)

    def think_back(h, u):
        return feed_forward_gradient(h, G, W, O, u)[0]

    middle = wiring(x, n1, attend)[2]
    return wiring_gradient(x, n1, attend, attend_back, wiring_gradient(middle, n2, think, think_back, u))
# %% gradient_by_parts
def gradient_by_parts(jacobians, upstream):
    rows = [upstream] + [torch.zeros_like(upstream) for _ in jacobians]
    for J in reversed(jacobians):
        rows = [rows[0]] + [row + J.T @ below for row, below in zip(rows[1:], rows)]
    return torch.stack(rows)
