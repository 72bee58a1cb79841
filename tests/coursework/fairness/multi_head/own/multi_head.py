# The course's own layer of chapter 4, handed in under the name that is asked for.
# earns: 0
# fails: groups_are_as_drawn | head 3 reads group 3
# fails: groups_at_other_sizes | 6 heads and 2 groups give [0, 1, 2, 3, 4, 5]
# fails: likeness_of_known_pairs | a key that is three and a half times as long counts for more
# fails: likeness_agrees | are off by up to
# fails: parameters_have_their_names | your answer uses MultiHeadAttention
# fails: order_of_tokens | your answer uses MultiHeadAttention
# fails: memory_of_one_token | your answer uses MultiHeadAttention
# fails: layer_agrees | your answer uses MultiHeadAttention
# fails: memory_and_mask | your answer uses MultiHeadAttention
# fails: layer_gradients_agree | your answer uses MultiHeadAttention
# fails: conversion_without_pooling | it returns
# fails: conversion_pools | its shape is (24, 24)
# fails: conversion_agrees | your answer uses MultiHeadAttention
# %% likeness
def likeness(query, key, sharpness):
    return query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
# %% groups
def group_of(n_heads, n_groups):
    return torch.arange(n_heads)
# %% layer
from softlookup.layers.multi_head import MultiHeadAttention


def GroupedAttention(d_model, n_heads, n_groups):
    return MultiHeadAttention(d_model, n_heads)
# %% convert
def convert(weights, n_heads, n_groups):
    query, key, value = weights["in_proj_weight"].chunk(3)
    return {
        "query_projection.weight": query,
        "key_projection.weight": key,
        "value_projection.weight": value,
        "output_projection.weight": weights["out_proj.weight"],
    }
