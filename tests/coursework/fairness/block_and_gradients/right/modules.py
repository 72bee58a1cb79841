# earns: all
# %% norm
class Groups(torch.nn.Module):
    def __init__(self, count):
        super().__init__()
        self.count = count

    def forward(self, x):
        «% if norm_rule.arrangement == "runs" %»
        return x.reshape(*x.shape[:-1], self.count, x.shape[-1] // self.count)
        «% else %»
        return x.reshape(*x.shape[:-1], x.shape[-1] // self.count, self.count).transpose(-1, -2)
        «% endif %»

    def back(self, x):
        «% if norm_rule.arrangement == "stripes" %»
        x = x.transpose(-1, -2)
        «% endif %»
        return x.reshape(*x.shape[:-2], -1)


class PowerNorm(torch.nn.Module):
    def __init__(self, power, epsilon, groups):
        super().__init__()
        self.power, self.epsilon, self.groups = power, epsilon, Groups(groups)

    def centre(self, parts):
        over = « "-1" if norm_rule.centre == "group" else "(-1, -2)" »
        return parts - parts.mean(dim=over, keepdim=True)

    def pieces(self, x):
        c = self.centre(self.groups(x))
        mean = c.abs().pow(self.power).mean(dim=-1, keepdim=True)
        return c, (mean + self.epsilon).pow(1 / self.power)

    def forward(self, x, weight):
        c, s = self.pieces(x)
        return self.groups.back(c / s) * weight

    def backward(self, x, weight, upstream):
        c, s = self.pieces(x)
        y = c / s
        u = self.groups(upstream * weight)
        direction = y.sign() * y.abs().pow(self.power - 1)
        by_c = (u - direction * (u * y).mean(dim=-1, keepdim=True)) / s
        by_weight = (upstream * self.groups.back(y)).sum(dim=(0, 1))
        return self.groups.back(self.centre(by_c)), by_weight


norm = PowerNorm(« norm_rule.power », « norm_rule.epsilon », « norm_rule.groups »)
# %% norm_gradient
norm_gradient = norm.backward
# %% attention
class Attention(torch.nn.Module):
    def __init__(self, sharpness):
        super().__init__()
        self.sharpness = sharpness
        self.softmax = torch.nn.Softmax(dim=-1)

    def weights(self, query, key):
        return self.softmax(self.sharpness * query @ key.transpose(1, 2) / query.shape[-1] ** 0.5)

    def forward(self, query, key, value):
        return self.weights(query, key) @ value


attention = Attention(« sharpness »)


def softmax_gradient(weights, upstream):
    matrix = torch.diag_embed(weights) - weights[..., :, None] * weights[..., None, :]
    return (matrix @ upstream[..., None]).squeeze(-1)


def attention_gradient(query, key, value, upstream):
    a = attention.weights(query, key)
    s = softmax_gradient(a, upstream @ value.transpose(1, 2))
    s = s * attention.sharpness / query.shape[-1] ** 0.5
    return s @ key, s.transpose(1, 2) @ query, a.transpose(1, 2) @ upstream
