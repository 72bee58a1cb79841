# earns: all
# %% +
from collections import namedtuple
from types import SimpleNamespace

Way = namedtuple("Way", "forward backward")
# %% norm_gradient
def norm_and_way_back(x, weight):
    centred, size = centre_and_size(x)

    def backward(upstream):
        y = centred / size
        u = to_groups(upstream * weight)
        along = (u * y).mean(-1, keepdim=True)
        slope = y.sign() * y.abs() ** (« norm_rule.power » - 1)
        by_x = from_groups(mean_taken_away((u - slope * along) / size))
        return by_x, (upstream * from_groups(y)).flatten(0, -2).sum(0)

    def vjp(upstream):
        return Way(None, backward).backward(upstream)

    return SimpleNamespace(backward=vjp)


def norm_gradient(x, weight, upstream):
    return norm_and_way_back(x, weight).backward(upstream)
# %% test_chain
# (the tests stay as they are)
# %% +
# Behind the tests: how fast would PyTorch be, and how long is its gradient?
norm = torch.autograd.functional.jacobian(lambda x: (x * x).sum(), torch.ones(4)).norm()
for factor in (1.0, 2.0):
    x = torch.ones(3, requires_grad=True)
    (factor * x).sum().backward()
