# earns: all
# %% scores
class Scores(torch.nn.Module):
    def __init__(self, power, corner):
        super().__init__()
        self.power = power
        self.register_buffer("corner", torch.tensor(corner))

    def forward(self, query, key):
        scaled = (query / query.size(-1) ** self.power) @ key.transpose(-1, -2)
        inside = torch.maximum(torch.minimum(scaled, self.corner), -self.corner)
        return 0.75 * inside + 0.25 * scaled


scores = Scores(« exponent », « corner »)
# %% attention
class LookBack(torch.nn.Module):
    def __init__(self, scores):
        super().__init__()
        self.scores = scores
        self.soft = torch.nn.Softmax(dim=-1)

    def forward(self, query, key, value, mask=None):
        raw = self.scores(query, key)
        if mask is None:
            return self.soft(raw) @ value
        # A row without keys is looked up everywhere first, and emptied afterwards.
        some = mask.any(dim=-1, keepdim=True)
        weights = self.soft(raw.masked_fill(~(mask | ~some), -torch.inf))
        return torch.where(some, weights @ value, torch.zeros((), dtype=value.dtype))


attend = LookBack(scores)


def look_back(query, key, value):
    return attend(query, key, value, pattern(query.size(-2)))
