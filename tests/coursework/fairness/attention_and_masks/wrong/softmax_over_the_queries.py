# earns: 11
# fails: weights_share_out_one | softmax runs over the keys
# fails: attention_agrees | off by up to
# fails: large_scores_do_not_overflow | do not sum to one any more
# fails: gradients_agree | gradients of the queries
# %% attention
def attend(query, key, value, mask=None):
    s = scores(query, key)
    if mask is None:
        mask = torch.ones_like(s, dtype=torch.bool)
    weights = torch.softmax(s.masked_fill(~mask, float("-inf")), dim=-2)
    return weights.masked_fill(~mask, 0.0) @ value


def look_back(query, key, value):
    return attend(query, key, value, pattern(query.size(-2)))
