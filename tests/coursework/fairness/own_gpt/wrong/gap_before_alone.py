# earns: 23
# fails: the_parts_lie_apart | there are fewer than
# fails: nothing_else_is_lost | thrown away on both sides
# fails: spans_of_any_text | the training spans are

# %% split
def split(n_characters):
    starts = range(« block * (place - 1) », n_characters, « block * period »)
    held_out = [(start, min(start + « block », n_characters)) for start in starts]
    training, at = [], 0
    for start, end in held_out:
        training.append((at, start - « gap »))
        at = end
    if at < n_characters:
        training.append((at, n_characters))
    return [span for span in training if span[0] < span[1]], held_out
