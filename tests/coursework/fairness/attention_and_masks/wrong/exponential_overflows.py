# earns: 15
# fails: large_scores_do_not_overflow | the answer holds NaN
# %% attention
def attend(query, key, value, mask=None):
    e = torch.exp(scores(query, key))
    if mask is not None:
        e = e * mask
    return e / e.sum(dim=-1, keepdim=True).clamp(min=1e-20) @ value


def look_back(query, key, value):
    return attend(query, key, value, pattern(query.size(-2)))
