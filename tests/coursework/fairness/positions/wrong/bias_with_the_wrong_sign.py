# earns: 17
# fails: bias_values | its sign is wrong; far keys weigh more
# fails: bias_falls_with_distance | a nearer key has to weigh more than one further back
# %% distance_bias differs
-bias = -slopes *
+bias = slopes *
