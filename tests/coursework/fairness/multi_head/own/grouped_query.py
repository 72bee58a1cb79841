# The course's own layer with shared keys, handed in under the name that is asked for.
# earns: 0
# fails: groups_are_as_drawn | your answer uses layers.grouped_query
# fails: groups_at_other_sizes | your answer uses layers.grouped_query
# fails: likeness_of_known_pairs | a key that is three and a half times as long counts for more
# fails: likeness_agrees | are off by up to
# fails: parameters_have_their_names | your answer uses NormedQueryKeyAttention
# fails: order_of_tokens | your answer uses NormedQueryKeyAttention
# fails: memory_of_one_token | your answer uses NormedQueryKeyAttention
# fails: layer_agrees | your answer uses NormedQueryKeyAttention
# fails: memory_and_mask | your answer uses NormedQueryKeyAttention
# fails: layer_gradients_agree | your answer uses NormedQueryKeyAttention
# fails: conversion_without_pooling | it returns
# fails: conversion_pools | its shape is (24, 24)
# fails: conversion_agrees | your answer uses NormedQueryKeyAttention
# %% groups
from softlookup.layers.grouped_query import hand_out


def group_of(n_heads, n_groups):
    return hand_out(torch.arange(n_groups).view(1, n_groups, 1, 1), n_heads).flatten()
# %% likeness
def likeness(query, key, sharpness):
    return query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
# %% layer
from softlookup.layers.grouped_query import NormedQueryKeyAttention as GroupedAttention
# %% convert
def convert(weights, n_heads, n_groups):
    query, key, value = weights["in_proj_weight"].chunk(3)
    return {
        "query_projection.weight": query,
        "key_projection.weight": key,
        "value_projection.weight": value,
        "output_projection.weight": weights["out_proj.weight"],
    }
