# earns: 11
# fails: weights_share_out_one | mask the scores before the softmax, not the weights after it
# fails: future_changes_nothing | the future leaks
# fails: attention_agrees | off by up to
# fails: gradients_agree | gradients of the queries
# %% attention
def attend(query, key, value, mask=None):
    weights = torch.softmax(scores(query, key), dim=-1)
    if mask is not None:
        weights = weights * mask
    return weights @ value


def look_back(query, key, value):
    return attend(query, key, value, pattern(query.size(-2)))
