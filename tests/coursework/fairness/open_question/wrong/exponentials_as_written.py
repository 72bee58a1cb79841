# earns: 24
# fails: weights_stand_the_extremes | the answer holds NaN

# %% weigh
def weigh(scores, mask=None):
    parts = scores.exp()
    if mask is not None:
        parts = parts * mask
    return parts / (math.exp(« room ») + parts.sum(-1, keepdim=True))
