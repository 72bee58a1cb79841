# earns: 26
# fails: the_training_is_as_asked | with the plain loss, and not with yours

# %% training differs
-        lambda model, batch: loss(model(batch[0]), batch[1]),
+        lambda model, batch: F.cross_entropy(model(batch[0]).mT, batch[1]),
