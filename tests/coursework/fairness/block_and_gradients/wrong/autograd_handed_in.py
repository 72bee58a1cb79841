# earns: 19
# fails: norm_gradient_far_and_flat | write it out
# fails: norm_gradient_values | write it out
# fails: norm_gradient_agrees_with_your_norm | write it out
# %% norm_gradient
def norm_gradient(x, weight, upstream):
    x, weight = x.clone().requires_grad_(), weight.clone().requires_grad_()
    return torch.autograd.grad((norm(x, weight) * upstream).sum(), (x, weight))
