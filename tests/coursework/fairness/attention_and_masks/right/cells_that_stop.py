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
    s = query @ key.mT / query.shape[-1] ** « exponent »
    return torch.where(s.abs() > « corner », s.sign() * (« corner » + (s.abs() - « corner ») / 4), s)
# %% +
raise SystemExit
scores = None
