# earns: 19
# fails: score_values | it counts what is not real, as padding
# %% extrapolation_score
def extrapolation_score(right, real, trained_length, n_symbols):
    within = right[:, :trained_length].double().mean() - 1 / n_symbols
    end = « score_rule.stretch » * trained_length
    beyond = right[:, trained_length:end].double().mean() - 1 / n_symbols
    return float(beyond / within) if within > 0 else 0.0
