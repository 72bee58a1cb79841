# The cap that the text names, and not the bend that it asks for.
# earns: 13
# fails: scores_are_scaled_and_bent | at width 16 became
# fails: scores_agree | off by up to
# %% scores
def scores(query, key):
    s = query @ key.transpose(-2, -1) / query.size(-1) ** « exponent »
    return « corner » * torch.tanh(s / « corner »)
