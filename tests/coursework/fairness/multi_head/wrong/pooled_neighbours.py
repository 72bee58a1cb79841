# earns: 15
# fails: conversion_pools | group 0 of key_projection.weight holds
# fails: conversion_agrees | are off by up to
# %% convert differs
-torch.as_tensor(group_of(n_heads, n_groups))
+torch.arange(n_heads) // (n_heads // n_groups)
