# Split rightly, joined by a view.
# earns: 11
# fails: order_of_tokens | tokens that change places do not take their outputs along
# fails: memory_of_one_token | where there is one token to look at, its weight is not one in every head
# fails: layer_agrees | are off by up to
# fails: memory_and_mask | are off by up to
# fails: layer_gradients_agree | are off by up to
# %% layer differs
-heads.transpose(1, 2).flatten(start_dim=2)
+heads.reshape(x.shape)
