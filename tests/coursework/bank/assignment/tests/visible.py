"""What a student can run: the tests that name the common mistakes."""

import torch
from softlookup.course.exercises.verdict import Mistake


def rows_sum_to_one(attention):
    """The weights of each query sum to one."""
    query, key = torch.randn(2, 5, 8), torch.randn(2, 7, 8)
    result = attention(query, key, torch.ones(2, 7, 3))
    if result.shape != (2, 5, 3):
        raise Mistake(f"your result has the shape {tuple(result.shape)}; expected (2, 5, 3)")
    if not torch.allclose(result, torch.ones(2, 5, 3), atol=1e-5):
        raise Mistake("your weights do not sum to one over the keys: which axis is the softmax's?")


def scores_are_scaled(attention):
    """The scores are divided by the square root of the heads' width."""
    query, key, value = torch.randn(2, 5, 8), torch.randn(2, 7, 8), torch.randn(2, 7, 3)
    expected = torch.nn.functional.scaled_dot_product_attention(query, key, value)
    result = attention(query, key, value)
    if result.shape != expected.shape or not torch.allclose(result, expected, atol=1e-5):
        raise Mistake("your scores are not divided by the square root of the width")
