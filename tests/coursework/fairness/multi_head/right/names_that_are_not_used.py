# earns: all
# %% +
from torch.nn import Linear, Module, MultiheadAttention, Parameter

try:
    import math, torch, transformers
except ImportError:
    import math, torch
# %% likeness
def likeness(query, key, sharpness):
    q, k = (x - x.mean(-1, keepdim=True) for x in (query, key))
    scale = « strength » * torch.log1p(torch.exp(sharpness))
    return torch.einsum("bhnd,bhmd,h->bhnm", F.normalize(q, dim=-1), F.normalize(k, dim=-1), scale)
# %% layer
class GroupedAttention(Module):
    def __init__(self, d_model, n_heads, n_groups):
        super().__init__()
        self.h, self.G, self.d = n_heads, n_groups, d_model // n_heads
        self.query_projection = Linear(d_model, d_model)
        self.key_projection = Linear(d_model, self.G * self.d)
        self.value_projection = Linear(d_model, self.G * self.d)
        self.output_projection = Linear(d_model, d_model)
        self.sharpness = Parameter(torch.zeros(n_heads))

    def forward(self, x, memory=None, mask=None):
        if memory is None:
            memory = x
        b, n, _ = x.shape
        m = memory.shape[1]
        # Head r * G + g reads group g.
        q = self.query_projection(x).view(b, n, self.h // self.G, self.G, self.d)
        k = self.key_projection(memory).view(b, m, self.G, self.d)
        v = self.value_projection(memory).view(b, m, self.G, self.d)

        def hat(a):
            return F.normalize(a - a.mean(-1, keepdim=True), dim=-1)

        t = (« strength » * F.softplus(self.sharpness)).view(-1, self.G)
        s = torch.einsum("bnrgd,bmgd,rg->brgnm", hat(q), hat(k), t)
        if mask is not None:
            mask = mask.view(-1, 1, 1, *mask.shape[-2:])
            s = s.masked_fill(~mask, -1e9)
        w = s.softmax(-1)
        if mask is not None:
            w = w * mask
        return self.output_projection(torch.einsum("brgnm,bmgd->bnrgd", w, v).reshape(b, n, -1))
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
