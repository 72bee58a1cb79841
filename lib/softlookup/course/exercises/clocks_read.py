"""Wrong ways to read a position off a row of the sinusoidal table, and what each is told."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from softlookup.course.exercises.slips import name_slips
from softlookup.course.exercises.verdict import Mistake

TABLE = "you build the table to search it: read the clocks of the one row that you are given"


class NoTable(TorchFunctionMode):
    """Refuse tensors as long as the table, of which one row is enough."""

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: object,
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:  # noqa: ANN401
        made = func(*args, **(kwargs or {}))
        if isinstance(made, Tensor) and made.numel() > 1000:
            raise Mistake(TABLE)
        return made


def name_reading(read: Tensor, rows: Sequence[tuple[Tensor, int]]) -> None:
    """Name the wrong way of reading that gives these positions for these rows and widths.

    Raises:
        Mistake: with the words for it; with none if no known way does.
    """

    def reading(
        hand: Callable[[Tensor], tuple[float, float]] = lambda row: (
            row[-2].item(),
            row[-1].item(),
        ),
        angle: Callable[[float, float], float] = math.atan2,
        exponent: Callable[[int], float] = lambda width: -(width - 2) / width,
        place: Callable[[float, float], float] = lambda angle, speed: angle / speed,
        whole: Callable[[float], float] = round,
    ) -> Tensor:
        return torch.tensor(
            [whole(place(angle(*hand(row)), 10000.0 ** exponent(width))) for row, width in rows],
            dtype=torch.float64,
        )

    def first(row: Tensor) -> tuple[float, float]:
        return row[0].item(), row[1].item()

    def alike(one: Tensor, other: Tensor) -> bool:
        return torch.allclose(one, other, rtol=1e-4, atol=0.51)

    fastest = "your answers come round again after 6 positions"
    for words, turn in {
        f"{fastest}: you read the first clock, the fastest. Which hand has not yet gone round?": (
            lambda sine, cosine: math.atan2(sine, cosine) % (2 * math.pi)
        ),
        f"{fastest}, and are negative on the way: you read the first clock, the fastest": (
            math.atan2
        ),
    }.items():
        if alike(read, reading(first, turn, lambda _: 0.0)):
            raise Mistake(words)
    name_slips(
        read,
        reading,
        {
            "hand": {
                "you took the first half of the row for sines and the second for cosines: here "
                "they take turns, a sine and its cosine side by side": (
                    lambda row: (row[len(row) // 2 - 1].item(), row[-1].item())
                ),
                "you read the first clock, which goes round every 6 positions": first,
                "you read the clock before the slowest": (
                    lambda row: (row[-4].item(), row[-3].item())
                ),
            },
            "angle": {
                "your hand has its two numbers exchanged: the sine is how far up a "
                "mathematician's hand points, and comes first in atan2": (
                    lambda sine, cosine: math.atan2(cosine, sine)
                ),
                "your sine alone cannot tell a hand before the quarter from one after it: use the "
                "cosine as well": lambda sine, _: math.asin(sine),
                "you divide the sine itself, which is no angle, and near it for small ones only": (
                    lambda sine, _: sine
                ),
                "your cosine alone is blind at the start: in float32 the cosine of a small angle "
                "is 1, whatever the angle. Use the sine as well": (
                    lambda _, cosine: math.acos(min(1.0, cosine))
                ),
                "sine over cosine is the same for a hand and its opposite, so that your atan goes "
                "wrong behind the quarter: use atan2": lambda sine, cosine: math.atan(
                    sine / cosine
                ),
                "your angle is in degrees; the clock turns in radians": (
                    lambda sine, cosine: math.degrees(math.atan2(sine, cosine))
                ),
            },
            "exponent": {
                "your slowest clock is too slow: at width d it turns by 10000^(-(d-2)/d) a step, "
                "since the first one has the exponent 0": lambda _: -1.0,
                "your exponent counts columns up to d - 1; the columns of a pair share the even "
                "number, d - 2 for the last": lambda width: -(width - 1) / width,
                "your exponent counts pairs, d/2 - 1, and divides by d: the pair i has 2i/d": (
                    lambda width: -(width // 2 - 1) / width
                ),
                "your exponent counts pairs, d/2 - 1, where it should be d - 2": (
                    lambda width: -(width // 2) / width
                ),
                "your exponent is that of the clock before the slowest": (
                    lambda width: -(width - 4) / width
                ),
                "your clock turns by one a step, as the first one does": lambda _: 0.0,
                "your base is 1000; the table's is 10000": lambda width: (
                    -(width - 2) / width * 0.75
                ),
            },
            "place": {
                "you multiply by the speed; the angle is position times speed, so divide": (
                    lambda angle, speed: angle * speed
                ),
            },
            "whole": {
                "you cut the fraction off where you should round: 4.9999 is position 5": math.floor,
                "you round up: 5.0001 is position 5 as well, so round to the nearest": math.ceil,
            },
        },
        alike,
    )
