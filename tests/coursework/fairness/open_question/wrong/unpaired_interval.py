# earns: 20
# fails: pairs_are_compared | take the differences of the pairs first
# fails: intervals_are_right | of 8 pairs it goes from
# fails: the_interval_covers | it is too wide

# %% interval
def interval(mine, other):
    chance = np.random.default_rng(1)
    mine, other = np.array(mine), np.array(other)
    n = len(mine)
    some = mine[chance.integers(n, size=(4000, n))].mean(1)
    others = other[chance.integers(n, size=(4000, n))].mean(1)
    low, high = np.quantile(some - others, [« (1 - level) / 2 », « (1 + level) / 2 »])
    return float(low), float(high)
