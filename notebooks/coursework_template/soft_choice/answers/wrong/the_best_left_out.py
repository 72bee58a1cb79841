# earns: 3
# fails: the_worst_get_nothing | the smallest are not those
# fails: chosen_agrees | the numbers are others
# %% chosen differs
-    worst = scores.topk(« left_out », dim=-1, largest=False).indices
+    worst = scores.topk(« left_out », dim=-1).indices
