# earns: 18
# fails: clock_values | its columns are arranged as cosines first
# fails: clocks_are_clocks | sines and cosines have changed places; at position 0 sines are 0
# %% clock_table differs
«% if clock_rule.arrangement.startswith("sine") %»
-(angles.sin(), angles.cos())
+(angles.cos(), angles.sin())
«% else %»
-(angles.cos(), angles.sin())
+(angles.sin(), angles.cos())
«% endif %»
