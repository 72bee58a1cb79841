# True where a query may NOT look, as nn.MultiheadAttention has it.
# earns: 13
# fails: pattern_is_as_drawn | it is inverted
# fails: pattern_at_other_lengths | of 1 tokens, token 0 sees [0]
# %% pattern
def pattern(length):
    back = torch.arange(length)[:, None] - torch.arange(length)
    may_look = ((back >= 1) & (back <= « near »)) | ((back >= « far ») & (back < « far + near »))
    return ~may_look
