"""What a wave read off its probes shows: a wrong phase or a wrong amplitude."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from softlookup.course.exercises.verdict import Mistake

Wave = Callable[[Tensor, Tensor], tuple[float, float]]


def _angle(pair: Tensor) -> float:
    return math.atan2(pair[1], pair[0])


def _near_angle(one: float, other: float) -> bool:
    return abs(math.remainder(one - other, 2 * math.pi)) < 1e-3


def _turned(pair: Tensor, by: float) -> Tensor:
    sine, cosine = math.sin(by), math.cos(by)
    return pair @ torch.tensor([[cosine, sine], [-sine, cosine]], dtype=pair.dtype)


def name_phase(probes: list[Tensor], phases: list[float], asked: Wave) -> None:
    """Refuse phases that are not the query's angle less the key's."""

    def right(query: Tensor, key: Tensor) -> float:
        return math.remainder(_angle(query) - _angle(key), 2 * math.pi)

    wrong: dict[str, Callable[[Tensor, Tensor], float]] = {
        "your phase has the wrong sign: the wave is written in i − j, and the query turns by i. "
        "(Or did atan2 get x before y?)": lambda query, key: -right(query, key),
        "your phase adds the two angles; the product of two hands depends on their difference": (
            lambda query, key: _angle(query) + _angle(key)
        ),
        "your phase is right only for hands in the right half: y / x is the same for a hand and "
        "its opposite, so use atan2(y, x)": lambda query, key: (
            math.atan(query[1] / query[0]) - math.atan(key[1] / key[0])
        ),
        "your phase leaves the key's angle out: at offset 0 the hands need not agree": (
            lambda query, key: _angle(query)
        ),
        "your phase is never negative: an arccosine loses on which side of the key the query "
        "points": lambda query, key: abs(right(query, key)),
        "your phase is that of a sine: a cosine is greatest where its angle is 0": (
            lambda query, key: right(query, key) + math.pi / 2
        ),
        "your phase is a quarter turn off: the wave is a cosine, and R turns by the angle itself": (
            lambda query, key: right(query, key) - math.pi / 2
        ),
        "your phase is half a turn off: at offset 0 it is the angle from the key to the query": (
            lambda query, key: right(query, key) + math.pi
        ),
        "your phase is in degrees; the cosine's angle is in radians": (
            lambda query, key: math.degrees(_angle(query) - _angle(key))
        ),
        "your phase is never more than a quarter turn: an arcsine does not know which way the "
        "hands point, so use atan2 with the cosine as well": lambda query, key: math.asin(
            math.sin(right(query, key))
        ),
        "your phase leaves the query's angle out: at offset 0 the hands need not agree": (
            lambda query, key: -_angle(key)
        ),
        "your phase is 0: the score is greatest at offset 0 only if both hands point the same "
        "way before they are turned": lambda query, key: 0.0,
    }
    for words, of in {"": right, **wrong}.items():
        if all(_near_angle(phase, of(*probe)) for phase, probe in zip(phases, probes, strict=True)):
            if words:
                raise Mistake(words)
            return
    query, key = probes[0]
    before = asked(query, key)[1]
    for words, moved, wanted in (
        ("the query is turned on", asked(_turned(query, 0.4), key)[1], 0.4),
        ("the key is turned on", asked(query, _turned(key, 0.4))[1], -0.4),
        ("the query is made twice as long", asked(2 * query, key)[1], 0.0),
        ("the key is made twice as long", asked(query, 2 * key)[1], 0.0),
    ):
        if not _near_angle(moved - before, wanted):
            by = " by 0.4" if wanted else ""
            raise Mistake(
                f"where {words}{by}, your phase changes by "
                f"{math.remainder(moved - before, 2 * math.pi):.3g}; {wanted:g} is right: R turns "
                "the query's angle on and the key's, and no length turns anything"
            )
    (query, key), phase = next(
        (probe, phase)
        for probe, phase in zip(probes, phases, strict=True)
        if not _near_angle(phase, right(*probe))
    )
    raise Mistake(
        f"for the query {_shown(query)} and the key {_shown(key)} the phase should be "
        f"{right(query, key):.3f}, up to whole turns; yours is {phase:.3f}"
    )


def name_amplitude(probes: list[Tensor], amplitudes: list[float], asked: Wave) -> None:
    """Refuse amplitudes that are not the product of the lengths, up to a sign."""

    def right(query: Tensor, key: Tensor) -> float:
        return float(query.norm() * key.norm())

    wrong: dict[str, Callable[[Tensor, Tensor], float]] = {
        "your amplitude is the score at offset 0; the wave is as high as the lengths allow": (
            lambda query, key: float(query @ key)
        ),
        "your amplitude has the lengths squared: take the roots": (
            lambda query, key: right(query, key) ** 2
        ),
        "your amplitude adds the two lengths; in a product of vectors they multiply": (
            lambda query, key: float(query.norm() + key.norm())
        ),
        "your amplitude is 1: hands of other lengths make higher or lower waves": (
            lambda query, key: 1.0
        ),
        "your amplitude is the query's length alone": lambda query, key: float(query.norm()),
        "your amplitude is the key's length alone": lambda query, key: float(key.norm()),
        "your amplitude is the root of the product of the lengths: they are roots already": (
            lambda query, key: right(query, key) ** 0.5
        ),
        "your amplitude is the length of the sum; the lengths multiply": (
            lambda query, key: float((query + key).norm())
        ),
        "your amplitude is half of what it should be: nothing is averaged here": (
            lambda query, key: right(query, key) / 2
        ),
    }
    for words, of in {"": right, **wrong}.items():
        if all(
            math.isclose(abs(amplitude), abs(of(*probe)), rel_tol=1e-4)
            for amplitude, probe in zip(amplitudes, probes, strict=True)
        ):
            if words:
                raise Mistake(words)
            return
    query, key = probes[0]
    before = asked(query, key)[0]
    for words, moved, wanted in (
        ("the query is turned", asked(_turned(query, 0.4), key)[0], 1),
        ("the key is turned", asked(query, _turned(key, 0.4))[0], 1),
        ("the query is made twice as long", asked(2 * query, key)[0], 2),
        ("the key is made twice as long", asked(query, 2 * key)[0], 2),
    ):
        if before and not math.isclose(abs(moved / before), wanted, rel_tol=1e-3):
            raise Mistake(
                f"where {words}, your amplitude becomes {abs(moved / before):.3g} times what it "
                f"was; {wanted} is right: the wave is as high as the two lengths multiplied, "
                "whatever the angles"
            )
    (query, key), amplitude = next(
        (probe, amplitude)
        for probe, amplitude in zip(probes, amplitudes, strict=True)
        if not math.isclose(abs(amplitude), right(*probe), rel_tol=1e-4)
    )
    raise Mistake(
        f"for the query {_shown(query)} and the key {_shown(key)} the amplitude should be "
        f"{right(query, key):.3f}; yours is {amplitude:.3f}"
    )


def _shown(pair: Tensor) -> str:
    return "(" + ", ".join(f"{number:.2f}" for number in pair.tolist()) + ")"
