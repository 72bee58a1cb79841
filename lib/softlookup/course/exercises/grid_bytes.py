"""By what each mistake in the bytes of a grid multiplies the streams, and the gradients."""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from math import isclose, prod

import torch

from softlookup.course.exercises.one_number import by_a_factor, name_unused, require_number
from softlookup.course.exercises.verdict import Mistake

# What a formula for the bytes of a step is given, on two grids: together they tell mistakes apart
# that give one factor on either.
SIZES = ("rows", "length", "width", "blocks", "parameters", "itemsize", "data", "tensor")
GRIDS = ((51, 11, 20, 13, 9_600, 8, 3, 5), (60, 13, 6, 3, 9_660, 2, 5, 7))


def ring(workers: float) -> float:
    """How many times a worker of a ring sends what is averaged."""
    return 2 * (workers - 1) / workers


def streams(*sizes: float) -> float:
    """The bytes that a worker sends within its row of the grid, forwards and backwards."""
    rows, length, width, blocks, _, itemsize, data, tensor = sizes
    return 4 * blocks * ring(tensor) * rows / data * length * width * itemsize


def gradients(*sizes: float) -> float:
    """The bytes that a worker sends within its column of the grid."""
    *_, parameters, itemsize, data, tensor = sizes
    return ring(data) * parameters / tensor * itemsize


def name_bytes(bytes_of_step: Callable[..., object]) -> None:
    """Refuse a formula for the bytes of a step that is not right.

    Raises:
        Mistake: with what is wrong about the streams, and about the gradients.
    """

    def sent(*sizes: float) -> float:
        return streams(*sizes) + gradients(*sizes)

    got = [require_number(bytes_of_step(*sizes)) for sizes in GRIDS]
    if all(isclose(each, sent(*sizes)) for each, sizes in zip(got, GRIDS, strict=True)):
        return
    # A model without weights has no gradients to send, and one without blocks has no streams.
    weightless = [require_number(bytes_of_step(*grid[:4], 0, *grid[5:])) for grid in GRIDS]
    blockless = require_number(bytes_of_step(*GRIDS[0][:3], 0, *GRIDS[0][4:]))
    if weightless[0] == blockless == 0 != got[0]:
        raise Mistake("you multiply the bytes of the streams by those of the gradients; add them")
    streamed = [mine / streams(*grid) for mine, grid in zip(weightless, GRIDS, strict=True)]
    rest = [both - mine for both, mine in zip(got, weightless, strict=True)]
    averaged = [mine / gradients(*grid) for mine, grid in zip(rest, GRIDS, strict=True)]
    *_, itemsize, data, tensor = GRIDS[0]
    name_kinds(averaged[0], streamed[0], itemsize, data * tensor)
    sizes, others = (dict(zip(SIZES, grid, strict=True)) for grid in GRIDS)
    name_unused(bytes_of_step, sent, sizes, {"itemsize": others["itemsize"]})
    told = []
    for what, times, slips in (
        ("your streams", streamed, [stream_slips(*grid) for grid in GRIDS]),
        ("your gradients", averaged, [gradient_slips(*grid) for grid in GRIDS]),
    ):
        wrong = [each for each in times if not isclose(each, 1)]
        reason = why(times, slips) or (as_sums(times) if what == "your streams" else "")
        if wrong and not reason:
            name_unused(bytes_of_step, sent, sizes, others)
            given = dict(zip(SIZES, torch.tensor(GRIDS).T, strict=True))
            reason = by_a_factor(torch.tensor(times), torch.ones(len(GRIDS)), given)
        if wrong:
            told.append(
                f"{what} are {wrong[0]:.4g} times what is sent" + (f" ({reason})" if reason else "")
            )
    raise Mistake("; and ".join(told))


def name_kinds(gradients: float, streams: float, itemsize: int, workers: int) -> None:
    """Refuse one kind without the other, and both too few by one factor.

    Raises:
        Mistake: naming it.
    """
    for wrong, words in (
        ((1, 0), "you counted the gradients and not the streams of tensor parallelism"),
        ((0, 1), "you counted the streams and not the gradients of data parallelism"),
        ((0.5, 0.5), "a ring goes round twice: to add, and to hand out"),
        ((1 / itemsize, 1 / itemsize), "these are numbers; each has several bytes"),
        ((workers, workers), "these are the bytes of all workers; what each sends is asked for"),
    ):
        if isclose(gradients, wrong[0], abs_tol=1e-6) and isclose(streams, wrong[1], abs_tol=1e-6):
            raise Mistake(words)


def stream_slips(
    rows: int, length: int, width: int, blocks: int, _: int, itemsize: int, data: int, tensor: int
) -> dict[str, float]:
    """By what each mistake multiplies the bytes of the streams."""
    return {
        "there are none": 0,
        "each block has two sums forwards and two backwards, and each goes round the ring twice, "
        "to add and to hand out; you left out half": 1 / 2,
        "each block has two sums forwards and two backwards, and each goes round the ring twice, "
        "to add and to hand out; you counted a quarter of this": 1 / 4,
        "each block has two sums forwards and two backwards, and each goes round the ring twice, "
        "to add and to hand out; you counted twice as much": 2,
        "a worker of the grid sees its share of the rows, and its streams are as long": data,
        "the matrices are cut, and the streams are not: every worker of a row adds whole ones": (
            1 / tensor
        ),
        "a ring passes parts on, each a worker's share; you send the whole each time": tensor,
        "in a ring a worker sends all parts but one, `tensor` - 1 of `tensor`": (
            tensor / (tensor - 1)
        ),
        "the batch is cut into `data` parts, and you cut it into `tensor`": data / tensor,
        "streams go round the `tensor` workers of a row, and not round `data`": (
            ring(data) / ring(tensor)
        ),
        "streams go round the `tensor` workers of a row, and not round all": (
            ring(data * tensor) / ring(tensor)
        ),
        "every block has its sums, and you counted one": 1 / blocks,
        "each number has several bytes": 1 / itemsize,
        "a row of the batch has `length` tokens": 1 / length,
        "a stream is `width` numbers wide": 1 / width,
        "you left out the rows of the batch": data / rows,
        "2 (`tensor` - 1) / `tensor` is no whole number: divide by / and not by //": (
            2 * (tensor - 1) // tensor / ring(tensor)
        ),
    }


def gradient_slips(
    rows: int, length: int, width: int, blocks: int, _: int, itemsize: int, data: int, tensor: int
) -> dict[str, float]:
    """By what each mistake multiplies the bytes of the gradients."""
    return {
        "there are none": 0,
        "you made one ring of all workers; the grid has a ring a row and a ring a column": (
            tensor * ring(data * tensor) / ring(data)
        ),
        "a worker holds one part of the weights, so it averages that part's gradients": tensor,
        "the weights are cut into `tensor` parts, and you cut them into `data`": tensor / data,
        "a ring goes round twice, to add and to hand out": 1 / 2,
        "you counted them twice, forwards and backwards; only backwards are there gradients": 2,
        "they are as long for few rows as for many; data parallelism cuts the batch": 1 / data,
        "a ring passes parts on, each a worker's share; you send the whole each time": data,
        "in a ring a worker sends all parts but one, `data` - 1 of `data`": data / (data - 1),
        "gradients go round the `data` workers of a column, and not round `tensor`": (
            ring(tensor) / ring(data)
        ),
        "gradients go round the `data` workers of a column, and not round all": (
            ring(data * tensor) / ring(data)
        ),
        "2 (`data` - 1) / `data` is no whole number: divide by / and not by //": (
            2 * (data - 1) // data / ring(data)
        ),
        "each number has several bytes": 1 / itemsize,
        "`parameters` are those of all blocks together": blocks,
    }


def why(factors: Sequence[float], slips: Sequence[Mapping[str, float]]) -> str:
    """The mistake, or the two of them, by which something has become so many times as large.

    Args:
        factors: how many times, in each of several grids.
        slips: by what each mistake multiplies it, in each grid.
    """
    for each in (*combinations(slips[0], 1), *combinations(slips[0], 2)):
        if all(
            isclose(factor, prod(one[words] for words in each), rel_tol=1e-9, abs_tol=1e-9)
            for factor, one in zip(factors, slips, strict=True)
        ):
            return "; and ".join(each)
    return ""


def as_sums(factors: Sequence[float]) -> str:
    """How many sums in each block would give the streams; nothing if no number of them does."""
    sums = 4 * factors[0]
    if not all(isclose(factor, factors[0], rel_tol=1e-9) for factor in factors):
        return ""
    if sums == 0 or not isclose(sums, round(sums), rel_tol=1e-9):
        return ""
    return f"each block has four sums, and yours has {round(sums)}"
