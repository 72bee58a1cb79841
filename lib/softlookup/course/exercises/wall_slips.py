"""What goes wrong in two formulas of the chapter on the quadratic wall.

They are the crosstalk of a state, and the number of tokens that fit into a memory.
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from softlookup.course.exercises.slips import name_slips


def _numbers(values: list[float] | list[int]) -> Tensor:
    return torch.tensor(values, dtype=torch.float64)


def _close(one: Tensor, other: Tensor) -> bool:
    return torch.allclose(one, other, rtol=1e-6, atol=0.0)


def name_crosstalk(got: list[float], cases: list[tuple[int, int, int]]) -> None:
    """Name what is wrong with the standard deviations of a state's crosstalk.

    Args:
        got: the learner's, one a case.
        cases: the numbers of keys, of their coordinates, and of labels.

    Raises:
        Mistake: with the words for the part that is wrong.
    """
    n, d, labels = (_numbers([*each]) for each in zip(*cases, strict=True))

    def deviation(
        others: Tensor = n - 1,
        chance: Tensor | float = 1 / labels,
        overlap: Tensor | float = 1 / d,
        terms: Tensor | None = None,
        end: Callable[[Tensor], Tensor] = torch.sqrt,
    ) -> Tensor:
        return end((others * chance if terms is None else terms) * overlap)

    own = "the key that is asked for does not disturb itself: n - 1 others do"
    signs = (
        "your terms add up as if they all had one sign; those of random sign add up in their "
        "squares, so their number stands inside the root once"
    )
    name_slips(
        _numbers(got),
        deviation,
        {
            "others": {
                own: n,
                "you leave out one key too many: n - 1 others disturb": n - 2,
                "you have one key too many, and another: n - 1 others disturb": n + 1,
                "you count all pairs of keys; only the pairs with the key that is asked for "
                "disturb, n - 1 of them": n * (n - 1),
                "you count all pairs of keys, each once; only the pairs with the key that is "
                "asked for disturb, n - 1 of them": n * (n - 1) / 2,
                "your variance is half of what it should be: each of the n - 1 other keys counts "
                "in full, with a square of 1/d on average": (n - 1) / 2,
                "this is the deviation of a mean over the keys; the answer is their sum": (
                    1 / (n - 1)
                ),
                "one term alone has this deviation; n - 1 others disturb": torch.ones_like(n),
            },
            "chance": {
                "every other key disturbs in your formula; at one wrong label it is those that "
                "have this label, one in so many": 1.0,
                "more labels share the keys out among more places: divide by their number": labels,
                "this is the crosstalk of all wrong labels together; one of them is asked about": (
                    (labels - 1) / labels
                ),
                "your other keys share labels - 1 labels; any key may also have the one of the key "
                "that is asked for": 1 / (labels - 1),
                "the chance of a label stands outside the root; it says how many terms there are, "
                "so it belongs inside": 1 / labels.square(),
                "you took the variance of a label alone; a product of mean 0 has the mean of its "
                "square for a variance": (1 - 1 / labels) / labels,
            },
            "overlap": {
                "your keys overlap wholly: two random unit vectors have a product of mean 0 and of "
                "variance 1/d": 1.0,
                "your overlap of two keys has a variance of 1/d²; it is 1/d, since d squares of "
                "which each is 1/d on average sum to 1": 1 / d.square(),
                "your overlap of two keys has a variance of one over the root of d; that is its "
                "standard deviation": 1 / d.sqrt(),
                "your overlap of two keys has a variance of d, as that of vectors whose "
                "coordinates have variance 1; these have length 1": d,
                "your overlap of two keys has a variance of 1/(d - 1); the squares of d "
                "coordinates sum to 1, so it is 1/d": 1 / (d - 1),
            },
            "terms": {
                "you take the key that is asked for from those that share its label; at a wrong "
                "label it is not among them, and n - 1 others share the labels out": n / labels - 1,
                "you round the number of keys at a label down; on average it need not be whole": (
                    ((n - 1) / labels).floor()
                ),
                "you round the number of keys at a label up; on average it need not be whole": (
                    ((n - 1) / labels).ceil()
                ),
                signs: ((n - 1) / labels).square(),
                f"{signs}, and so does the chance of a label": (n - 1).square() / labels,
            },
            "end": {
                "this is the variance; its root is asked for": lambda variance: variance,
                "this is upside down: more keys disturb more, and width and labels share it out": (
                    lambda variance: 1 / variance.sqrt()
                ),
                "this is the mean size of a normal number; the standard deviation is asked for": (
                    lambda variance: (variance * 2 / math.pi).sqrt()
                ),
                "you subtract a squared mean; the mean is 0": (
                    lambda variance: (variance - variance.square()).sqrt()
                ),
                "this is a logarithm; the root of the variance is asked for": torch.log,
            },
        },
        _close,
    )


def most_tokens(numbers: int, squares: float, linear: float) -> int:
    """The greatest whole n with squares·n² + linear·n ≤ numbers."""
    n = int((math.sqrt(linear**2 + 4 * squares * numbers) - linear) / (2 * squares)) + 1
    while squares * n * n + linear * n > numbers:
        n -= 1
    return n


_BYTES = {
    "you multiply the bytes by four to get floats; a float32 takes four of them, so divide": 0.25,
    "you forgot that a float32 takes four bytes": 1,
    "your numbers take two bytes each; a float32 takes four": 2,
    "your numbers take eight bytes each; a float32 takes four": 8,
}
_ROUNDED = {
    "your number is one too large: so many tokens no longer fit": 1,
    "your number is one too small: one more token fits": -1,
}
_FULL = {
    "what fills the room to the last byte still fits: compare with <= and not with <": 1,
}


def name_square_fits(got: list[int], cases: list[tuple[int, int]]) -> None:
    """Name what is wrong with the numbers of tokens that fit by the definition.

    Args:
        got: the learner's, one a case.
        cases: the bytes of a memory, and a head's width.

    Raises:
        Mistake: with the words for the part that is wrong.
    """

    def fits(
        size: float = 4,
        squares: float = 1,
        linear: Callable[[int], int] = lambda width: 3 * width,
        off: int = 0,
        spared: int = 0,
        whole: Callable[[int, int], int] | None = None,
    ) -> Tensor:
        return _numbers(
            [
                whole(int(room // size), width)
                if whole
                else most_tokens(int(room // size) - spared, squares, linear(width)) + off
                for room, width in cases
            ]
        )

    name_slips(
        _numbers(got),
        fits,
        {
            "size": _BYTES,
            "squares": {
                "your definition keeps scores and weights; the derivative of a softmax needs the "
                "weights alone": 2,
                "your definition keeps half the weights; without a mask all of them are kept": 0.5,
                "your definition keeps three squares; one is kept between the passes, that of the "
                "weights": 3,
            },
            "linear": {
                "your definition keeps the weights alone; query, key and value are kept too": (
                    lambda _: 0
                ),
                "your definition keeps one of query, key and value; all three are kept": (
                    lambda width: width
                ),
                "your definition keeps two of query, key and value; all three are kept": (
                    lambda width: 2 * width
                ),
                "your definition keeps the output, but no derivative asks for it: the weights take "
                "its place": lambda width: 4 * width,
                "your definition keeps three numbers a token beside the weights; query, key and "
                "value have d each": lambda _: 3,
            },
            "off": _ROUNDED,
            "spared": _FULL,
            "whole": {
                "you round up; then one token too many is to fit, so round down": (
                    lambda numbers, width: math.ceil(
                        (math.sqrt(9 * width**2 + 4 * numbers) - 3 * width) / 2
                    )
                ),
                "you round to the nearest whole number; half a token does not fit, so round down": (
                    lambda numbers, width: round(
                        (math.sqrt(9 * width**2 + 4 * numbers) - 3 * width) / 2
                    )
                ),
                "you halve the root and 3d apart, and round each of them; round once, at the end": (
                    lambda numbers, width: (
                        math.isqrt(9 * width**2 + 4 * numbers) // 2 - 3 * width // 2
                    )
                ),
                "your two numbers are exchanged: by the definition comes first": (
                    lambda numbers, width: numbers // (4 * width + 2)
                ),
                "you solve as if n² + 3nd were n² + 3d: query, key and value have 3d numbers for "
                "each token": lambda numbers, width: math.isqrt(numbers - 3 * width),
                "you solve as if n² + 3nd were n² (1 + 3d): the squares grow as n² alone": (
                    lambda numbers, width: math.isqrt(numbers // (3 * width + 1))
                ),
                "of the two solutions of n² + 3nd = number of floats take that in which 3d is "
                "subtracted": lambda numbers, width: most_tokens(numbers, 1, 3 * width) + 3 * width,
                "your solution is not divided by 2: n is half of √(9d² + 4·floats) - 3d": (
                    lambda numbers, width: math.isqrt(9 * width**2 + 4 * numbers) - 3 * width
                ),
                "the root of (3d)² is 3d: under the root stands 9d², not 3d²": (
                    lambda numbers, width: (math.isqrt(3 * width**2 + 4 * numbers) - 3 * width) // 2
                ),
                "your weights grow as n; there is one for each query and key, n²": (
                    lambda numbers, width: numbers // (4 * width)
                ),
                "your weights grow as n; there is one for each query and each key, n²": (
                    lambda numbers, width: numbers // (3 * width + 1)
                ),
            },
        },
        torch.equal,
    )


def name_block_fits(got: list[int], cases: list[tuple[int, int]]) -> None:
    """Name what is wrong with the numbers of tokens that fit by blocks.

    Args:
        got: the learner's, one a case.
        cases: the bytes of a memory, and a head's width.

    Raises:
        Mistake: with the words for the part that is wrong.
    """

    def fits(
        size: float = 4,
        tensors: int = 4,
        beside: int = 2,
        each: int = 0,
        off: int = 0,
        spared: int = 0,
        bare: bool = False,
        up: bool = False,
        once: bool = False,
    ) -> Tensor:
        return _numbers(
            [
                (-1 if up else 1)
                * (
                    (-1 if up else 1)
                    * (int(room // size) - spared - (beside if once else 0))
                    // (
                        3 * width
                        if bare
                        else tensors * width + (0 if once else each * width or beside)
                    )
                )
                + off
                for room, width in cases
            ]
        )

    alone = "your blocks keep query, key and value alone; without the output and the two numbers"
    name_slips(
        _numbers(got),
        fits,
        {
            "bare": {f"{alone} a query nothing can be computed anew": True},
            "size": {
                "your blocks multiply the bytes by four to get floats; a float32 takes four of "
                "them, so divide": 0.25,
                "your blocks' numbers take one byte each; it is four": 1,
                "your blocks' numbers take two bytes each; it is four": 2,
                "your blocks' numbers take eight bytes each; it is four": 8,
            },
            "tensors": {
                "your blocks forget the output, from which the row's common share comes": 3,
                "your blocks keep two of width d; they keep query, key, value and output": 2,
                "your blocks keep one of width d; they keep query, key, value and output": 1,
                "your blocks keep five of width d; they keep query, key, value and output": 5,
            },
            "beside": {
                "your blocks forget the maximum and the total of each query": 0,
                "your blocks keep one number a query beside the tensors; maximum and total are "
                "two": 1,
                "your blocks keep three numbers a query beside the tensors; maximum and total are "
                "two": 3,
            },
            "each": {
                "your maximum and total have d numbers a query; they are one number each": 2,
            },
            "once": {
                "your blocks keep one maximum and one total in all; each query has both": True,
            },
            "up": {"your blocks' number is rounded up; then one token too many is to fit": True},
            "off": _ROUNDED,
            "spared": _FULL,
        },
        torch.equal,
    )
