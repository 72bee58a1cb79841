# earns: 17
# fails: turn_values | it turns all features; some are to rest
# fails: scores_know_offsets_alone | only the first 18 of 24 features are turned; the others stay as they are
# %% turn differs
-round(« turn_rule.share » * width)
+width
