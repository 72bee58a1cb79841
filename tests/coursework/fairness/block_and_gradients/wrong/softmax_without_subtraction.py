# earns: 20
# fails: attention_gradients | by the query, the gradient of softmax lacks the subtraction
# fails: softmax_gradient_sums_to_zero | without the subtraction. A score raises its own weight, and lowers all others
# %% attention
def softmax_gradient(weights, upstream):
    return weights * upstream


def attention(query, key, value):
    return torch.softmax(query @ key.mT * « sharpness » / math.sqrt(query.shape[-1]), -1) @ value


def attention_gradient(query, key, value, upstream):
    factor = « sharpness » / math.sqrt(query.shape[-1])
    weights = torch.softmax(query @ key.mT * factor, dim=-1)
    by_scores = softmax_gradient(weights, upstream @ value.mT) * factor
    return by_scores @ key, by_scores.mT @ query, weights.mT @ upstream
