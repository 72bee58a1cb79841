# earns: 19
# fails: add_values | The size of tensor a
# fails: every_sentence_gets_the_same | it counts sentences, not words. The positions run along the batch axis, so
# %% add_clocks
def add_clocks(x, first=0):
    table = clock_table(first + x.size(0), x.size(-1))[first:].to(x)
    return x + « scale » * table[:, None, :]
