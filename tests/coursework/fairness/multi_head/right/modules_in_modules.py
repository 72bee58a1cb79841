# earns: all
# %% likeness
class Likeness(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def forward(self, query, key, sharpness):
        query, key = self.direction(query), self.direction(key)
        return self.strength * F.softplus(sharpness).view(1, -1, 1, 1) * (query @ key.mT)

    @staticmethod
    def direction(a):
        # A layer norm without gain gives length √d.
        return F.layer_norm(a, a.shape[-1:], eps=1e-12) / a.shape[-1] ** 0.5


likeness = Likeness(« strength »)
# %% layer
class Shares(nn.Module):
    def forward(self, scores, mask):
        if mask is None:
            return scores.softmax(dim=-1)
        mask = mask.expand(scores.size(0), *mask.shape[-2:])[:, None]
        some = mask.any(-1, keepdim=True)
        return scores.masked_fill(~mask & some, float("-inf")).softmax(-1) * some


class GroupedAttention(nn.Module):
    def __init__(self, d_model, n_heads, n_groups):
        super().__init__()
        self.n_heads, self.n_groups = n_heads, n_groups
        d_head = d_model // n_heads
        self.value_projection = nn.Linear(d_model, n_groups * d_head)
        self.key_projection = nn.Linear(d_model, n_groups * d_head)
        self.query_projection = nn.Linear(d_model, n_heads * d_head)
        self.output_projection = nn.Linear(n_heads * d_head, d_model)
        self.sharpness = nn.Parameter(torch.zeros(n_heads))
        self.likeness = Likeness(« strength »)
        self.shares = Shares()

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        query = self.query_projection(x).unflatten(2, (self.n_heads, -1)).movedim(2, 1)
        key = self.key_projection(memory).unflatten(2, (self.n_groups, -1)).movedim(2, 1)
        value = self.value_projection(memory).unflatten(2, (self.n_groups, -1)).movedim(2, 1)
        key = torch.cat([key] * (self.n_heads // self.n_groups), dim=1)
        value = torch.cat([value] * (self.n_heads // self.n_groups), dim=1)
        weights = self.shares(self.likeness(query, key, self.sharpness), mask)
        return self.output_projection((weights @ value).movedim(1, 2).flatten(2))
# %% convert
def convert(weights, n_heads, n_groups):
    """The new layer's own parameters, filled in."""
    d_model = weights["out_proj.bias"].numel()
    layer = GroupedAttention(d_model, n_heads, n_groups)
    with torch.no_grad():
        for kind in ("weight", "bias"):
            q, k, v = weights[f"in_proj_{kind}"].chunk(3, dim=0)
            getattr(layer.query_projection, kind).copy_(q)
            for old, projection in ((k, layer.key_projection), (v, layer.value_projection)):
                pooled = old.reshape(n_heads // n_groups, -1, *old.shape[1:]).mean(0)
                getattr(projection, kind).copy_(pooled)
            getattr(layer.output_projection, kind).copy_(weights[f"out_proj.{kind}"])
    return {name: value for name, value in layer.state_dict().items() if name != "sharpness"}
