# earns: 16
# fails: add_values | it does not begin at the first token's place
# fails: turn_values | the first token's place is left out
# fails: scores_know_offsets_alone | it takes no notice of where the first token stands
# %% add_clocks differs
-clock_table(first + length, width)[first:]
+clock_table(length, width)
# %% turn differs
-torch.arange(first, first + length,
+torch.arange(length,
