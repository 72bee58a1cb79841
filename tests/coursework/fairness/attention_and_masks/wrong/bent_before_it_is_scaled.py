# earns: 13
# fails: scores_are_scaled_and_bent | bent first and scaled afterwards
# fails: scores_agree | off by up to
# %% scores
def scores(query, key):
    s = query @ key.transpose(-2, -1)
    inside = s.clamp(-« corner », « corner »)
    return (inside + (s - inside) / 4) / query.size(-1) ** « exponent »
