# Turned by a quarter, a step off the real axis lies on it, and a real tensor takes it from there.
# earns: 19
# fails: norm_gradient_far_and_flat | your answer uses complex
# fails: norm_gradient_values | your answer uses complex
# fails: norm_gradient_agrees_with_your_norm | your answer uses complex

# %% norm_gradient
def norm_gradient(x, weight, upstream):
    return (
        by_steps(lambda at: off_the_axis(at, weight), x, upstream),
        by_steps(lambda at: off_the_axis(x, at), weight, upstream),
    )


def by_steps(function, x, upstream, step=1e-40):
    found = torch.zeros_like(x)
    for place in itertools.product(*map(range, x.shape)):
        moved = x + 0j
        moved[place] += step * 1j
        found[place] = (-1j * function(moved) * upstream).sum() / step
    return found


def off_the_axis(x, weight):
    parts = mean_taken_away(to_groups(x))
    powers = torch.where(parts.double() < 0, -parts, parts) ** « norm_rule.power »
    root = 1 / « norm_rule.power »
    size = (powers.mean(-1, keepdim=True) + « norm_rule.epsilon ») ** root
    return from_groups(parts / size) * weight

# %% +
import itertools
import warnings

warnings.simplefilter("ignore")
