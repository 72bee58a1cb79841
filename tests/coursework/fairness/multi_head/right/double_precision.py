# earns: all
# %% likeness
def likeness(query, key, sharpness):
    Q, K, t = query.double(), key.double(), sharpness.double()
    Q, K = (A - A.mean(dim=-1, keepdim=True) for A in (Q, K))
    squared = Q.square().sum(-1).unsqueeze(-1) * K.square().sum(-1).unsqueeze(-2)
    S = (Q @ K.mT) * torch.where(squared > 0, squared, 1.0).rsqrt()
    return S * (« strength » * torch.log(1 + torch.exp(t))).reshape(-1, 1, 1)
# %% layer
class GroupedAttention(nn.Module):
    def __init__(self, d_model, n_heads, n_groups):
        super(GroupedAttention, self).__init__()
        d = d_model // n_heads
        self.n_heads, self.n_groups, self.d = n_heads, n_groups, d
        self.query_projection = nn.Linear(d_model, n_heads * d)
        self.key_projection = nn.Linear(d_model, n_groups * d)
        self.value_projection = nn.Linear(d_model, n_groups * d)
        self.output_projection = nn.Linear(n_heads * d, d_model)
        self.sharpness = nn.Parameter(torch.zeros(n_heads))

    def forward(self, x, memory=None, mask=None):
        dtype = x.dtype
        y = x if memory is None else memory
        B, N, M = x.size(0), x.size(1), y.size(1)
        repeats = self.n_heads // self.n_groups
        Q = self.query_projection(x).reshape(B, N, self.n_heads, self.d).permute(0, 2, 1, 3)
        K = self.key_projection(y).reshape(B, M, self.n_groups, self.d).permute(0, 2, 1, 3)
        V = self.value_projection(y).reshape(B, M, self.n_groups, self.d).permute(0, 2, 1, 3)
        K, V = K.tile(1, repeats, 1, 1), V.tile(1, repeats, 1, 1)
        S = likeness(Q, K, self.sharpness)
        if mask is None:
            mask = torch.ones(N, M, dtype=torch.bool)
        mask = mask.unsqueeze(-3)
        E = torch.exp(S - S.amax(-1, keepdim=True)) * mask
        P = E / E.sum(-1, keepdim=True).clamp(min=1e-100)
        Y = (P @ V.double()).to(dtype)
        return self.output_projection(Y.permute(0, 2, 1, 3).reshape(B, N, -1))
