# earns: 21
# fails: attention_gradients | by the query, the scores' factor is missing
# %% attention
def softmax_gradient(weights, upstream):
    return weights * (upstream - (weights * upstream).sum(-1, keepdim=True))


def attention(query, key, value):
    return torch.softmax(query @ key.mT * « sharpness » / math.sqrt(query.shape[-1]), -1) @ value


def attention_gradient(query, key, value, upstream):
    weights = torch.softmax(query @ key.mT * « sharpness » / math.sqrt(query.shape[-1]), dim=-1)
    by_scores = softmax_gradient(weights, upstream @ value.mT)
    return by_scores @ key, by_scores.mT @ query, weights.mT @ upstream
