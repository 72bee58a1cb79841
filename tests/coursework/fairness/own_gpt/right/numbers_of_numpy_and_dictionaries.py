# earns: all
# %% merges differs
-    merges = []
+    merges = {}

-        merges.append(best)
+        merges[best] = len(merges)
# %% bits differs
-    return bits / characters
+    return np.float64(bits / characters)
# %% +
import numpy as np
