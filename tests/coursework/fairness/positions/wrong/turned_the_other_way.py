# earns: 19
# fails: turn_values | it turns to the right
# %% turn differs
-angles.sin().to(x)
+-angles.sin().to(x)
