# The values are mended afterwards; the gradients have gone through 0/0 all the same.
# earns: 15
# fails: gradients_agree | the answer holds NaN
# %% attention
def attend(query, key, value, mask=None):
    s = scores(query, key)
    if mask is not None:
        s = s + torch.where(mask, 0.0, float("-inf")).to(s.dtype)
    return torch.softmax(s, dim=-1).nan_to_num() @ value


def look_back(query, key, value):
    return attend(query, key, value, pattern(query.size(-2)))
