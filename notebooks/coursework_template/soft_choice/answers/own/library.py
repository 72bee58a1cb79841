# earns: 0
# fails: weights_have_the_base | which does for you
# fails: weights_agree | which does for you
# fails: the_worst_get_nothing | which does for you
# fails: chosen_agrees | which does for you
# %% weights
def weights(scores):
    return torch.softmax(scores, -1)
