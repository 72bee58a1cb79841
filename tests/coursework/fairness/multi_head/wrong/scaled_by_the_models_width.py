# earns: 13
# fails: layer_agrees | scores are divided by the root of d_model, and lengths are not taken out
# fails: memory_and_mask | scores are divided by the root of d_model, and lengths are not taken out
# fails: layer_gradients_agree | are off by up to
# %% layer differs
-likeness(query, key, self.sharpness)
+query @ key.mT / math.sqrt(x.size(-1))
