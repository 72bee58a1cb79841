# Ready-made attention stands in cells of the student's own, to compare with.
# earns: all
# %% +
import numpy as np
from torch.nn import MultiheadAttention

old = MultiheadAttention(24, 6, batch_first=True)
# %% groups
group_of = lambda n_heads, n_groups: np.arange(n_heads) % n_groups
# %% likeness
def likeness(query, key, sharpness):
    def standardise(a):
        a = a - a.mean(-1, keepdim=True)
        return a / (a.std(-1, unbiased=False, keepdim=True) + 1e-12)

    correlation = standardise(query) @ standardise(key).transpose(-1, -2) / query.shape[-1]
    return correlation * F.softplus(sharpness)[None, :, None, None] * « strength »
# %% + markdown
Is mine near PyTorch's? It should *not* be equal: the scores are others.
# %% layer
class GroupedAttention(torch.nn.Module):
    """My layer."""

    def __init__(self, d_model, n_heads, n_groups):
        super().__init__()
        assert d_model % n_heads == 0 and n_heads % n_groups == 0
        self.d_model, self.n_heads, self.n_groups = d_model, n_heads, n_groups
        width = n_groups * (d_model // n_heads)
        self.query_projection = nn.Linear(d_model, d_model, bias=True)
        self.key_projection = nn.Linear(d_model, width, bias=True)
        self.value_projection = nn.Linear(d_model, width, bias=True)
        self.output_projection = nn.Linear(d_model, d_model, bias=True)
        self.register_parameter("sharpness", nn.Parameter(torch.zeros((n_heads,))))

    def heads(self, a, number):
        return torch.stack(a.chunk(number, dim=-1), dim=1)

    def forward(self, x, memory=None, mask=None):
        source = memory if memory is not None else x
        which = torch.from_numpy(group_of(self.n_heads, self.n_groups))
        q = self.heads(self.query_projection(x), self.n_heads)
        k = self.heads(self.key_projection(source), self.n_groups).index_select(1, which)
        v = self.heads(self.value_projection(source), self.n_groups).index_select(1, which)
        s = likeness(q, k, self.sharpness)
        allowed = torch.ones_like(s, dtype=torch.bool)
        if mask is not None:
            allowed = allowed & (mask if mask.ndim == 2 else mask.unsqueeze(1))
        s = torch.where(allowed, s, torch.tensor(-torch.inf))
        w = torch.nan_to_num(torch.softmax(s, dim=-1), nan=0.0)
        return self.output_projection(torch.cat((w @ v).unbind(1), dim=-1))
# %% +
tokens = torch.randn(2, 7, 24)
mine = GroupedAttention(24, 6, 6)
print((mine(tokens) - old(tokens, tokens, tokens)[0]).abs().mean())
print(F.scaled_dot_product_attention(tokens, tokens, tokens).shape)
# %% convert
def convert(weights, n_heads, n_groups):
    W, b = weights["in_proj_weight"].numpy(), weights["in_proj_bias"].numpy()
    d_model = W.shape[1]
    share = np.eye(n_groups)[group_of(n_heads, n_groups)]
    share = (share / share.sum(0)).T
    result = {}
    for i, name in enumerate(("query", "key", "value")):
        part, offset = W[i * d_model : (i + 1) * d_model], b[i * d_model : (i + 1) * d_model]
        if i > 0:
            part = np.tensordot(share, part.reshape(n_heads, -1, d_model), 1).reshape(-1, d_model)
            offset = (share @ offset.reshape(n_heads, -1)).reshape(-1)
        result[name + "_projection.weight"] = torch.tensor(part, dtype=torch.float32)
        result[name + "_projection.bias"] = torch.tensor(offset, dtype=torch.float32)
    result["output_projection.weight"] = weights["out_proj.weight"]
    result["output_projection.bias"] = weights["out_proj.bias"]
    return result
