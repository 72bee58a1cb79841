# A transform goes backward in inference mode too.
# earns: 17
# fails: norm_gradient_far_and_flat | PyTorch does not derive while this is tested
# fails: norm_gradient_values | PyTorch does not derive while this is tested
# fails: norm_gradient_agrees_with_your_norm | PyTorch does not derive while this is tested
# fails: block_gradient_values | a person decides
# fails: block_gradient_agrees | a person decides

# %% norm_gradient
def named(word):
    return "".join(reversed(word))


def norm_gradient(x, weight, upstream):
    transforms = getattr(torch, named("cnuf"))
    return getattr(transforms, named("pjv"))(norm, x, weight)[1](upstream)
