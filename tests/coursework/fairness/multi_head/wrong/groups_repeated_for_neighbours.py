# `repeat_interleave`, as most models do it; this term deals heads out otherwise.
# earns: 12
# fails: memory_of_one_token | groups are dealt out to neighbours, and not as group_of says
# fails: layer_agrees | groups are given to neighbours, and not as group_of says
# fails: memory_and_mask | groups are given to neighbours, and not as group_of says
# fails: layer_gradients_agree | are off by up to
# %% layer differs
-self.key_projection(memory), self.n_groups)[:, order]
+self.key_projection(memory), self.n_groups).repeat_interleave(self.n_heads // self.n_groups, 1)

-self.value_projection(memory), self.n_groups)[:, order]
+self.value_projection(memory), self.n_groups).repeat_interleave(self.n_heads // self.n_groups, 1)
