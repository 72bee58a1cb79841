# earns: all
# %% experiment differs
-    return right.double().mean().item()
+    return np.mean(right.numpy())
