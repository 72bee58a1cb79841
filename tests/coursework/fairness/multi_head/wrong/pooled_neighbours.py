# earns: 15
# fails: conversion_pools | group 0 of key_projection.weight holds 2.500 where heads [0, 3, 6, 9] hold [1, 4, 7, 10]
# fails: conversion_agrees | are off by up to
# %% convert
def convert(weights, n_heads, n_groups):
    order = torch.arange(n_heads) // (n_heads // n_groups)

    def pool(rows):
        heads = rows.unflatten(0, (n_heads, -1))
        return torch.cat([heads[order == group].mean(dim=0) for group in range(n_groups)])

    new = {}
    for kind in ("weight", "bias"):
        query, key, value = weights[f"in_proj_{kind}"].chunk(3)
        new[f"query_projection.{kind}"] = query
        new[f"key_projection.{kind}"] = pool(key)
        new[f"value_projection.{kind}"] = pool(value)
        new[f"output_projection.{kind}"] = weights[f"out_proj.{kind}"]
    return new
