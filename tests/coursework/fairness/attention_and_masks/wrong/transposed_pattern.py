# earns: 13
# fails: pattern_is_as_drawn | it is transposed
# fails: pattern_at_other_lengths | token 0 sees [1]
# %% pattern
def pattern(length):
    i, j = torch.arange(length)[None, :], torch.arange(length)[:, None]
    back = i - j
    return ((back >= 1) & (back <= « near »)) | ((back >= « far ») & (back < « far + near »))
