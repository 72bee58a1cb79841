# earns: 13
# fails: order_of_tokens | the memory changes nothing
# fails: memory_of_one_token | the memory changes nothing
# fails: memory_and_mask | are off by up to
# fails: layer_gradients_agree | are off by up to
# %% layer differs
-memory = x if memory is None else memory
+memory = x
