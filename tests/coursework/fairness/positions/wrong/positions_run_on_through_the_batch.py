# earns: 19
# fails: add_values | what is added is not the scaled row of each token's place
# fails: every_sentence_gets_the_same | what is added differs from sentence to sentence
# %% add_clocks
def add_clocks(x, first=0):
    flat = x.reshape(-1, x.shape[-1])
    table = clock_table(first + len(flat), x.shape[-1])[first:]
    return (flat + « scale » * table).view(x.shape)
