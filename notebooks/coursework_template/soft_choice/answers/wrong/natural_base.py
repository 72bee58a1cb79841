# earns: 3
# fails: weights_have_the_base | they have the base e
# fails: weights_agree | the numbers are others
# %% weights differs
-    powers = « base » ** (scores - scores.amax(-1, keepdim=True))
+    powers = torch.exp(scores - scores.amax(-1, keepdim=True))
