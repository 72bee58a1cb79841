# earns: 19
# fails: clock_values | its base is 10000, as everywhere else; the term has another
# %% clock_table differs
-speeds(n_clocks, « clock_rule.base »)
+speeds(n_clocks, 10000)
