# earns: 14
# fails: norm_values | its epsilon is added after the root; it belongs under it, to the mean of the
# fails: norm_gradient_far_and_flat | it is wrong at a token of zeros, such as padding
# fails: norm_gradient_values | by x, it is not that of the norm
# fails: norm_gradient_agrees_with_your_norm | by x, it is not the gradient of your norm
# fails: block_gradient_values | it is not that of the block; if a part's gradient is wrong, this one is too
# fails: block_values | it is not two parts, each with its norm, scale and skip as asked; if a part
# fails: block_gradient_agrees | it is not the gradient of your block; are all its parts' gradients right?
# %% norm
def to_groups(x):
    «% if norm_rule.arrangement == "runs" %»
    return x.unflatten(-1, (« norm_rule.groups », -1))
    «% else %»
    return x.unflatten(-1, (-1, « norm_rule.groups »)).mT
    «% endif %»


def from_groups(parts):
    return « "parts" if norm_rule.arrangement == "runs" else "parts.mT" ».flatten(-2)


def mean_taken_away(parts):
    return parts - parts.mean(« "-1" if norm_rule.centre == "group" else "(-2, -1)" », keepdim=True)


def centre_and_size(x):
    centred = mean_taken_away(to_groups(x))
    root = (centred.abs() ** « norm_rule.power »).mean(-1, keepdim=True) ** (1 / « norm_rule.power »)
    return centred, root + « norm_rule.epsilon »


def norm(x, weight):
    centred, size = centre_and_size(x)
    return from_groups(centred / size) * weight
