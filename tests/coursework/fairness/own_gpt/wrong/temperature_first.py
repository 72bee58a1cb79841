# earns: 25
# fails: probabilities_are_exact | in the wrong order

# %% sampling
def next_probabilities(logits):
    logits = logits / « temperature »
    seen = logits.softmax(-1)
    stays = seen >= « threshold » * seen.amax(-1, keepdim=True)
    return logits.masked_fill(~stays, float("-inf")).softmax(-1)
