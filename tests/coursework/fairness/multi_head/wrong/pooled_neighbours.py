# earns: 15
# fails: conversion_pools | group 0 of key_projection.weight holds 2.500 where heads [0, 3, 6, 9] hold [1, 4, 7, 10]
# fails: conversion_agrees | are off by up to
# %% convert differs
-torch.as_tensor(group_of(n_heads, n_groups))
+torch.arange(n_heads) // (n_heads // n_groups)
