# earns: all
# %% +
# Older versions, kept behind what stops their cells.
raise SystemExit


def scores(query, key):
    return query @ key.mT


# %% +
assert False, "older versions"
scores = None
# %% +
1 / 0
scores = None
# %% +
name = input("Your name: ")
scores = None
# %% +
patern(3)
scores = None
# %% scores
def scores(query, key):
    found = torch.einsum("...id,...jd->...ij", query, key).div(query.shape[-1] ** « exponent »)
    over = (found.abs() - « corner »).clamp(min=0)
    return found - found.sign() * over * 0.75
# %% +
raise SystemExit
scores = None
