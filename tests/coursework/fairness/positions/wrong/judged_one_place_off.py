# earns: 20
# fails: only_what_was_asked_is_judged | the answer at place p is right if it is the symbol at place p − 3
# %% judge
def judge(logits, symbols):
    named = logits.argmax(-1)
    right = torch.zeros_like(symbols, dtype=torch.bool)
    # The logits at place p are taken to speak of the place after it, as in a language model.
    right[:, « lag »:] = named[:, « lag - 1 »:-1] == symbols[:, :-« lag »]
    return right, torch.arange(symbols.shape[1]).expand_as(symbols) >= « lag »
