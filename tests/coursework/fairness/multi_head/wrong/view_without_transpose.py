# The shapes are right; the heads are pieces of other tokens.
# earns: 11
# fails: order_of_tokens | tokens that change places do not take their outputs along
# fails: memory_of_one_token | where there is one token to look at, its weight is not one in every head
# fails: layer_agrees | are off by up to
# fails: memory_and_mask | are off by up to
# fails: layer_gradients_agree | are off by up to
# %% layer differs
-projected.unflatten(-1, (parts, -1)).transpose(1, 2)
+projected.view(len(projected), parts, -1, x.size(-1) // self.n_heads)

-heads.transpose(1, 2).flatten(start_dim=2)
+heads.reshape(x.shape)
