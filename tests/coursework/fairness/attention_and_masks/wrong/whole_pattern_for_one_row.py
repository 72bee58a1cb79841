# Right, as long as the text is short.
# earns: 14
# fails: newest_takes_a_long_past | memory
# %% newest
def newest(query, key, value):
    return attend(query, key, value, pattern(key.size(-2))[-1:])
