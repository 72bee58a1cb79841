# earns: all
# %% scores
def scores(query, key):
    d = query.shape[-1]
    s = torch.einsum("...nd,...md->...nm", query, key) * d**-« exponent »
    size = torch.where(s.abs() > « corner », « corner » + (s.abs() - « corner ») / 4, s.abs())
    return torch.copysign(size, s)
# %% pattern
def pattern(length):
    steps = torch.arange(length)
    back = torch.einsum("i,j->ij", steps, torch.ones_like(steps))
    back = back - torch.einsum("i,j->ij", torch.ones_like(steps), steps)
    near = back.ge(1) & back.le(« near »)
    return near | (back.ge(« far ») & back.lt(« far + near »))
# %% attention
def attend(query, key, value, mask=None):
    s = scores(query, key)
    if mask is not None:
        s = s.where(mask, s.new_tensor(-1e30))
    w = s.softmax(-1)
    if mask is not None:
        w = w * mask
    return torch.einsum("...nm,...mv->...nv", w, value)


def look_back(query, key, value):
    return attend(query, key, value, mask=pattern(query.shape[-2]))
