# earns: 11
# fails: order_of_tokens | weights do not share out one over the keys
# fails: memory_of_one_token | where there is one token to look at, its weight is not one in every head
# fails: layer_agrees | softmax runs over the heads
# fails: memory_and_mask | softmax runs over the heads
# fails: layer_gradients_agree | are off by up to
# %% layer differs
-float("-inf")), dim=-1)
+float("-inf")), dim=1)
