# True = hidden, as nn.MultiheadAttention has it.
# earns: 16
# fails: memory_and_mask | the mask is inverted
# %% layer differs
-            mask = torch.ones(compared.shape[-2:], dtype=torch.bool)
+            mask = torch.zeros(compared.shape[-2:], dtype=torch.bool)
+        mask = ~mask
