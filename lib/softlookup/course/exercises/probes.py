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
        leave_out = ", without .item() or float()" if isinstance(got, float) else ""
        raise Mistake(
            f"your function returned {type(got).__name__}; a tensor is expected{leave_out}"
        )
    if got.shape != shape:
        reason = f", {meaning}" if meaning else ""
        raise Mistake(
            f"{what} has shape {tuple(got.shape)}; {shape} is expected{reason}"
            f"{_how_shapes_differ(tuple(got.shape), tuple(shape))}"
        )
    return got


def _how_shapes_differ(got: tuple[int, ...], expected: tuple[int, ...]) -> str:
    """What an axis too many or too few is likely to come from, if one is."""
    if [n for n in got if n > 1] == [n for n in expected if n > 1]:
        if len(got) > len(expected):
            return (
                ". You have an axis of length 1 too many: from keepdim=True, from unsqueeze, or "
                "from torch.stack where torch.cat joins along an axis that is there?"
            )
        return ". An axis of length 1 is missing: keepdim=True keeps it, unsqueeze brings it back"
    off = [axis for axis, pair in enumerate(zip(got, expected, strict=False)) if len({*pair}) > 1]
    if len(got) == len(expected) and len(off) == 1 and abs(got[off[0]] - expected[off[0]]) == 1:
        amount = "many" if got[off[0]] > expected[off[0]] else "few"
        return f". It is one too {amount} along axis {off[0]}"
    if len(got) > 1 and sorted(got) == sorted(expected):
        return ". Those are its axes in another order: transpose, movedim or permute"
    for longer, shorter, words in (
        (got, expected, "an axis of {} too many: is it to be summed, averaged or picked from?"),
        (expected, got, "lost an axis of {}: is it summed, averaged or picked from unasked?"),
    ):
        for axis, many in enumerate(longer):
            if shorter and shorter == longer[:axis] + longer[axis + 1 :]:
                return f". You have {words.format(many)}"
    return ""


def name_first(answer: Tensor, hypotheses: Sequence[tuple[Tensor, str]]) -> None:
    """Name the first mistake whose result the answer equals; if none does, do nothing.

    Raises:
        Mistake: with the words that belong to that result.
    """
    for result, words in hypotheses:
        if same(answer, result):
            raise Mistake(words)
