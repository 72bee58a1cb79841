"""What stays with the teacher."""

import torch
from softlookup.course.exercises.verdict import Mistake


def large_scores(attention):
    """Scores of a thousand do not overflow."""
    query, key, value = 300 * torch.randn(2, 5, 13), torch.randn(2, 7, 13), torch.randn(2, 7, 3)
    expected = torch.nn.functional.scaled_dot_product_attention(query, key, value)
    result = attention(query, key, value)
    if result.shape != expected.shape or not (result - expected).abs().max() < 1e-4:
        raise Mistake("large scores overflow: subtract each row's greatest")


def module_agrees(Scaler):
    """A module computes what its weight says, and has its gradient."""
    module = Scaler(3)
    weight = torch.arange(3.0)
    module.load_state_dict({"weight": weight})
    tokens = torch.randn(5, 3)
    result = module(tokens)
    if result.shape != tokens.shape or not torch.allclose(result, tokens * weight):
        raise Mistake("your module does not multiply by its weight")
