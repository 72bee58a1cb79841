# earns: 18
# fails: clock_values | it is counted from 1
# fails: clocks_are_clocks | at position 0 the clocks do not stand at 0; is it counted from 1?
# %% clock_table differs
-torch.arange(length,
+torch.arange(1, length + 1,
