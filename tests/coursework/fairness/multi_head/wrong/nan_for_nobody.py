# earns: 16
# fails: memory_and_mask | the answer holds NaN
# %% layer differs
-weights.masked_fill(~mask, 0.0) @ value
+weights @ value
