# earns: 13
# fails: nowhere_gives_zeros | the answer holds NaN
# fails: future_changes_nothing | the answer holds NaN
# fails: gradients_agree | the answer holds NaN
# %% attention
def attend(query, key, value, mask=None):
    s = scores(query, key)
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    return torch.softmax(s, dim=-1) @ value


def look_back(query, key, value):
    return attend(query, key, value, pattern(query.size(-2)))
