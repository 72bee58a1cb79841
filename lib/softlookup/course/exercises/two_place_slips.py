"""The query for two places on a circle, and what may be wrong with each of its parts.

The key of a place at angle θ is (cos θ, sin θ, cos 2θ, sin 2θ). The query is a part for the single
angle and a part for the double one, of which the second is taken with half its weight and away.
"""

import itertools

import torch
from torch import Tensor

from softlookup.course.exercises.probes import same
from softlookup.course.exercises.slips import name_slips
from softlookup.course.exercises.verdict import Mistake


def at(angle: Tensor) -> Tensor:
    """The place at an angle, as a cosine and a sine."""
    return torch.stack([angle.cos(), angle.sin()])


def query(a: Tensor, b: Tensor) -> Tensor:
    """The right query, up to a positive factor."""
    return torch.cat([at(a) + at(b), -at(a + b) / 2])


def alike(got: Tensor, expected: Tensor) -> bool:
    """Whether two queries are the same but for a positive factor."""
    return same(_unit(got), _unit(expected))


def name_mistake(got: Tensor, a: Tensor, b: Tensor) -> None:
    """Name what is wrong with a query for the angles a and b, if it can be told.

    Raises:
        Mistake: with the words of one slip, or of two.
    """
    half, none = (a + b) / 2, torch.zeros(2, dtype=torch.float64)
    once, twice, by_numbers = at(a) + at(b), at(a + b), at(a) * at(b)
    whole = {
        "your query is the sum of the two keys: with close places the ones between score as high": (
            torch.cat([once, at(2 * a) + at(2 * b)])
        ),
        "your query is the key of the place halfway between the two, so it asks for that one": (
            torch.cat([at(half), at(2 * half)])
        ),
        "your query is the key of the place a alone; b is never used": torch.cat(
            [at(a), at(2 * a)]
        ),
        "your scores are lowest at the two places: the product is zero there and positive "
        "elsewhere, so its negative is what you want": -query(a, b),
        "the doubled angle has the wrong sign: your product is subtracted from 1 where it should "
        "be taken from 0": torch.cat([once, twice / 2]),
        "your query is the sum of the two keys' first numbers, so the places between them score "
        "higher than both: the numbers of the doubled angle are missing": torch.cat([once, none]),
        "your four numbers are the cosines and sines of the two angles: they are to meet a key's "
        "four numbers, so the first two go with θ, and the last two with 2θ": (
            torch.cat([at(a), at(b)])
        ),
        "your four numbers are the two angles, each with the other's cosines and sines side by "
        "side: the first two meet cos θ and sin θ, the last two cos 2θ and sin 2θ": torch.stack(
            [a.cos(), b.cos(), a.sin(), b.sin()]
        ),
        "your query is the product of the two keys, number by number: multiply the two factors as "
        "functions of θ, and then read off what stands beside each number of the key": (
            torch.cat([at(a) * at(b), at(2 * a) * at(2 * b)])
        ),
        "your query is the square of one factor, which is zero at a alone; b has a factor, too": (
            query(a, a)
        ),
        "your query is the square of one factor, which is zero at b alone; a has a factor, too": (
            query(b, b)
        ),
        "the single angle's numbers are twice those of the mean angle, so your query asks for the "
        "place halfway; cos a + cos b grows shorter the further a and b are apart": (
            query(half, half)
        ),
        "the numbers of the single angle are missing: without them a place and the one opposite "
        "to it score alike": torch.cat([none, -twice]),
        "the numbers of the single angle are missing, and the doubled angle has the wrong sign": (
            torch.cat([none, twice])
        ),
    }
    for words, wrong in whole.items():
        if alike(got, wrong):
            raise Mistake(words)
    _name_order(got, query(a, b))
    name_slips(
        got,
        lambda once=once, twice=twice, weight=0.5: torch.cat([once, -weight * twice]),
        {
            "once": {
                "the single angle's numbers are products; multiplied out, they are the sums "
                "cos a + cos b and sin a + sin b": by_numbers,
                "the single angle's numbers are differences; they are the sums cos a + cos b and "
                "sin a + sin b": at(a) - at(b),
                "the single angle's numbers are those of a + b; they are the sums cos a + cos b "
                "and sin a + sin b": twice,
                "the single angle's numbers are those of a alone": at(a),
                "the single angle's numbers point halfway, but with the length of one place; "
                "cos a + cos b grows shorter the further a and b are apart": at(half),
            },
            "twice": {
                "the doubled angle carries the difference of the two angles; the part that "
                "depends on the key carries their sum": at(a - b),
                "the doubled angle carries the sum of cos 2a and cos 2b; in the product of the "
                "two factors it carries a + b": at(2 * a) + at(2 * b),
                "the doubled angle carries products of cosines and of sines; cos(a + b) is "
                "cos a cos b - sin a sin b": by_numbers,
                "the doubled angle carries half of a + b; what stands beside 2θ is a + b": at(half),
                "the doubled angle carries twice a + b; what stands beside 2θ is a + b": (
                    at(2 * (a + b))
                ),
                "the doubled angle carries the sums of the single one": once,
            },
            "weight": {
                "the doubled angle has the wrong sign": -0.5,
                "the doubled angle weighs twice what it should beside the single one: cos x cos y "
                "is half of a sum": 1.0,
                "the doubled angle weighs half of what it should beside the single one": 0.25,
            },
        },
        alike,
    )
    _name_weight(got, once, twice)
    single, double = alike(got[:2], once), alike(got[2:], -twice)
    if single != double:
        true, false, angle = ("first", "last", "2θ") if single else ("last", "first", "θ")
        raise Mistake(
            f"the {true} two of your numbers point where they should, and the {false} two do not: "
            f"what stands beside cos {angle} and sin {angle} when the product of the two "
            "factors is multiplied out?"
        )


def _name_order(got: Tensor, right: Tensor) -> None:
    """Name numbers that are right and stand at other places, or have other signs."""
    names = ("cos θ", "sin θ", "cos 2θ", "sin 2θ")
    for order in itertools.permutations(range(4)):
        if order != (0, 1, 2, 3) and alike(got, right[list(order)]):
            moved = ", ".join(names[i] for i, j in enumerate(order) if i != j)
            raise Mistake(
                "your four numbers are right and stand in another order than the key's: look at "
                f"what meets {moved}"
            )
    for turned in itertools.product((1.0, -1.0), repeat=4):
        if turned.count(-1.0) in (1, 2) and alike(got, right * torch.tensor(turned)):
            which = " and ".join(n for n, s in zip(names, turned, strict=True) if s < 0)
            raise Mistake(f"what meets {which} in your query has the wrong sign")


def _name_weight(got: Tensor, once: Tensor, twice: Tensor) -> None:
    """Name two right directions with a wrong weight beside each other."""
    single, double = got[:2] @ once / (once @ once).clamp(min=1e-12), -got[2:] @ twice
    if single > 1e-9 and double > 1e-9 and same(got, torch.cat([single * once, -double * twice])):
        raise Mistake(
            "both parts of your query point where they should, but beside the single angle's "
            f"numbers those of the doubled angle weigh {2 * double / single:.3g} times what they "
            "should: the single angle's are the sums cos a + cos b and sin a + sin b, and a "
            "product of two cosines is half of a sum"
        )


def _unit(vector: Tensor) -> Tensor:
    return vector / vector.norm().clamp(min=1e-12)
