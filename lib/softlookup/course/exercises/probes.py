"""What the checks share: numbers to probe an answer with, and a first look at what comes back."""

from collections.abc import Sequence

import torch
from torch import Tensor

from softlookup.course.exercises.verdict import Mistake


def draw(*shape: int, seed: int, dtype: torch.dtype = torch.float64) -> Tensor:
    """Normal numbers that are the same at every call."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def draw_several(*shapes: tuple[int, ...], seed: int) -> list[Tensor]:
    """Several tensors of normal numbers in float32, from one generator."""
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(shape, generator=generator) for shape in shapes]


def same(got: Tensor, expected: Tensor, atol: float = 1e-5) -> bool:
    """Whether two tensors have one shape and equal numbers, whatever their precision."""
    return got.shape == expected.shape and torch.allclose(
        got.double(), expected.double(), rtol=1e-4, atol=atol
    )


def require_tensor(
    got: object, shape: tuple[int, ...], what: str = "your result", meaning: str = ""
) -> Tensor:
    """Refuse what is not a tensor of this shape.

    Args:
        got: what the learner's function returned.
        shape: the shape that is expected.
        what: what the tensor is, as the beginning of the sentence.
        meaning: what the axes mean.

    Raises:
        Mistake: if it is something else.
    """
    if not isinstance(got, Tensor):
        raise Mistake(f"your function returned {type(got).__name__}; a tensor is expected")
    if got.shape != shape:
        reason = f", {meaning}" if meaning else ""
        raise Mistake(f"{what} has shape {tuple(got.shape)}; {shape} is expected{reason}")
    return got


def name_first(answer: Tensor, hypotheses: Sequence[tuple[Tensor, str]]) -> None:
    """Name the first mistake whose result the answer equals; if none does, do nothing.

    Raises:
        Mistake: with the words that belong to that result.
    """
    for result, words in hypotheses:
        if same(answer, result):
            raise Mistake(words)
