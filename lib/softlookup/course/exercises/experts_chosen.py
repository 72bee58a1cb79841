"""What becomes of tokens when experts choose them, as asked and in the ways in which it goes wrong.

The chapter on today's model has the learner write such a router.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from softlookup.course.exercises.slips import name_slips
from softlookup.course.exercises.verdict import Mistake

Hypothesis = tuple[Tensor, str]


def experts_choose(scores: Tensor, capacity: int) -> Tensor:
    """What each token takes from each expert, (tokens, experts): the right answer."""
    return _kept(scores.softmax(dim=-1), capacity, dim=0)


def mistakes(scores: Tensor, capacity: int) -> list[Hypothesis]:
    """The results of mistakes, each with what to tell whoever made it."""
    tokens, experts = scores.shape
    chance, right = scores.softmax(dim=-1), experts_choose(scores, capacity)
    over_tokens = _kept(scores.softmax(dim=0), capacity, dim=0)
    by_score = torch.where(over_tokens > 0, chance, 0.0)
    named = [
        *(
            (
                _kept(chance, count, dim=-1),
                "your tokens choose experts; here each expert chooses its tokens",
            )
            for count in range(1, experts)
        ),
        (chance, "your experts take every token: keep the `capacity` likeliest of each"),
        ((right > 0).to(right), "you return who is chosen; the probability is its weight"),
        (
            over_tokens,
            "your softmax runs over the tokens; a token shares itself out among the experts",
        ),
        *(
            (table, "these are scores; a token's weights are their softmax over the experts")
            for table in (_kept(scores, capacity, dim=0), torch.where(right > 0, scores, 0.0))
        ),
        (
            scores.masked_fill(right == 0, -torch.inf).softmax(dim=0),
            "your weights are shared out among the tokens that an expert took; a token shares "
            "itself out among the experts",
        ),
        (
            by_score,
            "your weights are probabilities, but your experts choose by something else: the "
            "highest score is not the highest probability, for a token may score high with all",
        ),
        (
            _kept(scores.sigmoid(), capacity, dim=0),
            "your probabilities are sigmoids, one expert at a time; a token's sum to one over the "
            "experts",
        ),
        (
            _kept(chance, capacity, dim=0, largest=False),
            "your experts take the tokens that they are least likely for",
        ),
        (
            _kept(chance, capacity - 1, dim=0),
            "your experts have room for one token more",
        ),
        (
            _kept(chance, min(capacity + 1, tokens), dim=0),
            "your experts take one token too many",
        ),
        *(
            (
                _kept(chance, count, dim=0),
                f"your experts take {count} token{'s' * (count > 1)} each, and `capacity` is "
                f"{capacity}",
            )
            for count in range(1, tokens)
        ),
        (
            _kept(chance.flatten(), capacity * experts, dim=0).view_as(chance),
            "you keep the likeliest pairs of the whole table, and some experts are crowded again: "
            "each chooses `capacity` tokens of its own",
        ),
        *(
            (
                table,
                "a token that one expert has taken is gone for the next with you; it may be taken "
                "by several",
            )
            for table in (
                _one_after_the_other(chance, capacity),
                _one_after_the_other(chance, capacity, to_the_full=True),
                _kept(right, 1, dim=-1),
            )
        ),
        (
            _kept(_kept(chance, 1, dim=-1), capacity, dim=0),
            "your experts choose among the tokens that have chosen them; every expert chooses "
            "among all tokens",
        ),
        (
            _first_come(_kept(chance, 1, dim=-1), capacity),
            "your experts take the first tokens that come to them; each takes the `capacity` "
            "likeliest, among all tokens",
        ),
        (
            torch.nan_to_num(right / right.sum(dim=-1, keepdim=True)),
            "you divide by the sum of what a token was given; a token that many experts "
            "want should count for more than one that few do, so leave the weights",
        ),
        (
            right / right.sum(dim=0),
            "you divide by the sum of what an expert took; the weight is the token's probability",
        ),
    ]
    return [each for each in named if not torch.allclose(each[0], right)]


def name_parts(got: Tensor, scores: Tensor, capacity: int) -> None:
    """Name what is wrong with the weights, with whom the experts take, or with the others' place.

    Raises:
        Mistake: with the words of one such mistake, or of two.
    """
    chance = scores.softmax(dim=-1)
    least = chance.topk(capacity, dim=0).values.min()
    others = {
        "are a softmax over the tokens": scores.softmax(dim=0),
        "are a softmax over all pairs": scores.flatten().softmax(dim=0).view_as(scores),
        "are sigmoids": scores.sigmoid(),
        "are scores": scores,
    }
    ought = "they are the softmax of a token's scores over the experts"

    def table(
        weight: Tensor = chance,
        by: Tensor = chance,
        take: Callable[[Tensor], Tensor] = lambda by: _taken(by, capacity),
        otherwise: float = 0.0,
        both: Tensor | None = None,
    ) -> Tensor:
        weight, by = (weight, by) if both is None else (both, both)
        return weight.where(take(by), otherwise)

    slips: dict[str, dict[str, object]] = {
        "weight": {
            **{f"your weights {words}; {ought}": each for words, each in others.items()},
            f"your weights are logarithms; {ought}": chance.log(),
            "you return who is chosen; the probability is its weight": torch.ones_like(chance),
        },
        "both": {f"your probabilities {words}; {ought}": each for words, each in others.items()},
        "by": {
            f"what your experts choose by {words}; {ought}": each for words, each in others.items()
        },
        "take": {
            "you keep those that are not chosen": lambda by: ~_taken(by, capacity),
            "`argsort` gives the token at each place, and not the place of each token: sort its "
            "result once more, or scatter": lambda by: (
                by.argsort(dim=0, descending=True) < capacity
            ),
            "you have one threshold for all experts; each has a last token of its own": lambda by: (
                by >= least
            ),
            "your experts take the tokens with the smallest": lambda by: _taken(-by, capacity),
            "your experts take the first `capacity` tokens of the text": lambda by: (
                torch.arange(len(by))[:, None] < capacity
            ),
        },
        "otherwise": {
            "where a token is not chosen there should be 0, and yours is minus infinity": (
                -torch.inf
            ),
        },
    }
    name_slips(got, table, slips)
    chosen = chance.topk(capacity, dim=0).indices
    misplaced = torch.zeros_like(chance).scatter(0, chosen, chance[:capacity])
    if torch.allclose(got.to(misplaced), misplaced):
        raise Mistake(
            "your `scatter` lays the first tokens' probabilities where others were chosen: give it "
            "those at the same places, by `gather` or as `topk` returns them"
        )
    in_order = torch.zeros_like(chance)
    in_order[:capacity] = chance.topk(capacity, dim=0).values
    if torch.allclose(got.to(in_order), in_order):
        raise Mistake(
            "your table holds the largest in order of size; each belongs in its token's row: "
            "`topk` also gives the `indices`"
        )


def _taken(table: Tensor, count: int) -> Tensor:
    """Which are among the so many largest of their column."""
    chosen = table.topk(count, dim=0).indices
    return torch.zeros_like(table).scatter(0, chosen, 1.0) > 0


def _kept(table: Tensor, count: int, dim: int, largest: bool = True) -> Tensor:
    """The table, with zeros but for the so many largest along an axis."""
    chosen = table.topk(count, dim=dim, largest=largest).indices
    return torch.zeros_like(table).scatter(dim, chosen, table.gather(dim, chosen))


def _first_come(table: Tensor, capacity: int) -> Tensor:
    """The table, with zeros but for the first so many of each column that are not zero."""
    return table.where((table > 0).cumsum(dim=0) <= capacity, 0.0)


def _one_after_the_other(chance: Tensor, capacity: int, to_the_full: bool = False) -> Tensor:
    """Each expert in turn takes its likeliest of the tokens that are left.

    Where none are left it takes none, or fills up with the first of those that are taken.
    """
    free, taken = torch.ones(len(chance), dtype=torch.bool), torch.zeros_like(chance)
    for expert, likely in enumerate(chance.T):
        room = capacity if to_the_full else min(capacity, int(free.sum()))
        tokens = likely.masked_fill(~free, -1.0).topk(room).indices
        taken[tokens, expert] = likely[tokens]
        free[tokens] = False
    return taken
