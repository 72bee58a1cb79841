# earns: 16
# fails: groups_are_as_drawn | neighbours share a group
# fails: groups_at_other_sizes | 6 heads and 2 groups give [0, 0, 0, 1, 1, 1]
# %% groups
def group_of(n_heads, n_groups):
    return torch.arange(n_groups).repeat_interleave(n_heads // n_groups)
