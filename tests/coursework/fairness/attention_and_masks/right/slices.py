# earns: all
# %% pattern
def pattern(length):
    mask = torch.zeros(length, length, dtype=torch.bool)
    for token in range(length):
        mask[token, max(0, token - « near ») : token] = True
        mask[token, max(0, token - « far + near - 1 ») : max(0, token - « far - 1 »)] = True
    return mask
# %% newest
def newest(query, key, value):
    last = key.size(-2) - 1
    near = slice(max(0, last - « near »), last)
    echo = slice(max(0, last - « far + near - 1 »), max(0, last - « far - 1 »))
    if last - « near » < last - « far - 1 »:
        raise ValueError("the windows overlap")
    keys = torch.cat([key[..., echo, :], key[..., near, :]], dim=-2)
    values = torch.cat([value[..., echo, :], value[..., near, :]], dim=-2)
    return scores(query, keys).softmax(-1) @ values
