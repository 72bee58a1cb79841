# `.T` turns all axes round: right for matrices, wrong for a batch.
# earns: 14
# fails: scores_agree | The size of tensor a
# %% scores
def scores(query, key):
    s = query @ key.T / query.size(-1) ** « exponent »
    inside = s.clamp(-« corner », « corner »)
    return inside + (s - inside) / 4
