# earns: 24
# fails: the_tail_is_cut | the rows do not sum to one
# fails: probabilities_are_exact | what is divided

# %% sampling
def next_probabilities(logits):
    seen = logits.softmax(-1)
    stays = seen >= « threshold » * seen.amax(-1, keepdim=True)
    return (logits / « temperature »).softmax(-1) * stays
