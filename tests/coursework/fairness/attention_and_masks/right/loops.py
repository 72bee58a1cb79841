# earns: all
# %% +
def looks_at(i):
    return [j for j in range(i) if i - j <= « near » or « far » <= i - j < « far + near »]
# %% scores
def scores(query, key):
    rows = []
    for i in range(query.size(-2)):
        s = (query[..., i : i + 1, :] * key).sum(dim=-1) / math.pow(query.size(-1), « exponent »)
        over = torch.relu(s - « corner ») - torch.relu(-s - « corner »)
        rows.append(s - 3 / 4 * over)
    return torch.stack(rows, dim=-2)
# %% pattern
def pattern(length):
    rows = []
    for i in range(length):
        allowed = looks_at(i)
        rows.append([j in allowed for j in range(length)])
    return torch.tensor(rows)
# %% attention
def one_row(s, value, allowed):
    """s (keys,), value (keys, d_value)"""
    result = value[0] * 0
    if not allowed.any():
        return result
    e = [torch.exp(s[j] - s[allowed].max()) if allowed[j] else None for j in range(len(s))]
    total = sum(x for x in e if x is not None)
    for j, x in enumerate(e):
        if x is not None:
            result = result + x / total * value[j]
    return result


def attend(query, key, value, mask=None):
    s = scores(query, key)
    if mask is None:
        mask = torch.full(s.shape, True)
    mask = mask.expand(s.shape)
    n, m = s.shape[-2:]
    flat_s, flat_mask = s.reshape(-1, n, m), mask.reshape(-1, n, m)
    flat_value = value.reshape(-1, m, value.size(-1))
    out = [one_row(flat_s[b, i], flat_value[b], flat_mask[b, i])
           for b in range(len(flat_s)) for i in range(n)]
    return torch.stack(out).reshape(*s.shape[:-1], value.size(-1))


def look_back(query, key, value):
    return attend(query, key, value, pattern(query.size(-2)))
# %% newest
def newest(query, key, value):
    allowed = looks_at(key.size(-2) - 1)
    if not allowed:
        return torch.zeros(*query.shape[:-1], value.size(-1), dtype=value.dtype)
    return attend(query, key[..., allowed, :], value[..., allowed, :])
