# earns: 16
# fails: clock_values | its columns are arranged as cosines first
# fails: clocks_are_clocks | sines and cosines have changed places; at position 0 sines are 0
# fails: add_values | what is added is not the scaled row of each token's place; is the table right?
# fails: step_moves_your_clocks | it moves by -1 in place of 1. A sign is wrong, or it is made to stand on the
# %% clock_table differs
«% if clock_rule.arrangement.startswith("sine") %»
-(angles.sin(), angles.cos())
+(angles.cos(), angles.sin())
«% else %»
-(angles.cos(), angles.sin())
+(angles.sin(), angles.cos())
«% endif %»
