# earns: 4
# fails: weights_agree | NaN
# %% weights differs
-    powers = « base » ** (scores - scores.amax(-1, keepdim=True))
+    powers = « base » ** scores
