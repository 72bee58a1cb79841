"""How a wrong result differs from the right one, where no known mistake explains it.

A check names the mistakes that it knows. For the others this looks at the two results side by
side, as a teacher would: a factor, a term too many, another order, a place where it goes wrong.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

import torch
from torch import Tensor

from softlookup.course.exercises.probes import same
from softlookup.course.exercises.verdict import Mistake

# Beyond so many slices of an axis, their order is not looked into.
MOST_SLICES = 128


def require_same(
    got: Tensor,
    right: Tensor,
    words: str,
    *,
    axes: Sequence[str] = (),
    given: Mapping[str, Tensor] | None = None,
) -> None:
    """Refuse a result that is not the right one, and tell how it differs.

    Args:
        got: the learner's result, of the right shape.
        right: the right one.
        words: what the result should be, as a sentence without its full stop.
        axes: what the axes of the result are, one word each: "place", "head".
        given: what the learner's function got, by name: a term too many may be one of these.

    Raises:
        Mistake: if they are not the same within rounding.
    """
    if not same(got, right):
        raise Mistake(f"{words}: {difference(got, right, axes=axes, given=given)}")


def difference(
    got: Tensor,
    right: Tensor,
    *,
    axes: Sequence[str] = (),
    given: Mapping[str, Tensor] | None = None,
) -> str:
    """Tell in words how a result differs from the right one of the same shape.

    Args:
        got: the wrong result.
        right: the right one.
        axes: what the axes are; without names they are counted.
        given: tensors of which one may have been added or left out.

    Returns:
        The likeliest description, with the first number that is wrong.
    """
    got, right = got.detach().double(), right.detach().double()
    names = [axes[axis] if axis < len(axes) else f"axis {axis}" for axis in range(right.ndim)]
    if not got.isfinite().all() and right.isfinite().all():
        if same(got, right.log()):
            return "yours is the logarithm of the right one"
        kind = "NaN" if got.isnan().any() else "infinity"
        return f"yours holds {kind}{_first(~got.isfinite(), names)}"
    for describe in (_as_a_whole, _by_a_term, _by_the_order, _along_an_axis, _by_a_factor):
        for words in describe(got, right, names, given or {}):
            return words
    wrong = (got - right).abs() > 1e-4 * right.abs() + 1e-5
    at = tuple(wrong.nonzero()[0].tolist())
    only_zeros = not wrong.all() and not got[wrong].any()
    return (
        f"yours is {got[at]:.4g} and {right[at]:.4g} is right"
        f"{_first(wrong, names) if right.ndim else ''}{_only(wrong, names)}"
        f"{'; all that is wrong in yours is zero' if only_zeros else ''}"
    )


def _as_a_whole(
    got: Tensor, right: Tensor, names: list[str], given: Mapping[str, Tensor]
) -> Iterator[str]:
    """One factor, one number added, or a function of the whole."""
    largest = right.abs().argmax()
    if right.flatten()[largest] != 0:
        factor = (got.flatten()[largest] / right.flatten()[largest]).item()
        if right.numel() > 1 and same(got, factor * right):
            yield (
                "yours is all zeros"
                if factor == 0
                else f"yours is {factor:.4g} times the right one{_by_a_size(factor, right, names)}"
            )
    if same(got, 1 - right):
        yield "yours is what the right one lacks to 1"
    offset = (got - right).mean()
    if right.numel() > 1 and same(got, right + offset):
        yield f"yours is the right one with {offset.item():+.4g} added everywhere"
    functions: dict[str, Callable[[Tensor], Tensor]] = {
        "the exponential": torch.exp,
        "the logarithm": torch.log,
        "the square": torch.square,
        "the root": torch.sqrt,
        "the inverse": torch.reciprocal,
        "the absolute value": torch.abs,
    }
    for name, function in functions.items():
        if same(got, function(right)):
            yield f"yours is {name} of the right one"
    for digits in (1, 2, 3):
        if same(got, right.round(decimals=digits), atol=1e-9):
            yield f"yours is the right one, rounded to {digits} digits: give it as it is"
    if same(got, right.round()) or same(got, right.trunc()):
        yield "yours is the right one, made a whole number: give it as it is"
    if right.ndim > 1 and got.shape[-2] == got.shape[-1] and same(got, right.mT):
        yield f"yours is transposed: {names[-2]} and {names[-1]} have changed places"


def _by_a_size(factor: float, right: Tensor, names: list[str]) -> str:
    """What a factor has to do with how many there are along an axis, if it has."""
    reasons = []
    for size, name in zip(right.shape, names, strict=True):
        many = f"how many there are along the {name}"
        powers = {
            size: f"{many}: a sum where a mean is right?",
            1 / size: f"one over {many}: a mean where a sum is right?",
            size**0.5: f"the root of {many}: is a division by it missing?",
            size**-0.5: f"one over the root of {many}: is it divided by once too often?",
        }
        # A factor of two has too many other reasons, and so has its root.
        reasons += [
            f", {words}"
            for power, words in powers.items()
            if size > 2 and abs(factor / power - 1) < 1e-4
        ]
    return reasons[0] if len(reasons) == 1 and abs(factor) not in (0.5, 2.0) else ""


def _along_an_axis(
    got: Tensor, right: Tensor, names: list[str], given: Mapping[str, Tensor]
) -> Iterator[str]:
    """Sums, a softmax too many, or a step aside along an axis."""
    for axis, name in enumerate(names):
        alike, ought = (
            same(each, each.narrow(axis, 0, 1).expand_as(each)) for each in (got, right)
        )
        if alike and not ought:
            yield f"yours is the same for every {name}, and that is not right"
    for axis, name in enumerate(names):
        if right.size(axis) < 3:
            continue
        if same(got, right.cumsum(axis)):
            yield f"yours is the running sum of the right one along the {name}"
        if same(got, right.softmax(axis)):
            yield f"yours is the softmax of the right one along the {name}: one softmax too many?"
        if same(got, right / right.sum(axis, keepdim=True)):
            yield f"yours is the right one, divided by its sum along the {name}"
        mine, own = got.movedim(axis, 0), right.movedim(axis, 0)
        if not same(own[1:], own[:-1]):
            if same(mine[1:], own[:-1]):
                yield f"yours stands one too late along the {name}"
            if same(mine[:-1], own[1:]):
                yield f"yours stands one too early along the {name}"


def _by_a_term(
    got: Tensor, right: Tensor, names: list[str], given: Mapping[str, Tensor]
) -> Iterator[str]:
    """Something that was given stands in the result once too often, or is missing in it."""
    for name, tensor in given.items():
        if tensor.shape == right.shape:
            if same(got, tensor):
                yield f"yours is `{name}` itself"
            if same(got, right + tensor.double()):
                yield f"yours is the right one plus `{name}`, which stands in it once too often"
            if same(got, right - tensor.double()):
                yield f"yours is the right one without `{name}`, which is missing in it"


def _by_the_order(
    got: Tensor, right: Tensor, names: list[str], given: Mapping[str, Tensor]
) -> Iterator[str]:
    """The same slices along an axis, in another order."""
    for axis, name in enumerate(names):
        if not 1 < right.size(axis) <= MOST_SLICES:
            continue
        if same(got, right.flip(axis)):
            yield f"yours is the right one backwards along the {name}"
        elif _permuted(got.movedim(axis, 0), right.movedim(axis, 0)):
            yield f"yours holds what is right in another order along the {name}"


def _by_a_factor(
    got: Tensor, right: Tensor, names: list[str], given: Mapping[str, Tensor]
) -> Iterator[str]:
    """Each slice along an axis is the right one, but for a factor of its own."""
    for axis, name in enumerate(names):
        others = [other for other in range(right.ndim) if other != axis]
        if not others or right.numel() == right.size(axis):
            continue
        factors = (got * right).sum(others, True) / right.square().sum(others, True)
        if factors.isfinite().all() and same(got, factors * right):
            yield (
                f"each {name} is the right one times a factor of its own, the first of them "
                f"{factors.flatten()[0].item():.4g}"
            )
    for axis, name in enumerate(names):
        if right.ndim < 2 or right.size(axis) < 2 or right.numel() == right.size(axis):
            continue
        factors = (got * right).sum(axis, True) / right.square().sum(axis, True)
        if factors.isfinite().all() and same(got, factors * right):
            yield (
                f"along the {name} yours is the right one times a factor, another one in each "
                "case: is it normalised once too often, or in another way?"
            )


def _permuted(got: Tensor, right: Tensor) -> bool:
    """Whether the slices of one, along the first axis, are those of the other in another order."""
    left = list(right)
    for each in got:
        found = next((place for place, other in enumerate(left) if same(each, other)), None)
        if found is None:
            return False
        del left[found]
    return True


def _first(wrong: Tensor, names: list[str]) -> str:
    """Where the first wrong number stands, as in "first at head 0, place 2"."""
    places = wrong.nonzero()[0].tolist()
    where = ", ".join(f"{name} {place}" for name, place in zip(names, places, strict=True))
    return f", first at {where} (counted from 0)" if where else ""


def _only(wrong: Tensor, names: list[str]) -> str:
    """That all is right elsewhere along an axis, if it is."""
    for axis, name in enumerate(names):
        hit = wrong.movedim(axis, 0).flatten(1).any(dim=1) if wrong.ndim > 1 else wrong
        places = hit.nonzero().flatten().tolist()
        if len(places) * 2 <= len(hit):
            listed = ", ".join(map(str, places[:4])) + (", …" if len(places) > 4 else "")
            return f"; along the {name} only {listed} of 0 to {len(hit) - 1} are wrong"
        if len(places) == len(hit) - 1:
            fine = next(place for place in range(len(hit)) if place not in places)
            return f"; along the {name} only {fine} of 0 to {len(hit) - 1} is right"
    return ""
