"""A projection of many heads brought to few, as asked and in the ways in which it goes wrong.

The chapter on today's model has the learner average the heads of each group.
"""

import math

from torch import Tensor

Hypothesis = tuple[Tensor, str]


def pooled(weight: Tensor, n_heads: int, shared: int) -> Tensor:
    """The weight of the shared heads, (shared · d_head, d_model): the right answer."""
    return weight.unflatten(0, (shared, n_heads // shared, -1)).mean(dim=1).flatten(0, 1)


def mistakes(weight: Tensor, n_heads: int, shared: int) -> list[Hypothesis]:
    """The results of mistakes, each with what to tell whoever made it."""
    group = n_heads // shared
    heads, right = weight.unflatten(0, (n_heads, -1)), pooled(weight, n_heads, shared)
    dealt = heads.unflatten(0, (group, shared)).mean(dim=0)
    named = [
        (
            dealt.flatten(0, 1),
            "you deal the heads out like cards, so that head 0 shares with head `shared`; the "
            "heads of a group are neighbours",
        ),
        (
            weight.unflatten(0, (-1, group)).mean(dim=1),
            "you average neighbouring rows of one head; average the heads of a group, each row "
            "with the rows at its place in the others",
        ),
        (heads[::group].flatten(0, 1), "you keep the first head of each group, and no average"),
        (heads[group - 1 :: group].flatten(0, 1), "you keep the last head of each group"),
        (heads[:shared].flatten(0, 1), "you keep the first `shared` heads, and drop the others"),
        (
            heads.mean(dim=0).repeat(shared, 1),
            "your shared heads are all the same, the mean of all heads; each is the mean of its "
            "own group",
        ),
        (group * right, "you add the heads of a group up; their mean is asked for"),
        *(
            (group * right / count, f"you divide the sum of a group's heads by {words}")
            for count, words in (
                (n_heads, "the number of all heads; a group has fewer"),
                (shared, "the number of groups, and not by that of its heads"),
                (math.sqrt(group), "the root of their number, and not by their number"),
            )
        ),
    ]
    return [each for each in named if not each[0].equal(right)]
