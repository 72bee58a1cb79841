"""Averages over workers on which a learner's test is tried: some are the mean, some only nearly.

Each is given a list of tensors, one of each worker and all of one shape (size,), and returns as
many: what each worker has afterwards. Some write that into the tensors that they are given, as
torch.distributed does.
"""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

# An impostor that only a test in float64 can see, and only with a small tolerance.
IN_SINGLE = "averaged in single precision"

Average = Callable[[list[Tensor]], list[Tensor]]


def mean_of(tensors: list[Tensor]) -> Tensor:
    """What every worker should have."""
    return torch.stack(tensors).mean(dim=0)


def _for_all(result: Callable[[list[Tensor]], Tensor]) -> Average:
    """Everybody gets the same."""
    return lambda tensors: [result(tensors).clone() for _ in tensors]


def _round_a_ring(tensors: list[Tensor]) -> list[Tensor]:
    """Each part is added up from another worker on: another order of addition for each part."""
    workers = len(tensors)
    cut = [tensor.tensor_split(workers) for tensor in tensors]
    parts = []
    for part in range(workers):
        total = cut[part % workers][part].clone()
        for step in range(1, workers):
            total = total + cut[(part + step) % workers][part]
        parts.append(total / workers)
    return [torch.cat(parts) for _ in tensors]


def _by_a_tree(tensors: list[Tensor]) -> Tensor:
    left = list(tensors)
    while len(left) > 1:
        pairs = [sum(left[at : at + 2], torch.zeros_like(left[0])) for at in range(0, len(left), 2)]
        left = pairs
    return left[0] / len(tensors)


def _in_place(result: Callable[[list[Tensor]], Tensor]) -> Average:
    """Everybody's own tensor is written over, with the same for all."""

    def average(tensors: list[Tensor]) -> list[Tensor]:
        written = result(tensors).clone()
        for tensor in tensors:
            tensor.copy_(written)
        return tensors

    return average


def _divided_first(tensors: list[Tensor]) -> Tensor:
    return sum((tensor / len(tensors) for tensor in tensors), torch.zeros_like(tensors[0]))


def honest() -> Mapping[str, Average]:
    """Averages that are the mean, up to rounding."""
    return {
        "the mean of all": _for_all(mean_of),
        "a ring, which adds up each part in another order": _round_a_ring,
        "a tree of pairs": _for_all(_by_a_tree),
        "each divided first, then added": _for_all(_divided_first),
        "the mean, written over what each had": _in_place(mean_of),
    }


def impostors() -> Mapping[str, Average]:
    """Averages that are something else, by what is wrong with them."""

    def kept(tensors: list[Tensor]) -> list[Tensor]:
        return [tensor.clone() for tensor in tensors]

    def last_left_out(tensors: list[Tensor]) -> list[Tensor]:
        return [mean_of(tensors[:-1]) if len(tensors) > 1 else tensors[0] for _ in tensors]

    def last_hears_nothing(tensors: list[Tensor]) -> list[Tensor]:
        return [mean_of(tensors) for _ in tensors[:-1]] + [tensors[-1].clone()]

    def with_the_neighbour(tensors: list[Tensor]) -> list[Tensor]:
        return [
            (tensor + tensors[(rank + 1) % len(tensors)]) / 2 for rank, tensor in enumerate(tensors)
        ]

    def first_half(tensors: list[Tensor]) -> list[Tensor]:
        half = (len(tensors[0]) + 1) // 2
        return [torch.cat([mean_of(tensors)[:half], tensor[half:]]) for tensor in tensors]

    def without_the_rest(tensors: list[Tensor]) -> list[Tensor]:
        """Equal parts go round; what the workers do not divide stays."""
        whole = len(tensors[0]) // len(tensors) * len(tensors)
        return [torch.cat([mean_of(tensors)[:whole], tensor[whole:]]) for tensor in tensors]

    def two_at_most(tensors: list[Tensor]) -> list[Tensor]:
        """Divides by two, however many there are."""
        return [torch.stack(tensors).sum(dim=0) / 2 for _ in tensors]

    def without_itself(tensors: list[Tensor]) -> list[Tensor]:
        others = [[each for each in tensors if each is not own] for own in tensors]
        return [mean_of(rest) if rest else own for own, rest in zip(tensors, others, strict=True)]

    def first_hears_nothing(tensors: list[Tensor]) -> list[Tensor]:
        return [tensors[0].clone()] + [mean_of(tensors) for _ in tensors[1:]]

    def first_four(tensors: list[Tensor]) -> list[Tensor]:
        return [torch.cat([mean_of(tensors)[:4], tensor[4:]]) for tensor in tensors]

    def middle_hears_nothing(least: int) -> Average:
        """For so many workers or more; fewer get the mean."""

        def average(tensors: list[Tensor]) -> list[Tensor]:
            middle = len(tensors) // 2 if len(tensors) >= least else None
            return [
                own.clone() if rank == middle else mean_of(tensors)
                for rank, own in enumerate(tensors)
            ]

        return average

    def middle_number_kept(tensors: list[Tensor]) -> list[Tensor]:
        middle = torch.arange(len(tensors[0])) == len(tensors[0]) // 2
        return [torch.where(middle, own, mean_of(tensors)) for own in tensors]

    def five_and_the_last(tensors: list[Tensor]) -> list[Tensor]:
        numbers = torch.arange(len(tensors[0]))
        averaged = (numbers < 5) | (numbers == len(numbers) - 1)
        return [torch.where(averaged, mean_of(tensors), own) for own in tensors]

    def inner_reversed(tensors: list[Tensor]) -> Tensor:
        mean = mean_of(tensors)
        return torch.cat([mean[:1], mean[1:-1].flip(0), mean[1:][-1:]])

    def in_whole_pairs(tensors: list[Tensor]) -> Tensor:
        """A tree in which whoever finds no partner is forgotten."""
        left = tensors
        while len(left) > 1:
            left = [(one + other) / 2 for one, other in zip(left[::2], left[1::2], strict=False)]
        return left[0]

    return {
        "nobody hears of anybody": kept,
        "the sum in place of the mean": _for_all(lambda tensors: torch.stack(tensors).sum(dim=0)),
        "the first worker's for everyone": _for_all(lambda tensors: tensors[0]),
        "the last worker is left out of the mean": last_left_out,
        "the last worker hears nothing": last_hears_nothing,
        "each averages with its neighbour alone": with_the_neighbour,
        "the second half is not averaged": first_half,
        "what the workers do not divide is not averaged": without_the_rest,
        "always divided by two": two_at_most,
        "each leaves itself out": without_itself,
        "the median in place of the mean": _for_all(
            lambda tensors: torch.stack(tensors).quantile(0.5, dim=0)
        ),
        "the least of all in place of the mean": _for_all(
            lambda tensors: torch.stack(tensors).amin(dim=0)
        ),
        "the largest of all in place of the mean": _for_all(
            lambda tensors: torch.stack(tensors).amax(dim=0)
        ),
        "averaged in half precision": _for_all(
            lambda tensors: mean_of([tensor.bfloat16() for tensor in tensors]).to(tensors[0].dtype)
        ),
        "the first worker hears nothing": first_hears_nothing,
        "the mean with its numbers in reverse order": _for_all(
            lambda tensors: mean_of(tensors).flip(0)
        ),
        "a tree of pairs that forgets whoever finds no partner": _for_all(in_whole_pairs),
        "the first four numbers alone are averaged": first_four,
        "made for the first number of workers that it meets": _made_for_the_first(len),
        "made for the first length that it meets": _made_for_the_first(
            lambda tensors: len(tensors[0])
        ),
        "rounded to four decimals": _for_all(lambda tensors: mean_of(tensors).round(decimals=4)),
        "not a number for everybody": _for_all(lambda tensors: tensors[0] * torch.nan),
        "a worker in the middle hears nothing": middle_hears_nothing(least=3),
        "of five workers or more, the one in the middle hears nothing": middle_hears_nothing(5),
        "one number in the middle is not averaged": middle_number_kept,
        "the first five numbers and the last alone are averaged": five_and_the_last,
        "the mean with its inner numbers in reverse order": _for_all(inner_reversed),
        IN_SINGLE: _for_all(
            lambda tensors: mean_of([tensor.float() for tensor in tensors]).to(tensors[0].dtype)
        ),
        "zeros, written over what each had": _in_place(lambda tensors: tensors[0] * 0),
        "the first worker's, written over what each had": _in_place(lambda tensors: tensors[0]),
    }


def _made_for_the_first(size: Callable[[list[Tensor]], int]) -> Average:
    """An average that is right for one size alone, and leaves everybody as they are for others."""
    met: list[int] = []

    def average(tensors: list[Tensor]) -> list[Tensor]:
        met.append(size(tensors))
        return [mean_of(tensors) if met[-1] == met[0] else tensor.clone() for tensor in tensors]

    return average
