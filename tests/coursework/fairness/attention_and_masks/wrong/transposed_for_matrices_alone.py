# `.T` turns all axes round: right for matrices, wrong for a batch.
# earns: 6
# fails: scores_agree | The size of tensor a
# fails: weights_share_out_one | The size of tensor a
# fails: nowhere_gives_zeros | The size of tensor a
# fails: future_changes_nothing | The size of tensor a
# fails: attention_agrees | The size of tensor a
# fails: large_scores_do_not_overflow | The size of tensor a
# fails: gradients_agree | The size of tensor a
# fails: newest_is_the_last_row | The size of tensor a
# %% scores
def scores(query, key):
    s = query @ key.T / query.size(-1) ** « exponent »
    inside = s.clamp(-« corner », « corner »)
    return inside + (s - inside) / 4
