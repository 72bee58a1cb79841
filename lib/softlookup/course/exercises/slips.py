"""A formula with parts that can each go wrong: which slip, or which two at once, gave a result.

A check that lists whole wrong formulas knows those alone. One that lists what can be wrong with
each part also knows the answers in which two parts are wrong, and tells of both.
"""

import itertools
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

from softlookup.course.exercises.probes import same
from softlookup.course.exercises.verdict import Mistake

Slips = Mapping[str, Mapping[str, Any]]


def name_slips(
    got: Tensor,
    formula: Callable[..., Tensor],
    slips: Slips,
    alike: Callable[[Tensor, Tensor], bool] = same,
) -> None:
    """Name the slips that explain a result; if none do, or it is right, do nothing.

    Args:
        got: the learner's result.
        formula: the right one, with a parameter for each part, whose default is what is right.
        slips: for each part, by the parameter's name, what might stand there instead, by the
            words that tell a learner of it.
        alike: whether two results are the same.

    Raises:
        Mistake: with the words of one slip, or of two in different parts; where one of the two
            does no harm alone, it is told behind the other, and not as a mistake.
    """
    right = formula()
    if alike(got, right):
        return

    def harmless(part: str, value: object) -> bool:
        return alike(right, formula(**{part: value}))

    single = [(part, words, value) for part, each in slips.items() for words, value in each.items()]
    for part, words, value in single:
        if alike(got, formula(**{part: value})):
            raise Mistake(words)
    for one, other in itertools.combinations(single, 2):
        if one[0] != other[0] and alike(got, formula(**{one[0]: one[2], other[0]: other[2]})):
            if harmless(one[0], one[2]):
                one, other = other, one
            raise Mistake(_both(one[1], other[1], harmless(other[0], other[2])))


def combination(got: Tensor, terms: Mapping[str, Tensor]) -> dict[str, float]:
    """How often each of several terms stands in a result that is their sum; else nothing.

    Args:
        got: the learner's result.
        terms: tensors that can be spread to its shape, none a sum of the others, by their names.
    """
    columns = [term.double().expand(got.shape).flatten() for term in terms.values()]
    matrix = torch.stack(columns, dim=1)
    if not got.isfinite().all() or torch.linalg.matrix_rank(matrix) < len(terms):
        return {}
    times = torch.linalg.lstsq(matrix, got.double().flatten()[:, None]).solution[:, 0]
    if not same((matrix @ times).view(got.shape), got):
        return {}
    return {name: round(each, 6) for name, each in zip(terms, times.tolist(), strict=True)}


def name_times(got: Tensor, terms: Mapping[str, tuple[Tensor, float]]) -> None:
    """Name the terms that stand in a sum more or less often than they should.

    Args:
        got: the learner's result.
        terms: each term, and how often it should stand there, by its name; a term that should
            not stand there at all has a 0.

    Raises:
        Mistake: if the result is a sum of these terms, naming those that are wrong.
    """
    times = combination(got, {name: term for name, (term, _) in terms.items()})
    wrong = [
        f"{name} stands in yours {times[name] + 0.0:.3g} times; {right:g} is right"
        for name, (_, right) in terms.items()
        if times and abs(times[name] - right) > 1e-3
    ]
    if wrong:
        raise Mistake("; ".join(wrong))


def _both(first: str, second: str, harmless: bool) -> str:
    """What is told of two slips, of which the second alone may do no harm."""
    first = _begun(first) + ("" if first.endswith("?") else ".")
    if harmless:
        return f"{first} One thing more shows with it, and would do no harm alone: {second}"
    return f"there are two mistakes. {first} {_begun(second)}"


def _begun(words: str) -> str:
    """Words as the beginning of a sentence."""
    return words[:1].upper() + words[1:]
