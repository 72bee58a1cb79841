# earns: 22
# fails: norm_values | its epsilon is added after the root; it belongs under it, to the mean of the
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
