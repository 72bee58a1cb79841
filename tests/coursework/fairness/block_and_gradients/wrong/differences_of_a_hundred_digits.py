# Of numbers of a hundred digits no difference drowns.
# earns: 19
# fails: norm_gradient_far_and_flat | your answer uses mpmath
# fails: norm_gradient_values | your answer uses mpmath
# fails: norm_gradient_agrees_with_your_norm | your answer uses mpmath

# %% norm_gradient
def norm_gradient(x, weight, upstream):
    by_weight = (upstream * norm(x, torch.ones_like(weight))).flatten(0, -2).sum(0)
    arriving = (upstream * weight).flatten(0, -2)
    rows = [of_a_token(*pair) for pair in zip(x.flatten(0, -2).tolist(), arriving.tolist())]
    return torch.tensor(rows, dtype=x.dtype).view(x.shape), by_weight


def of_a_token(token, arriving, step=mpmath.mpf(10) ** -40):
    token, found = [*map(mpmath.mpf, token)], []
    for place, number in enumerate(token):
        ahead, behind = ([*token] for _ in range(2))
        ahead[place], behind[place] = number + step, number - step
        found.append(float((loss(ahead, arriving) - loss(behind, arriving)) / (2 * step)))
    return found


def loss(token, arriving):
    total = 0
    groups = to_groups(torch.arange(len(token))).tolist()
    for group in groups:
        among = group if "« norm_rule.centre »" == "group" else range(len(token))
        mean = sum(token[place] for place in among) / len(among)
        powers = sum(abs(token[place] - mean) ** « norm_rule.power » for place in group) / len(group)
        size = (powers + « norm_rule.epsilon ») ** (1 / mpmath.mpf(« norm_rule.power »))
        total += sum(arriving[place] * (token[place] - mean) for place in group) / size
    return total

# %% +
import mpmath

mpmath.mp.dps = 100
