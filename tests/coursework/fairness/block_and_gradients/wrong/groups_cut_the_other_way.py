# earns: 21
# fails: norm_values | its groups are cut the other way
# fails: norm_sets_the_size_of_each_group | its groups are cut the other way; are they neighbours, or every 4th feature?
# %% norm
def to_groups(x):
    «% if norm_rule.arrangement != "runs" %»
    return x.unflatten(-1, (« norm_rule.groups », -1))
    «% else %»
    return x.unflatten(-1, (-1, « norm_rule.groups »)).mT
    «% endif %»


def from_groups(parts):
    return « "parts" if norm_rule.arrangement != "runs" else "parts.mT" ».flatten(-2)


def mean_taken_away(parts):
    return parts - parts.mean(« "-1" if norm_rule.centre == "group" else "(-2, -1)" », keepdim=True)


def centre_and_size(x):
    centred = mean_taken_away(to_groups(x))
    powers = (centred.abs() ** « norm_rule.power »).mean(-1, keepdim=True)
    return centred, (powers + « norm_rule.epsilon ») ** (1 / « norm_rule.power »)


def norm(x, weight):
    centred, size = centre_and_size(x)
    return from_groups(centred / size) * weight
