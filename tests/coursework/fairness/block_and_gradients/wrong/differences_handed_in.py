# earns: 22
# fails: norm_gradient_far_and_flat | it is wrong for large tokens. Is it made of differences? Their step drowns
# %% norm_gradient
def norm_gradient(x, weight, upstream):
    step = 1e-5
    return (
        numerical_gradient(lambda x: norm(x, weight), x, upstream, step),
        numerical_gradient(lambda weight: norm(x, weight), weight, upstream, step),
    )
