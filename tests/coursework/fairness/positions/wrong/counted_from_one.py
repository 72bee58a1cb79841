# earns: 17
# fails: clock_values | it is counted from 1
# fails: clocks_are_clocks | at position 0 the clocks do not stand at 0; is it counted from 1?
# fails: add_values | what is added is not the scaled row of each token's place; is the table right?
# %% clock_table differs
-torch.arange(length,
+torch.arange(1, length + 1,
