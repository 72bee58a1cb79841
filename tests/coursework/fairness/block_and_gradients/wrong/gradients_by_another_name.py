# No name that is forbidden, and PyTorch goes backward all the same: not while a test asks.
# earns: 19
# fails: norm_gradient_far_and_flat | RuntimeError
# fails: norm_gradient_values | RuntimeError
# fails: norm_gradient_agrees_with_your_norm | RuntimeError
# %% norm_gradient
def norm_gradient(x, weight, upstream):
    x, weight = (torch.tensor(each.tolist(), dtype=each.dtype) for each in (x, weight))
    for each in (x, weight):
        getattr(each, "requires_" + "grad_")()
    getattr((norm(x, weight) * upstream).sum(), "back" + "ward")()
    return tuple(getattr(each, "gr" + "ad") for each in (x, weight))
