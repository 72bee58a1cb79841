# earns: all
# %% groups
def group_of(n_heads, n_groups):
    found = {}
    for head in range(n_heads):
        lap, step = divmod(head, n_groups)
        found[head] = {
            "contiguous": head // (n_heads // n_groups),
            "interleaved": step,
            "folded": n_groups - 1 - step if lap % 2 else step,
        }["« sharing »"]
    return found.values()
# %% layer differs
-        order = group_of(self.n_heads, self.n_groups)
+        order = [*group_of(self.n_heads, self.n_groups)]
# %% convert differs
-    order = torch.as_tensor(group_of(n_heads, n_groups))
+    order = torch.as_tensor([*group_of(n_heads, n_groups)])
