# earns: 17
# fails: clock_values | its base is 10000, as everywhere else; the term has another
# fails: add_values | what is added is not the scaled row of each token's place; is the table right?
# fails: step_moves_your_clocks | it does not move the rows of your table by 1
# %% clock_table differs
-speeds(n_clocks, « clock_rule.base »)
+speeds(n_clocks, 10000)
