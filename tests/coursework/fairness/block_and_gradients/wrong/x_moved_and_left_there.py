# earns: 22
# fails: differences_follow_the_rule | numerical_gradient moved the caller's x and did not put it back
# fails: differences_of_a_parabola | numerical_gradient moved the caller's x and did not put it back
# %% numerical_gradient
def numerical_gradient(function, x, upstream, step):
    result = torch.zeros_like(x)
    flat = x.view(-1)
    for k in range(x.numel()):
        flat[k] += step
        above = (function(x) * upstream).sum()
        flat[k] -= 2 * step
        result.view(-1)[k] = (above - (function(x) * upstream).sum()) / (2 * step)
    return result
