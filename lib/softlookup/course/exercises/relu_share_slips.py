"""What goes wrong in normalised ReLU weights under a mask: what is kept, and what it is divided by.

The chapter on open questions has them repaired.
"""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from softlookup.course.exercises.probes import name_first, same
from softlookup.course.exercises.slips import name_slips
from softlookup.course.exercises.verdict import Mistake


def shares(kept: Tensor, total: Tensor | None = None) -> Tensor:
    """What is kept, divided by its sum; zeros where that is zero."""
    total = kept.sum(dim=-1, keepdim=True) if total is None else total
    return kept / total.masked_fill(total == 0, 1.0)


def name_shares(got: Tensor, scores: Tensor, mask: Tensor) -> None:
    """Name what is wrong with weights, where no row is empty and some scores are small.

    Args:
        got: the learner's, (…, queries, keys).
        scores: of the same shape; some rows of it sum to less than one.
        mask: of the same shape, True = may look.

    Raises:
        Mistake: with the words for the part that is wrong, or for two of them.
    """
    above, allowed = F.relu(scores), mask.double()
    kept = above * allowed

    def weights(
        kept: Tensor = kept,
        total: Callable[[Tensor], Tensor] = lambda kept: kept.sum(dim=-1, keepdim=True),
        end: Callable[[Tensor], Tensor] = lambda weights: weights,
    ) -> Tensor:
        return end(shares(kept, total(kept)))

    hidden_counted = above.sum(dim=-1, keepdim=True)
    name_first(
        got,
        [
            (
                above / hidden_counted.clamp(min=1.0) * mask,
                "this is the code that you were given, or does what it does: hidden keys are "
                "counted in the sum, and sums below one are taken for one",
            ),
            (
                scores.masked_fill(~mask, float("-inf")).softmax(-1),
                "your weights are those of softmax; here no exponential is taken",
            ),
            (
                scores.softmax(-1) * mask,
                "your weights are those of softmax, masked afterwards; here no exponential is "
                "taken, and hidden keys do not count in the sum",
            ),
        ],
    )
    if (got < -1e-6).any():
        raise Mistake("some of your weights are below zero: apply the ReLU before you divide")
    name_slips(
        got,
        weights,
        {
            "kept": {
                "your forbidden keys have weight: the mask is not used": above,
                "your mask is inverted: True = may look": above * (1 - allowed),
                "your scores below zero count as if they were above: a ReLU is no absolute value": (
                    scores.abs() * allowed
                ),
                "your scores above zero are squared: a ReLU leaves them as they are": (
                    kept.square()
                ),
                "you take the exponential of the scores; a ReLU leaves those above zero as they "
                "are": scores.exp() * allowed,
                "your ReLU is added to the mask, where it is to be multiplied by it": (
                    above + allowed
                ),
                "what stands in your rows is the mask: each allowed key has the same, whatever "
                "its score": allowed,
                "what stands in your rows is whether a score is above zero, and not the score": (
                    (kept > 0).double()
                ),
            },
            "total": {
                "you mask after dividing, so hidden keys are still counted in the sum, and your "
                "rows fall short of one. Mask first, then divide": lambda _: hidden_counted,
                "you mask after dividing, and sums below one are still taken for one": (
                    lambda _: hidden_counted.clamp(min=1.0)
                ),
                "your weights are shares over the queries; each row, over the keys, sums to one": (
                    lambda kept: kept.sum(dim=-2, keepdim=True)
                ),
                "your weights are shares of the whole table; each row of it sums to one": (
                    lambda kept: kept.sum(dim=(-2, -1), keepdim=True)
                ),
                "your weights are shares of all that was given, over all tables; each row sums to "
                "one": lambda kept: kept.sum(),
                "you divide by the number of allowed keys; that is the plain ReLU form. Shares are "
                "divided by their own sum": lambda _: allowed.sum(dim=-1, keepdim=True),
                "you divide by the number of keys; that is the plain ReLU form. Shares are "
                "divided by their own sum": lambda _: torch.full_like(
                    hidden_counted, kept.size(-1)
                ),
                "rows whose scores sum to less than one no longer sum to one: divide by the sum "
                "itself, however small; only a sum of zero needs another divisor": (
                    lambda kept: kept.sum(dim=-1, keepdim=True).clamp(min=1.0)
                ),
                "rows whose scores sum to more than one no longer sum to one: clamp(max=1) makes "
                "large sums one. Divide by the sum itself": (
                    lambda kept: kept.sum(dim=-1, keepdim=True).clamp(max=1.0)
                ),
                "you add 1 to the sum that you divide by, so that no row sums to one: only a sum "
                "of zero needs another divisor": lambda kept: 1 + kept.sum(dim=-1, keepdim=True),
                "your weights are not divided by anything, so no row is a share": (
                    lambda _: torch.ones_like(hidden_counted)
                ),
                "you divide by the largest of a row; shares are divided by the sum": (
                    lambda kept: kept.amax(dim=-1, keepdim=True)
                ),
                "you divide by the mean of a row; shares are divided by the sum": (
                    lambda kept: kept.mean(dim=-1, keepdim=True)
                ),
                "you divide by the length of a row, the root of the sum of squares, as "
                "F.normalize does; shares are divided by the sum, F.normalize with p=1": (
                    lambda kept: kept.norm(dim=-1, keepdim=True)
                ),
                "your divisor is the sum of all allowed scores, those below zero too; the ReLU "
                "comes first": lambda _: (scores * allowed).sum(dim=-1, keepdim=True),
                "your divisor is the sum of the scores' sizes, of those below zero too; the ReLU "
                "comes first": lambda _: (scores.abs() * allowed).sum(dim=-1, keepdim=True),
                "your divisor is the sum of the scores; sum what is left of them after ReLU and "
                "mask": lambda _: scores.sum(dim=-1, keepdim=True),
            },
            "end": {
                "you take the softmax of the shares; they sum to one already": (
                    lambda weights: weights.softmax(dim=-1)
                ),
                "your rows are half of what they should be": lambda weights: weights / 2,
            },
        },
    )
    totals, theirs = kept.sum(-1, keepdim=True), got.sum(-1, keepdim=True)
    added = (totals / theirs - totals)[totals > 0]
    if added[0].abs() > 1e-5 and same(added, added[:1].expand_as(added)):
        raise Mistake(
            f"you add {added[0]:.2g} to the sum that you divide by, so that no row sums to one: "
            "only a sum of zero needs another divisor"
        )
    if not same(got, weights()):
        raise Mistake(_difference(got, kept, mask))


def _difference(got: Tensor, kept: Tensor, mask: Tensor) -> str:
    """In which way weights are wrong, if no known slip explains them."""
    if (got[~mask].abs() > 1e-6).any():
        return "your forbidden keys have weight: where the mask is False, a weight is zero"
    if (got[mask & (kept == 0)].abs() > 1e-6).any():
        return "keys whose score is below zero have weight in yours: a ReLU leaves zero there"
    sums = got.sum(-1)
    if not same(sums, torch.ones_like(sums)):
        return (
            f"your rows sum to {sums.min():.3g} up to {sums.max():.3g}, and not to one: what a row "
            "is divided by is the sum of what stands in it, after ReLU and mask"
        )
    return (
        "your rows sum to one, and what stands in them is not in proportion to relu(scores), "
        "hidden where forbidden"
    )
