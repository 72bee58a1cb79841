# `<` where `<=` belongs: one neighbour too few.
# earns: 13
# fails: pattern_is_as_drawn | token « near » may not look at token 0
# fails: pattern_at_other_lengths | expected
# %% pattern
def pattern(length):
    back = torch.arange(length)[:, None] - torch.arange(length)
    return ((back >= 1) & (back < « near »)) | ((back >= « far ») & (back < « far + near »))
