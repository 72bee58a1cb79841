"""What goes wrong where the shorter context of smoothed bigrams is derived.

The chapter on the next word asks for the distribution that leaves every word as frequent as it was.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from softlookup.course.exercises.probes import same
from softlookup.course.exercises.slips import name_slips

Table = Callable[[Tensor, Tensor], Tensor]


def taken_from(counts: Tensor, discounts: Tensor) -> Tensor:
    """What each pair's count is lowered by."""
    return discounts[counts.clamp(max=3)]


def given_back(
    counts: Tensor,
    discounts: Tensor,
    table: Table = taken_from,
    weight: Callable[[Tensor], Tensor | float] = lambda counts: 1.0,
    over: Callable[[Tensor], Tensor] = lambda table: table.sum(0),
    shared: Callable[[Tensor, Tensor, Tensor], Tensor] = lambda p, table, counts: p / p.sum(),
) -> Tensor:
    """What is taken from each word, as a share of all that is taken; or what is not that.

    Args:
        counts: how often each word came after each.
        discounts: for no count, one, two, and more.
        table: what each pair has a part in.
        weight: how much each pair, or each context, counts.
        over: sums up the pairs of a word.
        shared: makes shares of these sums.
    """
    parts = table(counts, discounts) * weight(counts)
    return shared(over(parts), parts, counts)


def name_given_back(got: Tensor, counts: Tensor, discounts: Tensor) -> None:
    """Name what is wrong with the distribution of the shorter context.

    Args:
        got: the learner's.
        counts: with words of small totals among them, and no empty context.
        discounts: four, of which the last three differ.

    Raises:
        Mistake: with the words for the part that is wrong, or for two.
    """

    def formula(whole: Tensor | None = None, **parts: Callable[..., Tensor]) -> Tensor:
        return given_back(counts, discounts, **parts) if whole is None else whole

    taken = taken_from(counts, discounts)
    own = counts.sum(0)
    share = taken.sum(0) / taken.sum()
    of_total = taken_from(own, discounts)
    cancels = "c(h) cancels in the sum over contexts"
    name_slips(
        got,
        formula,
        {
            "table": {
                "these are the frequencies themselves. Frequent words lose little, for their size, "
                "so they should get back less than their share": lambda c, d: c.double(),
                "after how many different words it came is right for a single discount; with "
                "three, not every pair loses the same": lambda c, d: (c > 0).double(),
                "this is what is left of each word after the discount; the shorter context shares "
                "out what was *taken*": lambda c, d: c - taken_from(c, d),
                "a pair that came three times or more has the last discount": (
                    lambda c, d: d[c.clamp(max=2)]
                ),
                "you lower only counts of exactly three by the last discount; it is for three and "
                "more": lambda c, d: taken_from(c, d) * (c < 4),
                "your discounts are one place off: the first of the four is for a count of 0, the "
                "second for 1": lambda c, d: d[(c - 1).clamp(0, 3)],
                "your discounts are one place off: a pair that came once has the second of the "
                "four, the first is for 0": lambda c, d: d[(c + 1).clamp(max=3)] * (c > 0),
                "you count the pairs that came once; every pair that came loses something": (
                    lambda c, d: (c == 1).double()
                ),
                "you count the contexts in which a word never came; every pair that came loses "
                "something": lambda c, d: (c == 0).double(),
                "you multiply each discount by the count; a pair loses its discount once": (
                    lambda c, d: taken_from(c, d) * c
                ),
            },
            "weight": {
                f"you weigh what each context takes by c(h); {cancels}": (
                    lambda c: c.sum(1, keepdim=True)
                ),
                "you gave every context the same weight, and divide by c(h); one that came often "
                f"counts as often as it came, and {cancels}": lambda c: 1 / c.sum(1, keepdim=True),
                "you let each context share out what it takes, and average over contexts; the sum "
                "over all contexts is divided by the sum over all": (
                    lambda c: 1 / taken_from(c, discounts).sum(1, keepdim=True)
                ),
            },
            "over": {
                "you summed over the words that follow: that is what each *context* gave. Sum over "
                "the contexts": lambda table: table.sum(1),
                "you average over the contexts in which the word came; what is taken in all of "
                "them is summed": lambda table: table.sum(0) / (table != 0).sum(0).clamp(min=1),
                "you take the largest that any context takes; what all of them take is summed": (
                    lambda table: table.amax(0)
                ),
            },
            "shared": {
                "this is what was taken, in counts; make it sum to one": lambda p, table, c: p,
                "you divide by all counts; divide by all that was taken, the sum of the discounts "
                "over all pairs": lambda p, table, c: p / c.sum(),
                "you divide each word's sum by how often the word came; divide all by one number, "
                "all that was taken": lambda p, table, c: p / c.sum(0),
                "you divide by the number of contexts: this is a mean, and does not sum to one": (
                    lambda p, table, c: p / len(c)
                ),
                "you divide by how many pairs came; divide by all that was taken": (
                    lambda p, table, c: p / (c > 0).sum()
                ),
                "you take a softmax; a share is a quotient: divide by the sum": (
                    lambda p, table, c: p.softmax(0)
                ),
                "you divide by what is left of all counts; divide by all that was taken": (
                    lambda p, table, c: p / (c.sum() - taken.sum())
                ),
                "you divide by the largest; divide by the sum": lambda p, table, c: p / p.max(),
                "you divide by the norm, the root of the squares; divide by the sum": (
                    lambda p, table, c: p / p.norm()
                ),
            },
            "whole": {
                "an even share brings rare words too much": torch.full_like(share, 1 / len(own)),
                "a context that came often takes part as often as it came: weigh the contexts by "
                "c(h)": (taken / counts.sum(1, keepdim=True)).mean(0),
                "you lower each word's total count, and once; what is lowered is the count of "
                "every pair": of_total / of_total.sum(),
                "you lower each word's total count; each pair has a discount of its own, by its "
                "own count": _shares(of_total * (counts > 0).sum(0)),
                "this is how frequent your bigrams make each word, with its own frequency for p; p "
                "itself is asked for": ((counts - taken).sum(0) + taken.sum() * own / own.sum())
                / own.sum(),
                "this is what your p should lack to 1": 1 - share,
                "this is 1 - p, made to sum to one; p itself is asked for": _shares(1 - share),
            },
        },
        lambda one, other: same(one, other, atol=1e-7),
    )


def _shares(parts: Tensor) -> Tensor:
    return parts / parts.sum()
