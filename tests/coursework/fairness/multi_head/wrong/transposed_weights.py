# earns: 14
# fails: conversion_without_pooling | query_projection.weight is transposed
# fails: conversion_pools | key_projection.weight pools by the first, see the text
# fails: conversion_agrees | are off by up to
# %% convert
def convert(weights, n_heads, n_groups):
    order = group_of(n_heads, n_groups)

    def pool(rows):
        heads = rows.unflatten(0, (n_heads, -1))
        return torch.cat([heads[order == group].mean(dim=0) for group in range(n_groups)])

    new = {}
    for kind in ("weight", "bias"):
        query, key, value = (part.T for part in weights[f"in_proj_{kind}"].chunk(3))
        new[f"query_projection.{kind}"] = query
        new[f"key_projection.{kind}"] = pool(key)
        new[f"value_projection.{kind}"] = pool(value)
        new[f"output_projection.{kind}"] = weights[f"out_proj.{kind}"]
    return new
