# earns: 19
# fails: score_values | it takes in all places beyond, not the stretch
# %% extrapolation_score
def extrapolation_score(right, real, trained_length, n_symbols):
    def accuracy(part):
        hits, asked = (right & real)[:, part].sum(0), real[:, part].sum(0)
        «% if score_rule.average == "symbols" %»
        return float(hits.sum() / asked.sum())
        «% else %»
        return float((hits[asked > 0] / asked[asked > 0]).mean())
        «% endif %»

    chance = 1 / n_symbols
    within = accuracy(slice(0, trained_length))
    if within <= chance:
        return 0.0
    return (accuracy(slice(trained_length, None)) - chance) / (within - chance)
