# earns: 22
# fails: norm_gradient_far_and_flat | Is it made of differences? Their step drowns

# %% norm_gradient
def norm_gradient(x, weight, upstream):
    return by_differences(lambda x: norm(x, weight), x, upstream), by_differences(
        lambda weight: norm(x, weight), weight, upstream
    )


def by_differences(function, x, upstream):
    """By five points, with a step that follows the size of its token."""
    found = torch.zeros_like(x)
    for place in itertools.product(*map(range, x.shape)):
        move = torch.zeros_like(x)
        step = move[place] = 1e-3 * max(1.0, x[place[:-1]].abs().max().item())
        near = function(x + move) - function(x - move)
        far = function(x + 2 * move) - function(x - 2 * move)
        found[place] = ((8 * near - far) * upstream).sum() / (12 * step)
    return found

# %% +
import itertools
