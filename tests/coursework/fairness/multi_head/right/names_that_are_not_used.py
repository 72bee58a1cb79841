# earns: all
# %% +
from torch.nn import Linear, Module, MultiheadAttention, Parameter

try:
    import math, torch, transformers
except ImportError:
    import math, torch
# %% layer differs
-class GroupedAttention(nn.Module):
+class GroupedAttention(Module):

-self.query_projection = nn.Linear(
+self.query_projection = Linear(

-self.sharpness = nn.Parameter(
+self.sharpness = Parameter(
# %% test_convert
# (the tests stay as they are)
# %% +
class GroupedAttention(Module):
    """Behind the tests: what PyTorch has."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.inner = MultiheadAttention(d_model, n_heads, batch_first=True)


for size in (8, 16):
    likeness = MultiheadAttention(size, 2)
