# No group is repeated: heads that share are an axis of their own.
# earns: all
# %% groups
def group_of(n_heads, n_groups):
    return torch.arange(n_groups).repeat(n_heads // n_groups)
# %% likeness
def likeness(query, key, sharpness):
    q = query - query.mean(-1, keepdim=True)
    k = key - key.mean(-1, keepdim=True)
    q = q / q.norm(dim=-1, keepdim=True).clamp_min(1e-12)
    k = k / k.norm(dim=-1, keepdim=True).clamp_min(1e-12)
    t = « strength » * torch.log1p(torch.exp(sharpness))
    return torch.einsum("bhnd,bhmd,h->bhnm", q, k, t)
# %% layer
class GroupedAttention(nn.Module):
    def __init__(self, d_model, n_heads, n_groups):
        super().__init__()
        self.h, self.G, self.d = n_heads, n_groups, d_model // n_heads
        self.query_projection = nn.Linear(d_model, d_model)
        self.key_projection = nn.Linear(d_model, self.G * self.d)
        self.value_projection = nn.Linear(d_model, self.G * self.d)
        self.output_projection = nn.Linear(d_model, d_model)
        self.sharpness = nn.Parameter(torch.zeros(n_heads))

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
