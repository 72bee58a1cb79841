# earns: 3
# fails: the_worst_get_nothing | do not share out one
# fails: chosen_agrees | the numbers are others
# %% chosen differs
-    return weights(scores.scatter(-1, worst, float("-inf")))
+    return weights(scores).scatter(-1, worst, 0.0)
