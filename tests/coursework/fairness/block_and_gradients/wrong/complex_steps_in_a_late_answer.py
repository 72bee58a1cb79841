# The answer is made when it is taken. What is out of reach while it is asked has to be so then, too.
# earns: 19
# fails: norm_gradient_far_and_flat | complex numbers are not to be used here
# fails: norm_gradient_values | complex numbers are not to be used here
# fails: norm_gradient_agrees_with_your_norm | complex numbers are not to be used here

# %% +
import numpy as np

i = torch.from_numpy(np.array([0.0, 1.0]).view("D"))[0]
# %% norm_gradient
def norm_gradient(x, weight, upstream):
    yield by_steps(lambda at: off_the_axis(at, weight), x, upstream)
    yield by_steps(lambda at: off_the_axis(x, at), weight, upstream)


def by_steps(function, x, upstream, step=1e-40):
    found = torch.zeros_like(x)
    for place in range(x.numel()):
        moved = x + 0 * i
        moved.view(-1)[place] += step * i
        found.view(-1)[place] = (-i * function(moved) * upstream).sum().double() / step
    return found


def off_the_axis(x, weight):
    parts = mean_taken_away(to_groups(x))
    powers = torch.where(parts.double() < 0, -parts, parts) ** « norm_rule.power »
    root = 1 / « norm_rule.power »
    size = (powers.mean(-1, keepdim=True) + « norm_rule.epsilon ») ** root
    return from_groups(parts / size) * weight
