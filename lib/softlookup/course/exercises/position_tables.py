"""Functions that add positions, honest ones and impostors, for a test that a learner writes."""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from softlookup.course.exercises.judging import Questions
from softlookup.course.exercises.probes import draw
from softlookup.layers.positions import sinusoidal

Add = Callable[[Tensor], Tensor]


def honest_tables(width: int) -> dict[str, Add]:
    """Tables of positions that tell each place from every other, by what they are."""
    table = sinusoidal(64, width, dtype=torch.float64)
    small, large = 0.02 * draw(64, width, seed=8), 100 * draw(64, width, seed=8)
    bits = (torch.arange(64)[:, None] >> torch.arange(width)) % 2
    return {
        "sinusoids": lambda x: x + table[: x.size(1)].to(x),
        "a learned table at its start, with small vectors": lambda x: x + small[: x.size(1)].to(x),
        "places in binary, so that each column has two values": lambda x: (
            x + bits[: x.size(1)].to(x)
        ),
        "sinusoids added in float32, so that results differ by rounding": lambda x: (
            x.float() + table[: x.size(1)].float()
        ).to(x),
        "a table of large vectors, added in two halves that differ by rounding": lambda x: (
            (x + large[: x.size(1)].to(x) / 3) + large[: x.size(1)].to(x) * 2 / 3
        ),
    }


def impostors(width: int) -> dict[str, Add]:
    """What looks like a table of positions, by what is wrong with it."""
    table = sinusoidal(512, width, dtype=torch.float64)
    fresh: Iterator[int] = iter(range(10**9))
    twins = table.clone()
    twins[5] = twins[2]
    repeating, repeating_late = table[:8].repeat(64, 1), table[:50].repeat(2, 1)

    def at(x: Tensor, rows: Tensor) -> Tensor:
        return x + rows.to(x)

    def running_on(x: Tensor) -> Tensor:
        batch, length, _ = x.shape
        rows = torch.arange(batch * length) % len(table)
        return at(x, table[rows].view(batch, length, width))

    def by_words(x: Tensor) -> Tensor:
        return at(x, table[: x.size(1)] * (1 + x.mean(-1, keepdim=True)))

    def by_words_on_average(x: Tensor) -> Tensor:
        return at(x, table[: x.size(1)]) + 0.1 * (x - x.mean(-1, keepdim=True))

    def skips_negative(x: Tensor) -> Tensor:
        return torch.where(x[..., :1] < 0, x, at(x, table[: x.size(1)]))

    def by_last_word(x: Tensor) -> Tensor:
        return at(x, table[: x.size(1)]) + 0.1 * x[:, -1:]

    def new_each_time(x: Tensor) -> Tensor:
        return at(x, draw(x.size(1), width, seed=next(fresh)))

    return {
        "nothing is added": lambda x: x.clone(),
        "one vector, the same at all places": lambda x: at(x, table[3]),
        "a table along the batch: every word of a sentence gets the same vector": lambda x: at(
            x, table[: x.size(0), None]
        ),
        "a table that runs on from one sentence to the next": running_on,
        "a vector that grows with the word it is added to": by_words,
        "a vector that leans with its word, and is the same on average": by_words_on_average,
        "positions for words that begin with a positive number only": skips_negative,
        "something of the last word of the sentence at every place": by_last_word,
        "the words before, added up: no table at all": lambda x: x + x.cumsum(1),
        "a table in which places 2 and 5 are the same": lambda x: at(x, twins[: x.size(1)]),
        "positions that repeat after 8 places": lambda x: at(x, repeating[: x.size(1)]),
        "positions that come round again after 50 places": lambda x: at(
            x, repeating_late[: x.size(1)]
        ),
        "positions counted from the end, so that a longer sentence moves them": lambda x: at(
            x, table[: x.size(1)].flip(0)
        ),
        "a table that is drawn anew at every call": new_each_time,
    }


def why_unseen(asked: Questions) -> str:
    """What a test that believes an impostor asked too little of, or did not look at."""
    at_place, apart, nearest = _found(asked)
    if apart > 1e-3:
        return (
            f"What it is given shows it: at one place vectors are added that are {apart:.2g} "
            "apart. Does it compare all sentences and all questions, number by number?"
        )
    if nearest[0] < 1e-6:
        return (
            f"What it is given shows it: places {nearest[1]} and {nearest[2]}, counted from 0, get "
            "the same vector. Does it compare every two places?"
        )
    texts = [x for x, _ in asked]
    missed = {
        f"sentences of {len(at_place)} places at most, and there may be 64": len(at_place) < 64,
        "sentences of one length alone": len({x.size(1) for x in texts}) == 1,
        "words that are all zeros": not any(x.any() for x in texts),
        "one sentence at a time": all(len(x) == 1 for x in texts),
    }
    told = "; ".join(words for words, is_so in missed.items() if is_so)
    return f"It asks about {told}" if told else "Ask again, with other words and other lengths"


def why_wronged(asked: Questions) -> str:
    """Why a table that a test refuses is honest all the same."""
    _, apart, nearest = _found(asked)
    return (
        f"What this table adds at one place is the same within {apart:.0e}, and any two places are "
        f"at least {nearest[0]:.2g} apart: does it compare add(x) - x, with room for rounding, and "
        "leave out a place's distance to itself?"
    )


def _found(asked: Questions) -> tuple[list[Tensor], float, tuple[float, int, int]]:
    """What is added at each place, how far apart that is at most, and the two nearest places."""
    added = [answer.double() - x.double() for x, answer in asked]
    at_place = [
        torch.cat([each[:, place] for each in added if each.size(1) > place])
        for place in range(max(each.size(1) for each in added))
    ]
    apart = max((rows.amax(0) - rows.amin(0)).max().item() for rows in at_place)
    vectors = torch.stack([rows[0] for rows in at_place])
    distances = torch.cdist(vectors, vectors).fill_diagonal_(torch.inf)
    one, other = divmod(int(distances.argmin()), len(vectors))
    return at_place, apart, (distances.min().item(), one, other)
