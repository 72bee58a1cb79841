# earns: 17
# fails: parameters_have_their_names | of the text's parameters it lacks
# %% layer differs
-n_heads * width)
+n_heads * width, bias=False)

-key_projection = nn.Linear(d_model, n_groups * width)
+key_projection = nn.Linear(d_model, n_groups * width, bias=False)

-value_projection = nn.Linear(d_model, n_groups * width)
+value_projection = nn.Linear(d_model, n_groups * width, bias=False)

-nn.Linear(n_heads * width, d_model)
+nn.Linear(n_heads * width, d_model, bias=False)
