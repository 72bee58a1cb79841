# earns: 18
# fails: score_values | it is not (beyond − chance) / (within − chance)
# fails: score_of_two_readers | beyond the trained length, a guess at 5 symbols scores 0.200; it is right one
# %% extrapolation_score
def extrapolation_score(right, real, trained_length, n_symbols):
    within = right[:, :trained_length].float().mean()
    beyond = right[:, trained_length : « score_rule.stretch » * trained_length].float().mean()
    return (beyond / within).item()
