# earns: all
# %% norm_gradient
def norm_gradient(x, weight, upstream):
    x, weight, upstream = x.float(), weight.float(), upstream.float()
    centred, size = centre_and_size(x)
    y = centred / size
    arriving = to_groups(upstream * weight)
    slope = y.abs() ** (« norm_rule.power » - 1) * y.sign()
    by_centred = (arriving - slope * (arriving * y).mean(-1, keepdim=True)) / size
    return from_groups(mean_taken_away(by_centred)), (upstream * from_groups(y)).sum((0, 1))
# %% feed_forward
def feed_forward(x, gate_matrix, inner_matrix, output_matrix):
    x, G, W, O = (given.float() for given in (x, gate_matrix, inner_matrix, output_matrix))
    return (gate(x @ G) * (x @ W)) @ O


def feed_forward_gradient(x, gate_matrix, inner_matrix, output_matrix, upstream):
    x, G, W, O = (given.float() for given in (x, gate_matrix, inner_matrix, output_matrix))
    u = upstream.float() @ O.T
    by_z, by_inner = u * (x @ W) * gate_slope(x @ G), u * gate(x @ G)
    rows = x.reshape(-1, x.shape[-1])
    return (
        by_z @ G.T + by_inner @ W.T,
        rows.T @ by_z.reshape(len(rows), -1),
        rows.T @ by_inner.reshape(len(rows), -1),
        (gate(rows @ G) * (rows @ W)).T @ upstream.float().reshape(len(rows), -1),
    )
# %% attention
def softmax_gradient(weights, upstream):
    weights, upstream = weights.float(), upstream.float()
    return weights * (upstream - (weights * upstream).sum(-1, keepdim=True))


def attention(query, key, value):
    query, key, value = query.float(), key.float(), value.float()
    return torch.softmax(« sharpness » * query @ key.mT / math.sqrt(query.shape[-1]), -1) @ value


def attention_gradient(query, key, value, upstream):
    query, key, value, upstream = (x.float() for x in (query, key, value, upstream))
    factor = « sharpness » / math.sqrt(query.shape[-1])
    weights = torch.softmax(factor * query @ key.mT, -1)
    by_scores = factor * softmax_gradient(weights, upstream @ value.mT)
    return by_scores @ key, by_scores.mT @ query, weights.mT @ upstream
# %% block
def wiring(x, w, part):
    """What the norm reads, what the part reads, and what comes out, as this term wires them."""
    scale = « block_rule.scale »
    read = norm(x, w) if "« block_rule.placement »" in ("pre", "sandwich") else x
    found = part(read)
    if "« block_rule.placement »" in ("change", "sandwich"):
        return read, found, x + scale * norm(found, w)
    total = x + scale * found
    return read, total, norm(total, w) if "« block_rule.placement »" == "post" else total


def wiring_gradient(x, w, part, part_gradient, u):
    scale, place = « block_rule.scale », "« block_rule.placement »"
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
    x, n1, Q, K, V, n2, G, W, O = (t.float() for t in (x, n1, Q, K, V, n2, G, W, O))
    x = wiring(x, n1, lambda h: attention(h @ Q, h @ K, h @ V))[2]
    return wiring(x, n2, lambda h: feed_forward(h, G, W, O))[2]


def block_gradient(x, n1, Q, K, V, n2, G, W, O, u):
    x, n1, Q, K, V, n2, G, W, O, u = (t.float() for t in (x, n1, Q, K, V, n2, G, W, O, u))

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
    rows = torch.zeros(len(jacobians) + 1, len(upstream))
    rows[0] = upstream.float()
    for jacobian in reversed(jacobians.float()):
        moved = « block_rule.scale » * rows[:-1] @ jacobian
        rows = torch.cat((rows[:1], rows[1:] + moved))
    return rows
