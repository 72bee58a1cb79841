# earns: 10
# fails: pattern_is_as_drawn | each token sees itself
# fails: pattern_at_other_lengths | token 0 sees [0]
# fails: future_changes_nothing | token 6 changes when its own key and value do
# fails: gradients_agree | gradients of the queries
# fails: newest_is_the_last_row | not the last row
# %% pattern
def pattern(length):
    back = torch.arange(length)[:, None] - torch.arange(length)
    return ((back >= 0) & (back <= « near »)) | ((back >= « far ») & (back < « far + near »))
