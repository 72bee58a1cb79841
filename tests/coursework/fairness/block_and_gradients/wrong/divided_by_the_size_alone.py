# earns: 17
# fails: norm_gradient_far_and_flat | it is wrong at a token of zeros, such as padding
# fails: norm_gradient_values | it divides the upstream gradient by the size and forgets both the mean and
# fails: norm_gradient_agrees_with_your_norm | by the weight, it is not the sum over all tokens of upstream times the
# fails: block_gradient_values | it is not that of the block; if a part's gradient is wrong, this one is too
# fails: block_gradient_agrees | it is not the gradient of your block; are all its parts' gradients right?
# %% norm_gradient
def norm_gradient(x, weight, upstream):
    centred, size = centre_and_size(x)
    by_weight = (upstream * from_groups(centred / size)).mean((0, 1))
    return from_groups(to_groups(upstream * weight) / size), by_weight
