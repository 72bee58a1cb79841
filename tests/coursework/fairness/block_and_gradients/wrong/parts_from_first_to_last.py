# earns: 23
# fails: chain_gradient_by_parts | it goes through the parts from first to last; a gradient comes from behind
# %% gradient_by_parts
def gradient_by_parts(jacobians, upstream):
    rows = torch.zeros(len(jacobians) + 1, len(upstream), dtype=upstream.dtype)
    rows[0] = upstream
    for jacobian in jacobians:
        rows[1:] = rows[1:] + (« block_rule.scale » * rows @ jacobian)[:-1]
    return rows
