# earns: all
# %% groups
def group_of(n_heads, n_groups):
    groups = []
    while len(groups) < n_heads:
        for g in range(n_groups):
            groups.append(g)
    return groups
# %% likeness
def likeness(query, key, sharpness):
    sheets = []
    for h, t in enumerate(sharpness):
        q, k = query[:, h], key[:, h]
        q = q - q.mean(dim=-1, keepdim=True)
        k = k - k.mean(dim=-1, keepdim=True)
        lengths = q.norm(dim=-1)[:, :, None] * k.norm(dim=-1)[:, None, :]
        cosine = q @ k.transpose(1, 2) / (lengths + 1e-20)
        sheets.append(« strength » * F.softplus(t) * cosine)
    return torch.stack(sheets, dim=1)
# %% layer
class GroupedAttention(nn.Module):
    def __init__(self, d_model, n_heads, n_groups):
        super().__init__()
        self.n_heads = n_heads
        self.n_groups = n_groups
        self.d_head = d_model // n_heads
        for name, width in (("query", n_heads), ("key", n_groups), ("value", n_groups)):
            setattr(self, f"{name}_projection", nn.Linear(d_model, width * self.d_head))
        self.output_projection = nn.Linear(n_heads * self.d_head, d_model)
        self.sharpness = nn.Parameter(torch.zeros(n_heads))

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        queries = self.query_projection(x).split(self.d_head, dim=-1)
        keys = self.key_projection(memory).split(self.d_head, dim=-1)
        values = self.value_projection(memory).split(self.d_head, dim=-1)
        found = []
        for h, g in enumerate(group_of(self.n_heads, self.n_groups)):
            s = likeness(queries[h][:, None], keys[g][:, None], self.sharpness[h : h + 1])[:, 0]
            if mask is None:
                w = torch.softmax(s, dim=-1)
            else:
                w = torch.softmax(s.masked_fill(~mask, -float("inf")), dim=-1)
                w = torch.where(mask, w, 0.0)
            found.append(torch.bmm(w, values[g]))
        return self.output_projection(torch.cat(found, dim=-1))
# %% convert
def convert(weights, n_heads, n_groups):
    d_model = weights["out_proj.weight"].shape[0]
    d_head = d_model // n_heads
    new = {"output_projection.weight": weights["out_proj.weight"],
           "output_projection.bias": weights["out_proj.bias"]}
    for n, name in enumerate(["query", "key", "value"]):
        for kind in ["weight", "bias"]:
            rows = weights["in_proj_" + kind][n * d_model : (n + 1) * d_model]
            if name != "query":
                pooled = torch.zeros(n_groups * d_head, *rows.shape[1:])
                for h, g in enumerate(group_of(n_heads, n_groups)):
                    part = rows[h * d_head : (h + 1) * d_head] * n_groups / n_heads
                    pooled[g * d_head : (g + 1) * d_head] += part
                rows = pooled
            new[f"{name}_projection.{kind}"] = rows
    return new
