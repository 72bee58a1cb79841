# earns: 26
# fails: the_training_is_as_asked | your schedule is not used

# %% training differs
-        schedule=schedule,
+        schedule=lambda step, steps: 1.0,
