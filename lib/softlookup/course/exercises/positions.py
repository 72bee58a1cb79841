"""Checks for the exercises of the chapter on positions."""

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import torch
from torch import Tensor

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.difference import require_same
from softlookup.course.exercises.judging import judge
from softlookup.course.exercises.position_tables import Add, honest_tables, impostors
from softlookup.course.exercises.probes import draw, name_first, require_tensor, same
from softlookup.course.exercises.verdict import Mistake
from softlookup.layers.positions import rotate, sinusoidal

WIDTH = 12

_draw = partial(draw, seed=8)


@exercise(
    "positions",
    1,
    "return the position, a whole number, to which a row of the sinusoidal table belongs.",
    "you read the slowest clock, with both of its numbers, and round.",
)
def check_read_place(read_place: Callable[[Tensor], int]) -> None:
    """Check what tells the position from one row of the table, in float32."""
    rows = [
        (width, place, sinusoidal(place + 1, width)[place])
        for width in (8, 64, 128)
        for place in (0, 1, 2, 5, 17, 50, 700, 2300, 3000)
    ]
    read: list[float] = []
    for _, _, row in rows:
        answer = read_place(row)
        numbers = torch.as_tensor(answer).flatten()
        if numbers.numel() != 1:
            raise Mistake(f"your answer for one row is {answer!r}; one whole number is expected")
        read.append(numbers.item())
    wrong = [case for case, got in zip(rows, read, strict=True) if got != case[1]]
    if not wrong:
        return
    for words, hypothesis in _readings().items():
        expected = [hypothesis(row, width) for width, _, row in rows]
        if _agree(read, expected):
            raise Mistake(words)
    if all(abs(got - place) < 0.5 for (_, place, _), got in zip(rows, read, strict=True)):
        raise Mistake(
            "your answers are near the positions and not whole numbers: round to the nearest"
        )
    width, place, _ = wrong[0]
    got = read[rows.index(wrong[0])]
    raise Mistake(f"at width {width} you read position {place} as {got:g}")


def _agree(read: list[float], expected: list[float]) -> bool:
    return all(
        math.isclose(one, other, rel_tol=1e-4, abs_tol=0.51)
        for one, other in zip(read, expected, strict=True)
    )


def _readings() -> Mapping[str, Callable[[Tensor, int], float]]:
    """What wrong ways to read a row give, by the words for each."""

    def slowest(width: int) -> float:
        return float(10000.0 ** (-(width - 2) / width))

    def whole(angle: float, speed: float) -> float:
        return round(angle / speed)

    def both(row: Tensor) -> tuple[float, float]:
        return float(row[-2]), min(1.0, float(row[-1]))

    return {
        "your answers come round again after 6 positions: you read the first clock, the fastest. "
        "Which hand has not yet gone round?": lambda row, width: whole(
            math.atan2(row[0], row[1]) % (2 * math.pi), 1.0
        ),
        "your answers come round again after 6 positions, and are negative on the way: you read "
        "the first clock, the fastest": lambda row, width: whole(math.atan2(row[0], row[1]), 1.0),
        "your hand has its two numbers exchanged: the sine is how far up a mathematician's hand "
        "points, and comes first in atan2": lambda row, width: whole(
            math.atan2(row[-1], row[-2]), slowest(width)
        ),
        "you took the first half of the row for sines and the second for cosines: here they take "
        "turns, a sine and its cosine side by side": lambda row, width: whole(
            math.atan2(row[width // 2 - 1], row[-1]), slowest(width)
        ),
        "your sine alone cannot tell a hand before the quarter from one after it: use the cosine "
        "as well": lambda row, width: whole(math.asin(both(row)[0]), slowest(width)),
        "your cosine alone is blind at the start: in float32 the cosine of a small angle is 1, "
        "whatever the angle. Use the sine as well": lambda row, width: whole(
            math.acos(both(row)[1]), slowest(width)
        ),
        "your slowest clock is too slow: at width d it turns by 10000^(-(d-2)/d) a step, since "
        "the first one has the exponent 0": lambda row, width: whole(math.atan2(*both(row)), 1e-4),
        "you cut the fraction off where you should round: 4.9999 is position 5": (
            lambda row, width: math.floor(math.atan2(*both(row)) / slowest(width))
        ),
    }


@exercise(
    "positions",
    2,
    "return the amplitude and the phase of the wave, worked out on paper.",
    "the lengths give the height of the wave, and the angle between the hands its beginning.",
)
def check_wave(wave: Callable[[Tensor, Tensor], Any]) -> None:
    """Check the amplitude and the phase of a rotary score as a wave in the offset."""
    probes = [draw(2, 2, seed=seed) + torch.tensor([[-0.9, 0.3], [0.4, 0.8]]) for seed in range(8)]
    waves = [_two_numbers(wave(query, key)) for query, key in probes]
    _name_amplitude(probes, [amplitude for amplitude, _ in waves])
    # A wave with a negative amplitude is the positive one, half a turn on.
    _name_phase(probes, [phase + math.pi * (amplitude < 0) for amplitude, phase in waves])


def _two_numbers(got: object) -> tuple[float, float]:
    try:
        amplitude, phase = (float(number) for number in got)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise Mistake("two numbers are expected, the amplitude and the phase") from None
    return amplitude, phase


def _angle(pair: Tensor) -> float:
    return math.atan2(pair[1], pair[0])


def _near_angle(one: float, other: float) -> bool:
    return abs(math.remainder(one - other, 2 * math.pi)) < 1e-3


def _name_phase(probes: list[Tensor], phases: list[float]) -> None:
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
        "your phase is 0: the score is greatest at offset 0 only if both hands point the same "
        "way before they are turned": lambda query, key: 0.0,
    }
    for words, of in {"": right, **wrong}.items():
        if all(_near_angle(phase, of(*probe)) for phase, probe in zip(phases, probes, strict=True)):
            if words:
                raise Mistake(words)
            return
    (query, key), phase = next(
        (probe, phase)
        for probe, phase in zip(probes, phases, strict=True)
        if not _near_angle(phase, right(*probe))
    )
    raise Mistake(
        f"for the query {_shown(query)} and the key {_shown(key)} the phase should be "
        f"{right(query, key):.3f}, up to whole turns; yours is {phase:.3f}"
    )


def _name_amplitude(probes: list[Tensor], amplitudes: list[float]) -> None:
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


@exercise(
    "positions",
    3,
    "mend it, so that a sentence gets the same vectors however it is padded.",
    "padding no longer counts, on either side, and sentences without it get what they got.",
)
def check_add_positions(add_positions: Callable[[Tensor, Tensor, Tensor], Tensor]) -> None:
    """Check positions that are added to padded sentences; what stands at padding is free."""
    table, words = draw(16, WIDTH, seed=3), _draw(4, 7, WIDTH)
    real = torch.ones(4, 7, dtype=torch.bool)
    real[1, :3] = real[2, 4:] = real[3, :1] = False
    whole = add_positions(words, torch.ones_like(real), table)
    require_tensor(whole, (4, 7, WIDTH), "your result")
    got = require_tensor(add_positions(words, real, table), (4, 7, WIDTH), "your result")
    places = (real.cumsum(1) - 1).clamp(min=0)
    if not same(whole, words + table[:7]):
        if same(whole, words + table[1:8]):
            raise Mistake("your positions are counted from 1; the first word stands at place 0")
        if same(whole, words + table[0]):
            raise Mistake(
                "you count the padding in place of the words: without padding all of them stand "
                "at place 0"
            )
        if same(whole, words + table[:7].flip(0)):
            raise Mistake("your positions run from the end to the beginning of the sentence")
        raise Mistake(
            "you changed what was right: a batch without padding should get words + table[:length]"
        )
    if same(got[real], (words + table[places])[real]):
        return
    if same(got, words + table[:7] * real[..., None]):
        raise Mistake("you silence the padding, but the words behind it keep their wrong places")
    padding = (~real).sum(1, keepdim=True)
    columns = torch.arange(7).expand(4, 7)
    name_first(
        got[real],
        [
            (
                (words + table[:7])[real],
                "a sentence still gets other vectors when padding stands before it: its first "
                "word should stand at place 0, wherever it is in the row",
            ),
            (
                (words + table[columns - padding])[real],
                "your count subtracts all padding, the padding after a sentence too: only what "
                "stands before a word moves it",
            ),
            (
                (words + table[columns - padding[1]])[real],
                "your count takes the padding of one sentence for all: each row has its own",
            ),
        ],
    )
    if not same(got[0], words[0] + table[:7]):
        raise Mistake("a sentence without padding gets other vectors when its neighbours have some")
    if not same(got[2][real[2]], (words + table[:7])[2][real[2]]):
        raise Mistake("padding after a sentence moves its words; their places should not change")
    require_same(
        got[real],
        (words + table[places])[real],
        "the words behind padding are not at places 0, 1, 2, … of the table: the first real word "
        "should get words + table[0]. Of all real words, one after the other",
        axes=("word", "width"),
        given={"words": words[real]},
    )


@exercise(
    "positions",
    4,
    "return True if the same vector is added at a place in every sentence, to every word, and "
    "another at every other place.",
    "it knows a table of places from everything that only has its shape.",
)
def check_tells_order(tells_order: Callable[[Add], bool]) -> None:
    """Check a test of positions on honest tables, and on what goes wrong silently."""
    judge(tells_order, honest_tables(WIDTH), impostors(WIDTH))


@exercise(
    "positions",
    5,
    "return the weight with its rows in the order that a library of halves expects.",
    "scores are what they were, in the other convention; each head keeps its own rows.",
)
def check_to_halves(to_halves: Callable[[Tensor, int], Tensor]) -> None:
    """Check a weight of queries or keys, moved from neighbours to halves."""
    n_heads, d_head, d_model = 3, 10, 7
    weight = _draw(n_heads * d_head, d_model)
    got = require_tensor(to_halves(weight, n_heads), tuple(weight.shape), "your weight").double()
    heads = weight.view(n_heads, d_head, d_model)
    right = torch.cat((heads[:, 0::2], heads[:, 1::2]), dim=1).reshape(weight.shape)
    if same(got, right):
        return
    across = torch.cat((weight[0::2], weight[1::2]))
    odd_first = torch.cat((heads[:, 1::2], heads[:, 0::2]), dim=1).reshape(weight.shape)
    back = heads.unflatten(1, (2, -1)).transpose(1, 2).reshape(weight.shape)
    back_across = weight.unflatten(0, (2, -1)).transpose(0, 1).reshape(weight.shape)
    swapped = heads.unflatten(1, (-1, 2)).flip(2).reshape(weight.shape)
    name_first(
        got,
        [
            (weight, "your weight is the one that came in: its pairs are still neighbours"),
            (across, "you sorted the rows of all heads together: each head has its own pairs"),
            (
                odd_first,
                "your halves are exchanged: the first of each pair belongs in the first half. As "
                "it is, every pair turns the other way",
            ),
            (
                back,
                "you went from halves to neighbours; the way back mixes the two rows of a pair",
            ),
            (
                back_across,
                "you went from halves to neighbours, and over all heads together at that",
            ),
            (swapped, "you exchanged the rows within each pair; the pairs are still neighbours"),
        ],
    )
    if torch.cdist(got, weight).min(dim=1).values.max() > 1e-5:
        raise Mistake(
            "your weight has rows that the given one has not: whole rows move, each with all of "
            "its columns"
        )
    x = _draw(5, d_model)
    scores, expected = _scores_in_halves(x, got, n_heads), _scores_of_neighbours(x, weight, n_heads)
    raise Mistake(
        "with your weight for queries and keys, the first score in halves is "
        f"{scores[0, 0, 1]:.3f}; with neighbours it was {expected[0, 0, 1]:.3f}"
    )


def _scores_of_neighbours(x: Tensor, weight: Tensor, n_heads: int) -> Tensor:
    heads = (x @ weight.T).unflatten(-1, (n_heads, -1)).transpose(0, 1)
    turned = rotate(heads)
    return turned @ turned.transpose(-2, -1)


def _scores_in_halves(x: Tensor, weight: Tensor, n_heads: int) -> Tensor:
    heads = (x @ weight.T).unflatten(-1, (n_heads, -1)).transpose(0, 1)
    side_by_side = heads.unflatten(-1, (2, -1)).transpose(-2, -1).flatten(-2)
    turned = rotate(side_by_side)
    return turned @ turned.transpose(-2, -1)
