# earns: all
# %% numerical_gradient
def numerical_gradient(function, x, upstream, step):
    places = {
        "central": {1: 0.5, -1: -0.5},
        "five points": {2: -1 / 12, 1: 2 / 3, -1: -2 / 3, -2: 1 / 12},
        "three points ahead": {0: -1.5, 1: 2.0, 2: -0.5},
    }["« stencil »"]
    x = x.clone()
    result = torch.zeros_like(x)
    for k in range(x.numel()):
        old = x.view(-1)[k].item()
        for place, share in places.items():
            x.view(-1)[k] = old + place * step
            result.view(-1)[k] += share * (function(x) * upstream).sum() / step
        x.view(-1)[k] = old
    return result
# %% norm
def members(width):
    size = width // « norm_rule.groups »
    for g in range(« norm_rule.groups »):
        «% if norm_rule.arrangement == "runs" %»
        yield [g * size + k for k in range(size)]
        «% else %»
        yield [g + « norm_rule.groups » * k for k in range(size)]
        «% endif %»


def norm(x, weight):
    result = torch.empty_like(x)
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            token = x[b, t]
            for group in members(len(token)):
                numbers = token[group]
                mean = « "numbers" if norm_rule.centre == "group" else "token" ».mean()
                total = 0.0
                for number in numbers:
                    total = total + (number - mean).abs() ** « norm_rule.power »
                size = (total / len(group) + « norm_rule.epsilon ») ** (1 / « norm_rule.power »)
                result[b, t, group] = (numbers - mean) / size * weight[group]
    return result
# %% norm_gradient
def norm_gradient(x, weight, upstream):
    p = « norm_rule.power »
    by_x, by_weight = torch.zeros_like(x), torch.zeros_like(weight)
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            token = x[b, t]
            by_centred = torch.zeros_like(token)
            for group in members(len(token)):
                mean = « "token[group]" if norm_rule.centre == "group" else "token" ».mean()
                c = token[group] - mean
                size = ((c.abs() ** p).mean() + « norm_rule.epsilon ») ** (1 / p)
                by_weight[group] += upstream[b, t, group] * c / size
                u = upstream[b, t, group] * weight[group]
                slope = c.sign() * (c.abs() / size) ** (p - 1) / len(group)
                by_centred[group] = u / size - (u * c).sum() / size**2 * slope
            «% if norm_rule.centre == "group" %»
            for group in members(len(token)):
                by_x[b, t, group] = by_centred[group] - by_centred[group].mean()
            «% else %»
            by_x[b, t] = by_centred - by_centred.mean()
            «% endif %»
    return by_x, by_weight
# %% attention
def softmax_gradient(weights, upstream):
    result = torch.zeros_like(weights)
    for j in range(weights.shape[-1]):
        for k in range(weights.shape[-1]):
            slope = weights[..., j] * ((1.0 if j == k else 0.0) - weights[..., k])
            result[..., k] += upstream[..., j] * slope
    return result


def attention(query, key, value):
    rows = []
    for q, k, v in zip(query, key, value):
        for one in q:
            scores = torch.stack([(one * other).sum() for other in k])
            scores = scores * « sharpness » / len(one) ** 0.5
            share = (scores - scores.max()).exp()
            rows.append((share[:, None] * v).sum(0) / share.sum())
    return torch.stack(rows).view(*query.shape[:2], -1)


def attention_gradient(query, key, value, upstream):
    all_by = ([], [], [])
    for q, k, v, u in zip(query, key, value, upstream):
        a = torch.softmax(« sharpness » * q @ k.T / q.shape[1] ** 0.5, dim=1)
        s = softmax_gradient(a, u @ v.T) * « sharpness » / q.shape[1] ** 0.5
        for found, one in zip(all_by, (s @ k, s.T @ q, a.T @ u)):
            found.append(one)
    return [torch.stack(found) for found in all_by]
