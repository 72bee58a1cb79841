"""Averages over workers on which a learner's test is tried: some are the mean, some only nearly.

Each is given a list of tensors, one of each worker and all of one shape (size,), and returns as
many: what each worker has afterwards.
"""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from softlookup.course.exercises.compared import ASK_WHETHER_SMALL

Average = Callable[[list[Tensor]], list[Tensor]]

# What an average was asked, each worker's tensor, and what each had afterwards.
Question = tuple[list[Tensor], list[Tensor]]


def _mean(tensors: list[Tensor]) -> Tensor:
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


def _divided_first(tensors: list[Tensor]) -> Tensor:
    return sum((tensor / len(tensors) for tensor in tensors), torch.zeros_like(tensors[0]))


def honest() -> Mapping[str, Average]:
    """Averages that are the mean, up to rounding."""
    return {
        "the mean of all": _for_all(_mean),
        "a ring, which adds up each part in another order": _round_a_ring,
        "a tree of pairs": _for_all(_by_a_tree),
        "each divided first, then added": _for_all(_divided_first),
    }


def impostors() -> Mapping[str, Average]:
    """Averages that are something else, by what is wrong with them."""

    def kept(tensors: list[Tensor]) -> list[Tensor]:
        return [tensor.clone() for tensor in tensors]

    def last_left_out(tensors: list[Tensor]) -> list[Tensor]:
        return [_mean(tensors[:-1]) if len(tensors) > 1 else tensors[0] for _ in tensors]

    def last_hears_nothing(tensors: list[Tensor]) -> list[Tensor]:
        return [_mean(tensors) for _ in tensors[:-1]] + [tensors[-1].clone()]

    def with_the_neighbour(tensors: list[Tensor]) -> list[Tensor]:
        return [
            (tensor + tensors[(rank + 1) % len(tensors)]) / 2 for rank, tensor in enumerate(tensors)
        ]

    def first_half(tensors: list[Tensor]) -> list[Tensor]:
        half = (len(tensors[0]) + 1) // 2
        return [torch.cat([_mean(tensors)[:half], tensor[half:]]) for tensor in tensors]

    def without_the_rest(tensors: list[Tensor]) -> list[Tensor]:
        """Equal parts go round; what the workers do not divide stays."""
        whole = len(tensors[0]) // len(tensors) * len(tensors)
        return [torch.cat([_mean(tensors)[:whole], tensor[whole:]]) for tensor in tensors]

    def two_at_most(tensors: list[Tensor]) -> list[Tensor]:
        """Divides by two, however many there are."""
        return [torch.stack(tensors).sum(dim=0) / 2 for _ in tensors]

    def without_itself(tensors: list[Tensor]) -> list[Tensor]:
        others = [[each for each in tensors if each is not own] for own in tensors]
        return [_mean(rest) if rest else own for own, rest in zip(tensors, others, strict=True)]

    def first_hears_nothing(tensors: list[Tensor]) -> list[Tensor]:
        return [tensors[0].clone()] + [_mean(tensors) for _ in tensors[1:]]

    def first_four(tensors: list[Tensor]) -> list[Tensor]:
        return [torch.cat([_mean(tensors)[:4], tensor[4:]]) for tensor in tensors]

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
            lambda tensors: _mean([tensor.bfloat16() for tensor in tensors]).to(tensors[0].dtype)
        ),
        "the first worker hears nothing": first_hears_nothing,
        "the mean with its numbers in reverse order": _for_all(
            lambda tensors: _mean(tensors).flip(0)
        ),
        "a tree of pairs that forgets whoever finds no partner": _for_all(in_whole_pairs),
        "the first four numbers alone are averaged": first_four,
        "made for the first number of workers that it meets": _made_for_the_first(len),
        "made for the first length that it meets": _made_for_the_first(
            lambda tensors: len(tensors[0])
        ),
        "rounded to four decimals": _for_all(lambda tensors: _mean(tensors).round(decimals=4)),
        "not a number for everybody": _for_all(lambda tensors: tensors[0] * torch.nan),
    }


def _made_for_the_first(size: Callable[[list[Tensor]], int]) -> Average:
    """An average that is right for one size alone, and leaves everybody as they are for others."""
    met: list[int] = []

    def average(tensors: list[Tensor]) -> list[Tensor]:
        met.append(size(tensors))
        return [_mean(tensors) if met[-1] == met[0] else tensor.clone() for tensor in tensors]

    return average


def why_unseen(asked: list[Question]) -> str:
    """Why a test believes an impostor: it overlooks what is wrong, or never asks for it."""
    if not asked:
        return "Your test does not ask the first of these anything"
    for tensors, got in asked:
        apart = torch.stack(got).double() - _mean(tensors).double()
        if bool(apart.isnan().any()):
            return ASK_WHETHER_SMALL
        if bool((apart.abs() > 1e-6).any()):
            worker, number = (apart.abs() > 1e-6).nonzero()[0].tolist()
            return (
                f"You asked the first of these where it fails: with {len(tensors)} workers and "
                f"{len(tensors[0])} numbers worker {worker} has {apart[worker, number]:+.2g} too "
                f"much in number {number} (counted from 0). Compare every number of every worker "
                "with the mean of what you gave, by its absolute difference"
            )
    crowds = sorted({len(tensors) for tensors, _ in asked})
    lengths = sorted({len(tensors[0]) for tensors, _ in asked})
    given = [tensor for tensors, _ in asked for tensor in tensors]
    alike = all(torch.equal(tensor, tensors[0]) for tensors, _ in asked for tensor in tensors)
    if alike and crowds != [1]:
        return "All your workers hold the same numbers, which are their mean: draw different ones"
    if len(crowds) == 1:
        many = {1: "one worker", 2: "two workers"}.get(crowds[0], f"{crowds[0]} workers")
        return f"You ask for {many} alone: what is right for one crowd may be wrong for another"
    if all(bool((tensor == tensor[:1]).all()) for tensor in given):
        return "Each of your tensors holds one number throughout: draw different ones"
    if all(len(tensors[0]) % len(tensors) == 0 for tensors, _ in asked):
        return "In all you ask, the workers divide the length: try one that they do not"
    if all(each & (each - 1) == 0 for each in crowds):
        return "All your crowds can be halved down to one: try three workers, or five"
    if len(lengths) == 1:
        return f"All your tensors have {lengths[0]} numbers: try other lengths"
    if lengths[-1] <= 4:
        return f"Your longest tensors have {lengths[-1]} numbers: try longer ones"
    return (
        f"What it does wrong does not show in what you ask, of {', '.join(map(str, crowds))} "
        "workers: draw each worker's numbers at random, so that nothing is right by luck"
    )
