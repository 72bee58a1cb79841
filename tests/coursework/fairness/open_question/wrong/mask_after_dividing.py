# earns: 22
# fails: hidden_keys_count_nowhere | mask before you divide, not after
# fails: weights_of_random_scores | mask before dividing

# %% weigh
def weigh(scores, mask=None):
    weights = F.pad(scores, (1, 0), value=« room »).softmax(-1)[..., 1:]
    return weights if mask is None else weights * mask
