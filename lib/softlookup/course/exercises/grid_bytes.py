"""By what each mistake in the bytes of a grid multiplies the streams, and the gradients."""

from itertools import combinations
from math import isclose, prod

from softlookup.course.exercises.verdict import Mistake


def ring(workers: int) -> float:
    """How many times a worker of a ring sends what is averaged."""
    return 2 * (workers - 1) / workers


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
        "each number has several bytes": 1 / itemsize,
        "`parameters` are those of all blocks together": blocks,
    }


def why(factor: float, slips: dict[str, float]) -> str:
    """The mistake, or the two of them, by which something has become so many times as large."""
    for each in (*combinations(slips, 1), *combinations(slips, 2)):
        if isclose(factor, prod(slips[words] for words in each), rel_tol=1e-9, abs_tol=1e-9):
            return f" ({'; and '.join(each)})"
    return ""
