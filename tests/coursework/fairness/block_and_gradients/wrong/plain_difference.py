# earns: 22
# fails: differences_follow_the_rule | of x⁵ its error is not that of three points ahead
# fails: differences_of_a_parabola | it is a plain difference to one side, (f(x + h) − f(x)) / h, whose error is
# %% numerical_gradient
def numerical_gradient(function, x, upstream, step):
    result = torch.zeros_like(x)
    for k in range(x.numel()):
        moved = x.clone()
        moved.view(-1)[k] += step
        result.view(-1)[k] = ((function(moved) - function(x)) * upstream).sum() / step
    return result
