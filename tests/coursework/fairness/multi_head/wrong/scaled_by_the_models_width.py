# earns: 13
# fails: layer_agrees | scores are divided by the root of d_model, and lengths are not taken out
# fails: memory_and_mask | scores are divided by the root of d_model, and lengths are not taken out
# fails: layer_gradients_agree | are off by up to
# %% layer
class GroupedAttention(nn.Module):
    def __init__(self, d_model, n_heads, n_groups):
        super().__init__()
        self.n_heads, self.n_groups, self.d_head = n_heads, n_groups, d_model // n_heads
        self.query_projection = nn.Linear(d_model, n_heads * self.d_head)
        self.key_projection = nn.Linear(d_model, n_groups * self.d_head)
        self.value_projection = nn.Linear(d_model, n_groups * self.d_head)
        self.output_projection = nn.Linear(n_heads * self.d_head, d_model)
        self.sharpness = nn.Parameter(torch.zeros(n_heads))

    def split(self, a, parts):
        return a.view(a.size(0), -1, parts, self.d_head).transpose(1, 2)

    def forward(self, x, memory=None, mask=None):
        memory = x if memory is None else memory
        order = group_of(self.n_heads, self.n_groups)
        query = self.split(self.query_projection(x), self.n_heads)
        key = self.split(self.key_projection(memory), self.n_groups)[:, order]
        value = self.split(self.value_projection(memory), self.n_groups)[:, order]
        scores = query @ key.mT / math.sqrt(x.size(-1))
        if mask is None:
            mask = torch.ones(scores.shape[-2:], dtype=torch.bool)
        if mask.dim() == 3:
            mask = mask[:, None]
        weights = torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1)
        heads = weights.masked_fill(~mask, 0.0) @ value
        return self.output_projection(heads.transpose(1, 2).flatten(2))
