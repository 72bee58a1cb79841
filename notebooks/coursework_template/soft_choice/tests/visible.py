"""Tests that you can run: each names the mistake that it finds.

Their numbers are drawn, so that those seen here are not those asked for when it is graded.
"""

import torch
from softlookup.course.exercises.verdict import Mistake


def _tensor(answer, shape, what):
    """Refuse what is no tensor of this shape."""
    if not isinstance(answer, torch.Tensor) or answer.shape != shape:
        found = tuple(getattr(answer, "shape", ())) or type(answer).__name__
        raise Mistake(f"your {what}: expected a tensor of the shape {tuple(shape)}; got {found}")
    # Infinity minus infinity is NaN, of which no comparison is true.
    if not torch.isfinite(answer).all():
        raise Mistake(f"your {what}: it holds numbers that are infinite, or NaN")
    return answer.double()


def weights_have_the_base(weights, *, base):
    """One more is the base times as much."""
    scores = torch.randn(2, 3)
    scores[:, 1] = scores[:, 0] + 1
    answer = _tensor(weights(scores), scores.shape, "weights")
    if torch.allclose(answer, torch.softmax(scores, -1).double(), atol=1e-4):
        raise Mistake(f"your weights: they have the base e; here it is {base:g}")
    if not torch.allclose(answer.sum(-1), torch.ones(2, dtype=torch.float64), atol=1e-4):
        raise Mistake("your weights: a row does not sum to one; divide by the sum of the last axis")
    if not torch.allclose(answer[:, 1], base * answer[:, 0], rtol=1e-3):
        raise Mistake(f"your weights: a score that is larger by one has not {base:g} times as much")


def the_worst_get_nothing(chosen, *, base, left_out):
    """Each row leaves its own smallest out."""
    scores = torch.stack([torch.randperm(5) + 1.0, torch.randperm(5) + 0.5])
    answer = _tensor(chosen(scores), scores.shape, "chosen")
    nothing = answer == 0
    if not (nothing.sum(-1) == left_out).all():
        found = nothing.sum(-1).tolist()
        raise Mistake(f"your chosen: {found} scores of the rows get nothing; {left_out} should")
    smallest = scores <= scores.sort(-1).values[:, left_out - 1 : left_out]
    if not torch.equal(nothing, smallest):
        raise Mistake("your chosen: the smallest are not those that are left out")
    if not torch.allclose(answer.sum(-1), torch.ones(2, dtype=torch.float64), atol=1e-4):
        raise Mistake("your chosen: the others do not share out one")
    best, next_best = scores[0].topk(2).indices
    if not torch.allclose(answer[0, best], base * answer[0, next_best], rtol=1e-3):
        raise Mistake(f"your chosen: a score that is larger by one has not {base:g} times as much")
