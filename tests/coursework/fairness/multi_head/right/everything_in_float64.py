# earns: all
# %% +
torch.set_default_dtype(torch.float64)
# %% groups differs
-    head = torch.arange(n_heads)
+    head = torch.arange(0, n_heads)
