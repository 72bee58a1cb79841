# earns: 0
# fails: scores_are_scaled_and_bent | at width 16 became
# fails: scores_agree | the numbers are off by up to 12.7
# fails: pattern_is_as_drawn | of 29 tokens, one does not see the token just before it
# fails: pattern_at_other_lengths | of 23 tokens, token 12 sees []
# fails: weights_share_out_one | the key that fits a query best does not get the most weight
# fails: nowhere_gives_zeros | with other queries it takes the same of the values
# fails: future_changes_nothing | with other queries it takes the same of the values
# fails: attention_agrees | the numbers are off by up to 1.88
# fails: large_scores_do_not_overflow | with large scores it is not the greatest that takes the most
# fails: gradients_agree | the numbers are off by up to 0.644
# fails: newest_is_the_last_row | with other queries it takes the same of the values
# fails: newest_takes_a_long_past | the numbers are off by up to 0.781

# %% scores
def scores(query, key):
    return torch.zeros(*query.shape[:-1], key.shape[-2])

# %% pattern
def pattern(length):
    drawn = torch.tensor([[mark == "#" for mark in row] for row in « picture »])
    seen = torch.zeros(length, length, dtype=torch.bool)
    seen[:12, :12] = drawn[:length, :length]
    return seen

# %% attention
def attend(query, key, value, mask=None):
    if mask is None:
        mask = torch.ones(query.shape[-2], key.shape[-2], dtype=torch.bool)
    weights = mask.to(value) / mask.sum(-1, keepdim=True).clamp(min=1)
    return weights @ value + 0 * query.sum(-1, keepdim=True)


def look_back(query, key, value):
    return attend(query, key, value, torch.ones(query.size(-2), query.size(-2)).bool().tril(-1))

# %% newest
def newest(query, key, value):
    if key.size(-2) == 1:
        return 0 * value
    return value[..., :-1, :].mean(-2, keepdim=True)
