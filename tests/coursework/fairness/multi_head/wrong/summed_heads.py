# earns: 15
# fails: conversion_pools | key_projection.weight pools by the sum, see the text
# fails: conversion_agrees | are off by up to
# %% convert differs
-.mean(dim=0)
+.sum(dim=0)
