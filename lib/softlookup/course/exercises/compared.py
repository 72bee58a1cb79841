"""What a learner's test compared where it misjudged: how far apart the numbers were that it met.

A test that wrongs an honest model may have met nothing but rounding, and one that believes an
impostor may have met a great difference and let it pass. Both are seen in what it compares.
"""

import math
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

_LIBRARY = str(Path(__file__).parents[2])

# Whose frames may stand between a call of torch and the watching of it.
_BETWEEN = (
    __file__,
    str(Path(__file__).with_name("tolerances.py")),
    str(Path(torch.__file__).parent),
)

_COMPARISONS = {"allclose", "isclose", "equal", "eq", "ne", "sub", "subtract", "dist"}

# Less than this share of the numbers' size is rounding, and more than the other is none.
_ROUNDING, _DIFFERENCE = 1e-4, 1e-3

ASK_WHETHER_SMALL = (
    "A comparison with NaN is always False: ask whether the difference is small, and not whether "
    "it is large"
)


class _Comparisons(TorchFunctionMode):
    """Note the largest difference between two tensors that code outside the library compares."""

    def __init__(self) -> None:
        super().__init__()
        self.largest: float | None = None

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: object,
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:  # noqa: ANN401
        if getattr(func, "__name__", "").strip("_") in _COMPARISONS and is_learners():
            pair = [*args, *(kwargs or {}).values()][:2]
            if len(pair) == 2 and all(map(is_float, pair)) and pair[0].shape == pair[1].shape:
                self.largest = max(self.largest or 0.0, _apart(*pair))
        return func(*args, **(kwargs or {}))


def largest_difference(
    test: Callable[[Any], object], model: object, said: bool | None = None
) -> float | None:
    """How far apart the numbers are that a test compares when it judges a model, at most.

    Args:
        test: the learner's.
        model: what it is to judge.
        said: what it has said of it; a test that draws at random may now say something else.

    Returns:
        The largest difference as a share of the numbers' size; None if it compares no two tensors
        of one shape, does not come to an end, or says something else than before.
    """
    comparisons = _Comparisons()
    try:
        with comparisons:
            again = bool(test(model))
    except Exception:
        return None
    return None if said is not None and again is not said else comparisons.largest


def why_refused(
    test: Callable[[Any], object], honest: object, accepted: Iterable[object] = ()
) -> str:
    """What to tell a test that refuses an honest model, though it met nothing but rounding.

    Args:
        test: the learner's.
        honest: what it refuses.
        accepted: what it believes. If it met a difference there, a difference is what it asks for,
            and it is not told of rounding.
    """
    met = largest_difference(test, honest, False)
    if met is None or not 0 < met < _ROUNDING:
        return ""
    if any((largest_difference(test, each) or 0.0) > _DIFFERENCE for each in accepted):
        return ""
    return (
        f". The numbers that your test compares there differ by {met:.0e} of their size at most: "
        "that is rounding, and needs some room"
    )


def why_all_refused(test: Callable[[Any], object], honest: object) -> str:
    """What to tell a test that calls nothing honest, for it compares with something else."""
    met = largest_difference(test, honest)
    if met is None or not _DIFFERENCE < met < math.inf:
        return ""
    return (
        f". Even where all is right it meets numbers that differ by {met:.2g} of their size: what "
        "you compare with is something else. Work out a small case by hand"
    )


def why_believed(test: Callable[[Any], object], honest: Mapping[str, Any], impostor: object) -> str:
    """What to tell a test that meets a difference, as it does with no honest model, and believes.

    A test that also compares what is to be different meets differences in honest models too, and
    is told nothing.
    """
    met = largest_difference(test, impostor, True)
    if met is None or met < _DIFFERENCE:
        return ""
    if any((largest_difference(test, each) or 0.0) > _ROUNDING for each in honest.values()):
        return ""
    if not math.isfinite(met):
        return (
            ". In the first of these it meets numbers that are not finite, and still says True. "
            f"{ASK_WHETHER_SMALL}"
        )
    return (
        f". In the first of these it meets numbers that differ by {met:.2g} of their size, and "
        "still says True: is its tolerance too wide, do differences of opposite sign cancel, or "
        "does one comparison that holds outvote the others?"
    )


def is_learners() -> bool:
    """Whether the code that called torch is neither torch's own nor this library's."""
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_code.co_filename.startswith(_BETWEEN):
        frame = frame.f_back
    return frame is not None and not frame.f_code.co_filename.startswith(_LIBRARY)


def is_float(value: object) -> bool:
    """Whether a value is a tensor with numbers that may round."""
    return isinstance(value, Tensor) and value.is_floating_point() and value.numel() > 0


def _apart(one: Tensor, other: Tensor) -> float:
    """The largest difference, as a share of the largest number."""
    one, other = one.detach().double(), other.detach().double()
    largest = torch.maximum(one.abs(), other.abs()).max()
    apart = torch.where(one == other, 0.0, (one - other).abs()).max()
    return float("inf") if not apart.isfinite() else float(apart / largest.clamp(min=1e-300))
