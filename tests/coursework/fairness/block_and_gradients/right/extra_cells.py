# earns: all
# %% +
from dataclasses import dataclass


@dataclass
class Pair:
    forward: object
    backward: object


class Traced:
    def __init__(self, backward):
        self.backward = backward


print(Pair(len, abs).backward(-1), Traced(abs).backward(-2))
# %% + markdown
My notes: by the chain rule, everything that x touches has to come back.
# %% norm_gradient
def norm_gradient(x, weight, upstream):
    x = x.clone()
    centred, size = centre_and_size(x)
    return by_hand(centred, size, weight, upstream)
# %% +
def by_hand(c, s, weight, upstream):
    y = c / s
    u = to_groups(upstream * weight)
    along = (u * y).mean(-1, keepdim=True)
    slope = torch.where(y >= 0, y.abs() ** (« norm_rule.power » - 1), -(y.abs() ** (« norm_rule.power » - 1)))
    by_x = from_groups(mean_taken_away((u - slope * along) / s))
    return by_x, (upstream * from_groups(y)).flatten(0, 1).sum(0)
# %% +
%matplotlib inline
import matplotlib.pyplot as plt

torch.manual_seed(1)
x = torch.randn(2, 3, 20 * « norm_rule.groups », dtype=torch.float64, requires_grad=True)
weight, upstream = torch.ones(x.shape[-1]).double(), torch.randn_like(x)
(norm(x, weight) * upstream).sum().backward()
print((norm_gradient(x.detach(), weight, upstream)[0] - x.grad).abs().max() < 1e-10)
norm = norm
# %% test_norm_gradient
raise RuntimeError("a test cell's text is not the student's")
# %% + markdown
That agrees with autograd.
# %% gate
def gate(z):
    return gate_with_slope(z)[0]


def gate_slope(z):
    return gate_with_slope(z)[1]


def gate_with_slope(z, a=« gate_rule.constant »):
    «% if gate_rule.kind == "swish" %»
    s = 1 / (1 + torch.exp(-(a * z).clamp(min=-500)))
    return z * s, s + a * z * s * (1 - s)
    «% elif gate_rule.kind == "softplus" %»
    return torch.nn.functional.softplus(z, beta=a), torch.sigmoid(a * z)
    «% else %»
    ahead, behind = z.clamp(min=0), z.clamp(max=0)
    return ahead**2 - a * behind**2, 2 * ahead - 2 * a * behind
    «% endif %»
