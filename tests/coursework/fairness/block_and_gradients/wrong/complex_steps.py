# A step off the real axis is a difference that rounds nothing away, so no size of tokens tells it.
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
        moved = x.to(torch.complex128)
        moved[place] += step * 1j
        found[place] = (function(moved).imag * upstream).sum() / step
    return found


def off_the_axis(x, weight):
    parts = mean_taken_away(to_groups(x))
    powers = torch.where(parts.real < 0, -parts, parts) ** « norm_rule.power »
    root = 1 / « norm_rule.power »
    size = (powers.mean(-1, keepdim=True) + « norm_rule.epsilon ») ** root
    return from_groups(parts / size) * weight

# %% +
import itertools
