# earns: 13
# fails: newest_is_the_last_row | the newest token is number 10, counted from 0
# fails: newest_takes_a_long_past | off by up to
# %% newest
def newest(query, key, value):
    i = key.size(-2)
    j = torch.arange(i)
    seen = (i - j <= « near ») | ((i - j >= « far ») & (i - j < « far + near »))
    return torch.softmax(scores(query, key[..., seen, :]), dim=-1) @ value[..., seen, :]
