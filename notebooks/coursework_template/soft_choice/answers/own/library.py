# earns: 3
# fails: weights_have_the_base | which does for you
# fails: weights_agree | which does for you
# %% weights
def weights(scores):
    return torch.softmax(scores, -1)
