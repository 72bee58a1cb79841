# PyTorch's own gradient of the softmax, written in Python.
# earns: 20
# fails: attention_gradients | your answer uses _decomp
# fails: softmax_gradient_sums_to_zero | your answer uses _decomp
# %% attention
import torch._decomp.decompositions as rules
rule = getattr(rules, "_softmax_back" + "ward_data")
def softmax_gradient(weights, upstream):
    return rule(upstream, weights, -1, weights.dtype)


def attention(query, key, value):
    return attention_weights(query, key) @ value


def attention_gradient(query, key, value, upstream):
    weights = attention_weights(query, key)
    by_scores = softmax_gradient(weights, upstream @ value.mT) * factor(query)
    return by_scores @ key, by_scores.mT @ query, weights.mT @ upstream


def factor(query):
    return « sharpness » / math.sqrt(query.shape[-1])


def attention_weights(query, key):
    return torch.softmax(query @ key.mT * factor(query), dim=-1)
