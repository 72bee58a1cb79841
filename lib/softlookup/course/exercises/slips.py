"""A formula with parts that can each go wrong: which slip, or which two at once, gave a result.

A check that lists whole wrong formulas knows those alone. One that lists what can be wrong with
each part also knows the answers in which two parts are wrong, and tells of both.
"""

import itertools
from collections.abc import Callable, Mapping
from typing import Any

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
        Mistake: with the words of one slip, or of two in different parts.
    """
    if alike(got, formula()):
        return
    single = [(part, words, value) for part, each in slips.items() for words, value in each.items()]
    for part, words, value in single:
        if alike(got, formula(**{part: value})):
            raise Mistake(words)
    for one, other in itertools.combinations(single, 2):
        if one[0] != other[0] and alike(got, formula(**{one[0]: one[2], other[0]: other[2]})):
            raise Mistake(f"there are two mistakes. {_begun(one[1])}. {_begun(other[1])}")


def _begun(words: str) -> str:
    """Words as the beginning of a sentence."""
    return words[:1].upper() + words[1:]
