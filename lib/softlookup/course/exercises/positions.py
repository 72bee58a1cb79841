"""Checks for the exercises of the chapter on positions."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.clocks_read import TABLE, NoTable, name_reading
from softlookup.course.exercises.half_order_slips import name_order
from softlookup.course.exercises.judging import judge
from softlookup.course.exercises.position_tables import (
    Add,
    honest_tables,
    impostors,
    why_unseen,
    why_wronged,
)
from softlookup.course.exercises.probes import draw, name_first, require_tensor, same
from softlookup.course.exercises.verdict import Mistake
from softlookup.course.exercises.wave_slips import name_amplitude, name_phase
from softlookup.layers.positions import sinusoidal

WIDTH = 12

# Where a row is read off: the slowest clock is past its quarter at the last two.
PLACES = (0, 1, 2, 5, 17, 50, 700, 2300, 3000)

_draw = partial(draw, seed=8)


@exercise(
    "positions",
    1,
    "return the position, a whole number, to which a row of the sinusoidal table belongs.",
    "you read the slowest clock, with both of its numbers, and round.",
    prohibited={sinusoidal: TABLE},
)
def check_read_place(read_place: Callable[[Tensor], int]) -> None:
    """Check what tells the position from one row of the table, in float32."""
    rows = [
        (width, place, sinusoidal(place + 1, width)[place])
        for width in (8, 64, 128)
        for place in PLACES
    ]
    read: list[float] = []
    for _, _, row in rows:
        with NoTable():
            answer = read_place(row)
        numbers = torch.as_tensor(answer).flatten()
        if numbers.numel() != 1:
            raise Mistake(f"your answer for one row is {answer!r}; one whole number is expected")
        read.append(numbers.item())
    wrong = [case for case, got in zip(rows, read, strict=True) if got != case[1]]
    if not wrong:
        return
    if all(abs(got - place) < 0.5 for (_, place, _), got in zip(rows, read, strict=True)):
        raise Mistake(
            "your answers are near the positions and not whole numbers: round to the nearest"
        )
    name_reading(torch.tensor(read, dtype=torch.float64), [(row, width) for width, _, row in rows])
    width, place, _ = wrong[0]
    got = read[rows.index(wrong[0])]
    raise Mistake(f"at width {width} you read position {place} as {got:g}{_kind_of_error(read)}")


def _kind_of_error(read: list[float]) -> str:
    """What the positions that were read have in common, at the first width."""
    pairs = list(zip(read, PLACES, strict=False))
    if all(got == place for got, place in pairs[:5]):
        late = next((place for got, place in pairs if got != place), None)
        if late is not None:
            return (
                ", and lower ones rightly: has the hand turned past where your formula holds, as "
                "a sine does at a quarter turn?"
            )
        return ", and at the narrowest width all are right: what is another at this one?"
    far = [(got, place) for got, place in pairs if place >= 700]
    times = [got / place for got, place in far]
    if times[0] and max(times) - min(times) < 0.01 * abs(times[0]):
        return (
            f": at that width yours are {times[0]:.3g} times the positions, so your clock has "
            "another speed than the slowest"
        )
    offsets = [got - place for got, place in pairs]
    if max(offsets) - min(offsets) < 1:
        return f": at that width yours are {offsets[0]:+g} from the positions"
    if abs(pairs[0][0]) > 0.5:
        return ": at position 0 each sine is 0 and each cosine is 1, and so the angle is 0"
    return (
        ". Only the slowest clock has not gone round: another one alone, or a mean over several, "
        "tells the position up to whole turns"
    )


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
    lengths = [float(query.norm() * key.norm()) for query, key in probes]
    if all(
        math.isclose(one, two[1], rel_tol=1e-4) for one, two in zip(lengths, waves, strict=True)
    ):
        raise Mistake("your two results are exchanged: first the amplitude, then the phase")

    def asked(query: Tensor, key: Tensor) -> tuple[float, float]:
        return _two_numbers(wave(query, key))

    name_amplitude(probes, [amplitude for amplitude, _ in waves], asked)
    # A wave with a negative amplitude is the positive one, half a turn on.
    name_phase(probes, [phase + math.pi * (amplitude < 0) for amplitude, phase in waves], asked)


def _two_numbers(got: object) -> tuple[float, float]:
    try:
        amplitude, phase = (float(number) for number in got)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise Mistake("two numbers are expected, the amplitude and the phase") from None
    return amplitude, phase


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
        if same(whole, table[:7].expand(4, 7, WIDTH)):
            raise Mistake("you return the positions alone: they are added to the words")
        if same(whole, words + table[:4, None]):
            raise Mistake("your sum runs along the batch: places are counted along a row, dim=1")
        row = next(n for n in range(4) if not same(whole[n], words[n] + table[:7]))
        raise Mistake(
            "you changed what was right: a batch without padding should get words + table[:length]"
            f"; {_places_given((whole - words)[row], table, list(range(7)))}"
        )
    if same(got[real], (words + table[places])[real]):
        return
    if same(got, words + table[:7] * real[..., None]):
        raise Mistake("you silence the padding, but the words behind it keep their wrong places")
    padding = (~real).sum(1, keepdim=True)
    columns, count = torch.arange(7).expand(4, 7), real.sum(1, keepdim=True)
    front = (columns < count)[..., None]
    packed = [row[here] + table[: len(row[here])] for row, here in zip(words, real, strict=True)]
    if all(same(row[: len(each)], each) for row, each in zip(got, packed, strict=True)):
        raise Mistake(
            "you moved the words to the front of their row: each stays where it stands, and only "
            "its place is counted anew"
        )
    turned = add_positions(words.flip(0), real.flip(0), table)
    if same(turned, words.flip(0) + table[places[-1]]):
        raise Mistake("you take the places of the first row for all rows: each has its own padding")
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
            (
                (words + table[:7] * front)[real],
                "you count the words, and give the first places to the first columns of the row, "
                "padding included: places go to the columns where `real` is True",
            ),
            (
                (words + table[columns + padding * ~real[:, :1]])[real],
                "you add the padding that stands in front; it is to be taken away",
            ),
        ],
    )
    if not same(got[0], words[0] + table[:7]):
        raise Mistake(
            "a sentence without padding gets other vectors when its neighbours have some: "
            + _places_given(got[0] - words[0], table, list(range(7)))
        )
    if not same(got[2][real[2]], (words + table[:7])[2][real[2]]):
        raise Mistake(
            "padding after a sentence moves its words; their places should not change: "
            + _places_given((got - words)[2][real[2]], table, places[2][real[2]].tolist())
        )
    added = got - words
    row = next(n for n in range(4) if not same(added[n][real[n]], table[places[n][real[n]]]))
    raise Mistake(
        "the words behind padding are not at places 0, 1, 2, … of the table: "
        + _places_given(added[row][real[row]], table, places[row][real[row]].tolist())
    )


def _places_given(added: Tensor, table: Tensor, wanted: list[int]) -> str:
    """Which places of the table the words of one sentence got, read off what was added."""
    near = torch.cdist(added, table)
    if near.min(dim=1).values.max() > 1e-5:
        return "what you add to a word is not one row of the table"
    return f"the words of one sentence get places {near.argmin(dim=1).tolist()}, and not {wanted}"


@exercise(
    "positions",
    4,
    "return True if the same vector is added at a place in every sentence, to every word, and "
    "another at every other place.",
    "it knows a table of places from everything that only has its shape.",
)
def check_tells_order(tells_order: Callable[[Add], bool]) -> None:
    """Check a test of positions on honest tables, and on what goes wrong silently."""
    judge(tells_order, honest_tables(WIDTH), impostors(WIDTH), why_unseen, why_wronged)


@exercise(
    "positions",
    5,
    "return the weight with its rows in the order that a library of halves expects.",
    "scores are what they were, in the other convention; each head keeps its own rows.",
)
def check_to_halves(to_halves: Callable[[Tensor, int], Tensor]) -> None:
    """Check a weight of queries or keys, moved from neighbours to halves."""
    # A square weight comes first, on which rows and columns can be confused without an error.
    for d_model in (30, 7):
        weight = _draw(30, d_model)
        got = require_tensor(to_halves(weight, 3), tuple(weight.shape), "your weight").double()
        name_order(got, weight, 3)
