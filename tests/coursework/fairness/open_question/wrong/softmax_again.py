# earns: 20
# fails: weights_of_known_scores | these are the weights of softmax
# fails: weights_of_random_scores | the weights of random scores are others
# fails: weights_stand_the_extremes | gets other weights than it should
# fails: gradients_are_right | its gradient is another

# %% weigh
def weigh(scores, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return scores.softmax(-1).nan_to_num()
