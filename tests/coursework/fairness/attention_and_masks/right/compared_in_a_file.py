# A file of helpers that also compares with PyTorch's attention, of which the answer uses the rest.
# earns: all
# %% +
%%writefile helpers.py
import torch
import torch.nn.functional as F


def masked_softmax(s, mask):
    return torch.softmax(s.masked_fill(~mask, float("-inf")), dim=-1).masked_fill(~mask, 0.0)


def compare(answer, query, key, value):
    return answer - F.scaled_dot_product_attention(query, key, value)


if __name__ == "__main__":
    print(F.scaled_dot_product_attention(*torch.randn(3, 2, 2, 2)))
# %% +
import helpers as h
from helpers import compare, masked_softmax
# %% attention
def attend(query, key, value, mask=None):
    s = scores(query, key)
    if mask is None:
        mask = torch.ones_like(s, dtype=torch.bool)
    return masked_softmax(s, mask) @ value


def look_back(query, key, value):
    s = scores(query, key)
    return h.masked_softmax(s, pattern(query.size(-2))) @ value
# %% +
print(compare(attend(*torch.randn(3, 2, 4, 3)), *torch.randn(3, 2, 4, 3)).shape)
