# earns: 7
# fails: groups_are_as_drawn | neighbours share a group
# fails: groups_at_other_sizes | 6 heads and 2 groups give [0, 0, 0, 1, 1, 1]
# fails: memory_of_one_token | groups are dealt out to neighbours, and not as group_of says
# fails: layer_agrees | groups are given to neighbours, and not as group_of says
# fails: memory_and_mask | groups are given to neighbours, and not as group_of says
# fails: layer_gradients_agree | are off by up to
# fails: conversion_pools | group 0 of key_projection.weight holds 2.500 where heads [0, 3, 6, 9] hold [1, 4, 7, 10]
# fails: conversion_agrees | are off by up to
# %% groups
def group_of(n_heads, n_groups):
    return torch.arange(n_groups).repeat_interleave(n_heads // n_groups)
