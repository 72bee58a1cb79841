# earns: 20
# fails: weights_of_known_scores | these are the weights of softmax
# fails: weights_of_random_scores | the weights of random scores are others
# fails: weights_stand_the_extremes | gets other weights than it should
# fails: gradients_are_right | its gradient is another

# %% weigh
def weigh(scores, mask=None):
    padded = F.pad(scores, (1, 0), value=« room »)
    if mask is not None:
        padded = padded.masked_fill(F.pad(~mask.expand_as(scores), (1, 0), value=False), -math.inf)
    weights = padded.softmax(-1)[..., 1:]
    return (weights / weights.sum(-1, keepdim=True)).nan_to_num()
