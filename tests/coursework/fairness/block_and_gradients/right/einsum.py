# earns: all
# %% feed_forward
def feed_forward(x, gate_matrix, inner_matrix, output_matrix):
    gated = gate(torch.einsum("bld,df->blf", x, gate_matrix))
    inner = torch.einsum("bld,df->blf", x, inner_matrix)
    return torch.einsum("blf,blf,fd->bld", gated, inner, output_matrix)


def feed_forward_gradient(x, gate_matrix, inner_matrix, output_matrix, upstream):
    z = torch.einsum("bld,df->blf", x, gate_matrix)
    inner = torch.einsum("bld,df->blf", x, inner_matrix)
    u = torch.einsum("bld,fd->blf", upstream, output_matrix)
    by_z, by_inner = u * inner * gate_slope(z), u * gate(z)
    return [
        torch.einsum("blf,df->bld", by_z, gate_matrix)
        + torch.einsum("blf,df->bld", by_inner, inner_matrix),
        torch.einsum("bld,blf->df", x, by_z),
        torch.einsum("bld,blf->df", x, by_inner),
        torch.einsum("blf,bld->fd", gate(z) * inner, upstream),
    ]
# %% attention
def softmax_gradient(weights, upstream):
    mean = torch.einsum("...k,...k->...", weights, upstream)
    return torch.einsum("...k,...k->...k", weights, upstream - mean[..., None])


def attention(query, key, value):
    scores = torch.einsum("bqd,bkd->bqk", query, key) * « sharpness » * query.size(-1) ** -0.5
    return torch.einsum("bqk,bkv->bqv", scores.softmax(-1), value)


def attention_gradient(query, key, value, upstream):
    factor = « sharpness » * query.size(-1) ** -0.5
    a = (torch.einsum("bqd,bkd->bqk", query, key) * factor).softmax(-1)
    s = factor * softmax_gradient(a, torch.einsum("bqv,bkv->bqk", upstream, value))
    return (
        torch.einsum("bqk,bkd->bqd", s, key),
        torch.einsum("bqk,bqd->bkd", s, query),
        torch.einsum("bqk,bqv->bkv", a, upstream),
    )
# %% gradient_by_parts
def gradient_by_parts(jacobians, upstream):
    rows = [upstream] + [torch.zeros_like(upstream)] * len(jacobians)
    for jacobian in jacobians.flip(0):
        through = [« block_rule.scale » * torch.einsum("oi,o->i", jacobian, row) for row in rows]
        rows = [rows[0]] + [rows[k] + through[k - 1] for k in range(1, len(rows))]
    return torch.stack(rows)
