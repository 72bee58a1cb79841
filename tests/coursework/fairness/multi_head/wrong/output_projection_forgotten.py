# earns: 12
# fails: memory_of_one_token | the output projection is not used
# fails: layer_agrees | the output projection is not used
# fails: memory_and_mask | the output projection is not used
# fails: layer_gradients_agree | are off by up to
# %% layer differs
-self.output_projection(heads.transpose(1, 2).flatten(start_dim=2))
+heads.transpose(1, 2).flatten(start_dim=2)
