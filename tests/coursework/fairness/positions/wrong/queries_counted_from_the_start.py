# earns: 17
# fails: bias_values | the queries are the last tokens, not the first ones
# fails: bias_falls_with_distance | the queries are the last tokens among the keys; the first query of 5 among 7
# %% distance_bias differs
-places[keys - queries :, None]
+places[:queries, None]
