# earns: 13
# fails: pattern_is_as_drawn | each token sees itself
# fails: pattern_at_other_lengths | token 0 sees [0]
# %% pattern
def pattern(length):
    back = torch.arange(length)[:, None] - torch.arange(length)
    return ((back >= 0) & (back <= « near »)) | ((back >= « far ») & (back < « far + near »))
