# earns: 21
# fails: intervals_are_right | what it leaves out on each side
# fails: the_interval_covers | it is too narrow

# %% interval
def interval(mine, other):
    d = np.array(mine) - np.array(other)
    drawn = np.random.default_rng(1).integers(len(d), size=(4000, len(d)))
    low, high = np.quantile(d[drawn].mean(1), [« 1 - level », « level »])
    return float(low), float(high)
