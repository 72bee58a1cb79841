# earns: 18
# fails: attention_gradients | by the query, the gradient of softmax lacks the subtraction
# fails: softmax_gradient_sums_to_zero | without the subtraction. A score raises its own weight, and lowers all others
# fails: block_gradient_values | it is not that of the block; if a part's gradient is wrong, this one is too
# fails: block_gradient_agrees | it is not the gradient of your block; are all its parts' gradients right?
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
