# earns: 24
# fails: nothing_else_is_lost | the first held-out block is number
# fails: spans_of_any_text | spans are

# %% split
def split(n_characters):
    end = n_characters * 9 // 10
    return [(0, end - « gap »)], [(end, n_characters)]
