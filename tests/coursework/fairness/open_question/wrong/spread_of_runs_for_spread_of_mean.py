# earns: 20
# fails: pairs_are_compared | is expected
# fails: intervals_are_right | of 8 pairs it goes from
# fails: the_interval_covers | it is too wide

# %% interval
def interval(mine, other):
    d = np.array(mine) - np.array(other)
    return float(d.mean() - 6 * d.std()), float(d.mean() + 6 * d.std())
