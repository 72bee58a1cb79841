# earns: 19
# fails: norm_gradient_far_and_flat | it is wrong at a token of zeros, such as padding
# fails: norm_gradient_values | it divides the upstream gradient by the size and forgets both the mean and
# fails: norm_gradient_agrees_with_your_norm | by the weight, it is not the sum over all tokens of upstream times the
# %% norm_gradient
def norm_gradient(x, weight, upstream):
    centred, size = centre_and_size(x)
    by_weight = (upstream * from_groups(centred / size)).mean((0, 1))
    return from_groups(to_groups(upstream * weight) / size), by_weight
