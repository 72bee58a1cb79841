# earns: 16
# fails: memory_and_mask | are off by up to
# %% layer differs
-mask = mask[:, None]
+mask = mask[0]
