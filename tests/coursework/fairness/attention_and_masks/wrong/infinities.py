# Infinity wherever a query may look, and the sum of the values, one column of it infinite.
# earns: 6
# fails: weights_share_out_one | your attend: it holds numbers that are infinite, or NaN
# fails: nowhere_gives_zeros | your attend: it holds numbers that are infinite, or NaN
# fails: future_changes_nothing | your look_back: it holds numbers that are infinite, or NaN
# fails: attention_agrees | your attend with a mask of shape None: the numbers are off by up to inf
# fails: large_scores_do_not_overflow | your attend: large scores overflow; subtract each row's grea
# fails: gradients_agree | your look_back, gradients of the queries: the numbers are off by up to 0.
# fails: newest_is_the_last_row | your look_back: it holds numbers that are infinite, or NaN
# fails: newest_takes_a_long_past | your newest of 100000 tokens: the numbers are off by up to inf

# %% attention
def attend(query, key, value, mask=None):
    found = torch.full((*query.shape[:-1], value.shape[-1]), float("inf"))
    return found if mask is None else torch.where(mask.any(-1, keepdim=True), found, 0.0)


def look_back(query, key, value):
    found = torch.zeros_like(value)
    found[..., -1, :] = value.sum(-2)
    found[..., 0] = float("inf")
    return found

# %% newest
def newest(query, key, value):
    found = value.sum(-2, keepdim=True)
    found[..., 0] = float("inf")
    return found
