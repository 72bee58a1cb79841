# earns: 21
# fails: hidden_keys_count_nowhere | a key that the mask forbids has weight
# fails: weights_of_random_scores | are others
# fails: weights_stand_the_extremes | gets other weights than it should

# %% weigh
def weigh(scores, mask=None):
    if mask is not None:
        scores = scores.masked_fill(mask, -math.inf)
    return F.pad(scores, (1, 0), value=« room »).softmax(-1)[..., 1:]
