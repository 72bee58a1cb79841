# Banned with -1e9: where all are banned, all are equal.
# earns: 13
# fails: nowhere_gives_zeros | the average of all values
# fails: future_changes_nothing | token 0 changes
# fails: gradients_agree | gradients of the values
# %% attention
def attend(query, key, value, mask=None):
    s = scores(query, key)
    if mask is not None:
        s = s.masked_fill(~mask, -1e9)
    return torch.softmax(s, dim=-1) @ value


def look_back(query, key, value):
    return attend(query, key, value, pattern(query.size(-2)))
