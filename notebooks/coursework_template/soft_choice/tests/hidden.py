"""Tests that stay with the teacher: other numbers, other shapes, and a slow answer beside yours."""

import torch
from softlookup.course.exercises.verdict import Mistake


def _shared_out(row, base, left_out):
    """The weights of one row, score by score, in double precision."""
    kept = sorted(row)[left_out:]
    powers = [base ** (score - kept[-1]) if score in kept else 0.0 for score in row]
    return [power / sum(powers) for power in powers]


def _agree(answer, scores, base, left_out, what):
    if not isinstance(answer, torch.Tensor) or answer.shape != scores.shape:
        raise Mistake(f"your {what}: the shape is {tuple(getattr(answer, 'shape', ()))}")
    rows = scores.double().reshape(-1, scores.size(-1)).tolist()
    expected = torch.tensor([_shared_out(row, base, left_out) for row in rows])
    if not torch.allclose(answer.double().reshape(expected.shape), expected.double(), atol=1e-5):
        raise Mistake(f"your {what}: the numbers are others, for scores up to {scores.max():.0f}")


def weights_agree(weights, *, base):
    """Small scores and large ones, with axes in front and without."""
    for size, shape in ((1.0, (11,)), (3.0, (2, 5, 7)), (400.0, (3, 13))):
        scores = size * torch.randn(shape)
        _agree(weights(scores), scores, base, 0, "weights")


def chosen_agrees(chosen, *, base, left_out):
    """The same, where some get nothing."""
    for size, shape in ((1.0, (11,)), (3.0, (2, 5, 7)), (400.0, (3, 13))):
        scores = size * torch.randn(shape)
        _agree(chosen(scores), scores, base, left_out, "chosen")
