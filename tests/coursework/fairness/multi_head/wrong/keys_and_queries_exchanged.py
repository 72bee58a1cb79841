# earns: 15
# fails: conversion_without_pooling | query_projection.weight holds what belongs to the key
# fails: conversion_agrees | are off by up to
# %% convert differs
-query, key, value = weights
+key, query, value = weights
