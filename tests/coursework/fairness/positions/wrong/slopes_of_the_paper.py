# earns: 18
# fails: bias_values | its slopes are those of the paper
# %% distance_bias differs
-bias = -slopes *
+bias = -(2 ** (-8 * (head + 1) / n_heads)) *
