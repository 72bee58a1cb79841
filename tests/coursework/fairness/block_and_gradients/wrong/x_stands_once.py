# earns: 19
# fails: norm_gradient_far_and_flat | it is wrong for large tokens. Is it made of differences? Their step drowns
# fails: norm_gradient_values | it forgets that x stands twice, above and in the size below
# fails: norm_gradient_agrees_with_your_norm | it forgets that x stands twice, above and in the size below. Making a large
# %% norm_gradient
def norm_gradient(x, weight, upstream):
    centred, size = centre_and_size(x)
    by_weight = (upstream * from_groups(centred / size)).flatten(0, -2).sum(0)
    return from_groups(mean_taken_away(to_groups(upstream * weight) / size)), by_weight
