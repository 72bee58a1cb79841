# earns: 19
# fails: norm_gradient_far_and_flat | it is wrong at a token of zeros, such as padding
# fails: norm_gradient_values | it forgets the mean, through which every number of x reaches every other
# fails: norm_gradient_agrees_with_your_norm | it forgets the mean. Adding a constant to the group changes nothing, so the
# %% norm_gradient
def norm_gradient(x, weight, upstream):
    centred, size = centre_and_size(x)
    by_weight = (upstream * from_groups(centred / size)).flatten(0, -2).sum(0)
    arriving = to_groups(upstream * weight)
    by_size = -(arriving * centred).sum(-1, keepdim=True) / size**2
    root = (centred.abs() / size) ** (« norm_rule.power » - 1) * centred.sign()
    return from_groups(arriving / size + by_size * root / centred.shape[-1]), by_weight
