"""Whether a learner's test misjudges for its tolerance alone: it is tried again with a fair one.

What a test asks for may be right, and only what it takes for equal be too much or too little. Then
it judges rightly as soon as its comparisons are made for it.
"""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from softlookup.course.exercises.compared import is_float, is_learners

# What differs by less than this share of the numbers' size is the same.
FAIR = 1e-4

# What is let through as the same is hidden by another thing than the tolerance, if it is so small:
# by signs that cancel in a mean, say.
_TOO_WIDE = 5 * FAIR

# A bound that is larger is no tolerance: half of a weight, say, may be what a test asks for.
WIDEST = 0.2

_ALIKE = {"equal", "allclose", "isclose", "eq", "ne"}
_LESS = {"sub", "subtract", "dist"}
_BOUNDS = {"lt", "le", "gt", "ge", "less", "greater", "less_equal", "greater_equal"}


class _Fair(TorchFunctionMode):
    """Make the comparisons of code outside the library with one tolerance."""

    def __init__(self) -> None:
        super().__init__()
        self.size = 1.0
        # The largest difference that counts as one now and did not before, and the other way round.
        self.closed = self.opened = 0.0

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: object,
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:  # noqa: ANN401
        said = func(*args, **(kwargs or {}))
        name = getattr(func, "__name__", "").strip("_")
        if name == "item" and isinstance(said, float) and is_learners():
            return _Number(said, self)
        pair = [*args, *(kwargs or {}).values()][:2]
        if len(pair) < 2 or not is_float(pair[0]) or not is_learners():
            return said
        one, other = pair
        if name in _ALIKE | _LESS and is_float(other) and one.shape == other.shape:
            one, other = one.detach().double(), other.detach().double()
            self.size = float(torch.maximum(one.abs(), other.abs()).max())
            apart = torch.where(one == other, 0.0, one - other).abs()
            if name in _ALIKE:
                return self._judged(said, apart, name != "ne")
        elif name in _BOUNDS:
            return self.bounded(said, one, other, name.startswith("l"))
        return said

    def bounded(self, said: Any, number: Tensor, bound: object, below: bool) -> Any:  # noqa: ANN401
        """What is said of numbers that are held to a bound, which may be a tolerance."""
        if not isinstance(bound, int | float) or not 0 < bound <= WIDEST:
            return said
        return self._judged(said, number.detach().double(), below)

    def _judged(self, said: Any, apart: Tensor, alike: bool) -> Any:  # noqa: ANN401
        """What is said of differences that are judged fairly, in the form in which it was said."""
        near = apart <= FAIR * self.size
        before = torch.as_tensor(said) == alike
        after = near if before.ndim == near.ndim else near.all()
        largest = apart if after.ndim else apart.max()
        if (before & ~after).any():
            self.closed = max(self.closed, float(largest[before & ~after].max()) / self.size)
        if (after & ~before).any():
            self.opened = max(self.opened, float(largest[after & ~before].max()) / self.size)
        judged = after == alike
        return judged if isinstance(said, Tensor) else bool(judged)


class _Number(float):
    """A number that a learner's test took out of a tensor: its bounds are judged as a tensor's."""

    def __new__(cls, value: float, fair: _Fair) -> "_Number":
        number = super().__new__(cls, value)
        number.fair = fair
        return number

    fair: _Fair

    def _held(self, said: bool, bound: float, below: bool) -> bool:
        return bool(self.fair.bounded(said, torch.tensor(float(self)), bound, below))

    def __lt__(self, bound: float) -> bool:
        return self._held(float(self) < bound, bound, True)

    def __le__(self, bound: float) -> bool:
        return self._held(float(self) <= bound, bound, True)

    def __gt__(self, bound: float) -> bool:
        return self._held(float(self) > bound, bound, False)

    def __ge__(self, bound: float) -> bool:
        return self._held(float(self) >= bound, bound, False)


def why_intolerant(
    test: Callable[[Any], object], honest: Mapping[str, Any], model: object, expected: bool
) -> str:
    """What to tell a test that misjudges a model, and would not with a fair tolerance.

    Args:
        test: the learner's.
        honest: the honest models, which it has to accept with that tolerance as well.
        model: the one that it misjudges.
        expected: what the test should say of it.

    Returns:
        The words; none if the reason is another.
    """
    fair = _Fair()
    try:
        with fair:
            rightly = bool(test(model)) is expected
        with _Fair():
            fits = expected or all(bool(test(each)) for each in honest.values())
    except Exception:
        return ""
    if not rightly or not fits or bool(fair.opened) == bool(fair.closed):
        return ""
    held = f"Held to {FAIR:.0e} of the numbers' size instead, it says {expected} there"
    if 0 < fair.closed < _TOO_WIDE:
        return ""
    if fair.closed:
        return (
            f". Its tolerance is too wide: it takes numbers for the same that differ by "
            f"{fair.closed:.1g} of their size. {held}"
        )
    return (
        f". It takes rounding for a difference, {fair.opened:.0e} of the numbers' size at most: "
        f"that needs some room. {held}"
    )
