# earns: 19
# fails: turn_values | its pairs are neighbours
# %% turn differs
«% if turn_rule.pairing == "neighbours" %»
-turned[..., 0::2], turned[..., 1::2]
+turned.chunk(2, dim=-1)

-torch.stack(pair, dim=-1).flatten(-2)
+torch.cat(pair, dim=-1)
«% else %»
-turned.chunk(2, dim=-1)
+turned[..., 0::2], turned[..., 1::2]

-torch.cat(pair, dim=-1)
+torch.stack(pair, dim=-1).flatten(-2)
«% endif %»
