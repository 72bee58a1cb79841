"""A formula that gives one number: how a wrong number differs where no known mistake explains it.

A check asks for the number at several sizes. What is wrong by a factor is told by which of the
sizes it is multiplied or divided; what a learner forgot shows in a number that does not change.
"""

import itertools
from collections.abc import Callable, Mapping
from numbers import Real

import torch
from torch import Tensor

from softlookup.course.exercises.verdict import Mistake

# Factors that have nothing to do with the sizes: halves, bits, percents, and larger units.
_CONSTANTS = (2, 4, 8, 16, 32, 100, 1000, 1024, 10**6, 2**20, 10**9, 2**30)


def require_number(got: object) -> float:
    """Refuse what is not one number.

    Raises:
        Mistake: if it is something else.
    """
    if isinstance(got, tuple | list):
        raise Mistake(
            f"your function returned {len(got)} numbers; one is expected, of all together"
        )
    if isinstance(got, bool) or not isinstance(got, Real | Tensor):
        raise Mistake(f"your function returned {type(got).__name__}; a number is expected")
    if isinstance(got, Tensor) and got.numel() != 1:
        raise Mistake(f"your result has shape {tuple(got.shape)}; one number is expected")
    return float(got)


def name_unused(
    function: Callable[..., object],
    right: Callable[..., float],
    sizes: Mapping[str, float],
    others: Mapping[str, float],
) -> None:
    """Name what a learner's formula never uses.

    Args:
        function: the learner's.
        right: the right one.
        sizes: what both are given, in order, by name.
        others: another value for each; each must also fit where only it is changed.

    Raises:
        Mistake: if the result stays the same though one of the sizes changes, and should not.
    """
    before, ought = require_number(function(*sizes.values())), right(*sizes.values())
    unused = []
    for name, other in others.items():
        changed = {**sizes, name: other}.values()
        if right(*changed) != ought and require_number(function(*changed)) == before:
            unused.append(name)
    if len(unused) == len(sizes):
        raise Mistake(f"yours is {before:,.6g} whatever the sizes are: it must depend on them")
    if unused:
        named = " and ".join(f"`{name}`" for name in unused)
        example = f"{sizes[unused[0]]:g} or {others[unused[0]]:g}"
        raise Mistake(
            f"{named} changes nothing in yours: whether it is {example}, the result stays"
        )


def by_a_factor(got: Tensor, right: Tensor, given: Mapping[str, Tensor]) -> str:
    """By what a number is multiplied or divided that is wrong by a factor, in words.

    Args:
        got: the learner's number in each of several cases.
        right: the right one in each.
        given: what the function was given in each, by name.

    Returns:
        The one or two sizes, or the constant, that explain all cases; nothing if none do, if
        several might, or if the number is right.
    """
    factor = got.double() / right.double()
    sizes = {f"`{name}`": each.double() for name, each in given.items()}
    constants = {f"{each:,}": torch.full_like(factor, each) for each in _CONSTANTS}
    terms = {
        f"{verb} by {name}": each**power
        for verb, power in (("multiplied", 1), ("divided", -1))
        for name, each in (sizes | constants).items()
    }
    if torch.allclose(factor, torch.ones_like(factor), rtol=1e-6, atol=0.0):
        return ""
    for count in (1, 2):
        found = [
            (f"{words[0]} twice" if words[1:] == words[:1] else " and ".join(words))
            for words in itertools.combinations_with_replacement(terms, count)
            if torch.allclose(
                factor, torch.stack([terms[each] for each in words]).prod(0), rtol=1e-6, atol=0.0
            )
        ]
        if found:
            return f"the right number {found[0]}" if len(found) == 1 else ""
    return ""
