# earns: 14
# fails: conversion_without_pooling | query_projection.weight is transposed
# fails: conversion_pools | key_projection.weight pools by the first, see the text
# fails: conversion_agrees | are off by up to
# %% convert differs
-weights[f"in_proj_{kind}"].chunk(3)
+(part.T for part in weights[f"in_proj_{kind}"].chunk(3))
