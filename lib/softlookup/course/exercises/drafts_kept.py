"""How a row of drafted tokens may be kept: rightly, and in the ways in which repairs go wrong.

Keeping takes four steps: which tokens pass, where the row ends, from what one more token is drawn,
and how. Each mistake changes one of them. The chapter on answers has the learner repair the second.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from itertools import combinations, product

import torch
from torch import Tensor

WORDS = 11

# The target's distributions, the draft's, drafted tokens, even numbers, and one more.
Row = tuple[Tensor, Tensor, Tensor, Tensor, float]


def _left(p: Tensor, q: Tensor, kept: int) -> Tensor:
    return p[kept] if kept == len(q) else (p[kept] - q[kept]).clamp(min=0)


@dataclass(frozen=True)
class Keeping:
    """The four steps; as they stand, the right ones."""

    passes: Callable[[Tensor, Tensor, Tensor], Tensor] = lambda p, q, chances: chances * q < p
    end: Callable[[Tensor], int] = lambda passed: int(passed.long().cumprod(0).sum())
    left: Callable[[Tensor, Tensor, int], Tensor] = _left
    last: Callable[[Tensor, float], Tensor] = lambda left, spare: (
        left.cumsum(0) / left.sum() <= spare
    ).sum()
    stay: Callable[[Tensor, int], Tensor] = lambda passed, end: torch.arange(len(passed)) < end

    def __call__(self, row: Row) -> Tensor:
        """The tokens that are written: those kept, and one more."""
        p, q, drafted, chances, spare = row
        at = torch.arange(len(drafted))
        passed = self.passes(p[at, drafted], q[at, drafted], chances)
        end = self.end(passed)
        last = self.last(self.left(p, q, end), spare)
        return torch.cat([drafted[self.stay(passed, end)], last[None]])


RIGHT = Keeping()


def rows() -> list[Row]:
    """Rows of one to four drafted tokens, and two whose even numbers are exactly zero."""
    chances = torch.Generator().manual_seed(174)
    drawn: list[Row] = []
    for number in range(62):
        n = 1 + number % 4
        p = torch.randn(n + 1, WORDS, generator=chances, dtype=torch.float64).softmax(1)
        q = torch.randn(n, WORDS, generator=chances, dtype=torch.float64).softmax(1)
        drafted = torch.multinomial(q, 1, generator=chances)[:, 0]
        even = torch.rand(n + 1, generator=chances, dtype=torch.float64)
        drawn.append((p, q, drafted, even[:n], float(even[n])))
    for p, _, drafted, even, _ in drawn[-2:]:  # what the target never says
        p[0, drafted[0]], p[:, 0], even[0] = 0.0, 0.0, 0.0
        p /= p.sum(dim=1, keepdim=True)
    return [*drawn[:-1], (*drawn[-1][:-1], 0.0)]


def _joint(p: Tensor, q: Tensor, chances: Tensor) -> Tensor:
    return chances < (p / q).cumprod(0)


def _first_refused(passed: Tensor) -> int:
    return int((~passed).long().argmax())


def _one_more(passed: Tensor) -> int:
    return min(RIGHT.end(passed) + 1, len(passed))


def _behind_the_last(passed: Tensor) -> int:
    return int(passed.nonzero().max()) + 1 if passed.any() else 0


def _of_places(
    of_p: Callable[[int, int], int], of_q: Callable[[int, int], int]
) -> Callable[[Tensor, Tensor, int], Tensor]:
    """What is left, with the target and the draft of places that may not be the refused token's."""

    def left(p: Tensor, q: Tensor, kept: int) -> Tensor:
        if kept == len(q):
            return p[kept]
        return (p[of_p(kept, len(q))] - q[of_q(kept, len(q) - 1)]).clamp(min=0)

    return left


# Places that may stand for that of the refused token.
_PLACES: tuple[Callable[[int, int], int], ...] = (
    lambda kept, last: kept,
    lambda kept, last: kept - 1,
    lambda kept, last: min(kept + 1, last),
    lambda kept, last: last,
    lambda kept, last: 0,
)


def _not_behind(p: Tensor, q: Tensor, kept: int) -> Tensor:
    return p[kept - 1] if kept == len(q) else (p[kept] - q[kept]).clamp(min=0)


def _not_cut(p: Tensor, q: Tensor, kept: int) -> Tensor:
    return p[kept] if kept == len(q) else p[kept] - q[kept]


def _absolute(p: Tensor, q: Tensor, kept: int) -> Tensor:
    return _not_cut(p, q, kept).abs()


def _turned(p: Tensor, q: Tensor, kept: int) -> Tensor:
    return p[kept] if kept == len(q) else (q[kept] - p[kept]).clamp(min=0)


_BEHIND = (
    "a token that stands behind one that was not kept is counted as kept: it was drafted after a "
    "token that is no longer there"
)
_PLACE = "what is left is that of another place; take p and q where the refused token stands"
_CUT = "what the draft gives too much is not cut off at zero, as `broken` cuts it"

# Mistakes, each with what to say of it.
NEAR: tuple[tuple[Keeping, str], ...] = (
    (replace(RIGHT, end=lambda passed: int(passed.sum())), _BEHIND),
    (replace(RIGHT, stay=lambda passed, end: passed), _BEHIND),
    (replace(RIGHT, end=_behind_the_last), _BEHIND),
    (
        replace(RIGHT, end=len),
        "every drafted token is kept; look at what the target says of each",
    ),
    (
        replace(RIGHT, end=_first_refused),
        "where all tokens pass you keep none: there is no first that does not",
    ),
    (
        replace(RIGHT, end=_one_more),
        "the first token that does not pass is kept as well; the row ends in front of it",
    ),
    (
        replace(RIGHT, end=lambda passed: max(RIGHT.end(passed) - 1, 0)),
        "you keep one token too few: all in front of the first that does not pass stay",
    ),
    (
        replace(
            RIGHT, end=lambda passed: RIGHT.end(passed) - int(0 < RIGHT.end(passed) < len(passed))
        ),
        "where a token does not pass, you also drop the one in front of it",
    ),
    (
        replace(RIGHT, end=lambda passed: int(((~passed).long().cumsum(0) <= 1).sum())),
        "your row ends in front of the second token that does not pass; it ends in front of the "
        "first",
    ),
    (
        replace(RIGHT, end=lambda passed: 0),
        "you keep no drafted token at all",
    ),
    (
        replace(RIGHT, end=lambda passed: len(passed) if passed.all() else 0),
        "one token that does not pass costs the whole row; those in front of it stay",
    ),
    (
        replace(RIGHT, passes=_joint),
        "you multiply p / q along the row; each token passes by its own",
    ),
    (
        replace(RIGHT, passes=lambda p, q, chances: q <= p),
        "you keep a token only where the target gives it at least as much as the draft; otherwise "
        "it is kept with the probability p / q",
    ),
    (
        replace(RIGHT, passes=lambda p, q, chances: chances < p),
        "you compare the even number with p alone; it is p / q with which a token is kept",
    ),
    (
        replace(RIGHT, passes=lambda p, q, chances: chances * q > p),
        "you keep what is to be refused, and refuse what is to be kept",
    ),
    (
        replace(RIGHT, passes=lambda p, q, chances: chances * p < q),
        "you compare the even number with q / p; a token is kept with the probability p / q",
    ),
    (
        replace(RIGHT, passes=lambda p, q, chances: chances * q <= p),
        "where the even number is exactly 0 you keep a token that the target never says; `<` was "
        "right",
    ),
    (
        replace(RIGHT, left=lambda p, q, kept: p[kept]),
        "where a token is not kept, you draw from the target's whole distribution; what the draft "
        "already gave it must be taken off, as `broken` does",
    ),
    *(
        (replace(RIGHT, left=_of_places(*each)), _PLACE)
        for each in [*product(_PLACES, _PLACES)][1:]
    ),
    (
        replace(
            RIGHT,
            left=lambda p, q, kept: (p[kept] - q[min(kept, len(q) - 1)]).clamp(min=0),
        ),
        "where all tokens are kept, you take the draft off the target; nothing was refused, so "
        "the whole target is left",
    ),
    (
        replace(RIGHT, left=_not_behind),
        "where all tokens are kept, you draw from the place of the last of them; `p` has one row "
        "more, for the place behind",
    ),
    (replace(RIGHT, left=_not_cut), _CUT),
    (replace(RIGHT, left=_absolute), _CUT),
    (
        replace(RIGHT, left=_turned),
        "you take the target off the draft; what is left is what the target gives more",
    ),
    (
        replace(RIGHT, last=lambda left, spare: (left.cumsum(0) <= spare).sum()),
        "what is left does not sum to one, and the even number `spare` runs up to one: divide by "
        "the sum, as `broken` does",
    ),
    (
        replace(RIGHT, last=lambda left, spare: left.argmax()),
        "the last token is always the likeliest; `spare` is there to draw it",
    ),
    (
        replace(RIGHT, left=lambda p, q, kept: p[kept] if kept == len(q) else q[kept]),
        "where a token is not kept, you draw from the draft again; draw what the target gives more",
    ),
    (
        replace(RIGHT, left=lambda p, q, kept: p[-1]),
        "you always draw from the place behind all drafted tokens; the row may end before",
    ),
    (
        replace(RIGHT, last=lambda left, spare: (left.cumsum(0) / left.sum() > spare).sum()),
        "you count the words behind the one that is drawn; count those in front of it, as `broken` "
        "does",
    ),
    (
        replace(RIGHT, last=lambda left, spare: (left.cumsum(0) / left.sum() <= spare).sum() - 1),
        "you draw the word before: as many sums lie at or below `spare` as its number, from 0 on",
    ),
    (
        replace(RIGHT, last=lambda left, spare: (left.cumsum(0) / left.sum() < spare).sum()),
        "where `spare` is exactly 0 you draw a token of probability zero; `<=` was right",
    ),
)


def pairs() -> Iterator[tuple[Keeping, str]]:
    """Two mistakes at once, in different steps, with what to say of both."""
    steps = [each.name for each in fields(Keeping)]
    for (one, words), (other, others) in combinations(NEAR, 2):
        changed = [
            {
                step: getattr(each, step)
                for step in steps
                if getattr(each, step) != getattr(RIGHT, step)
            }
            for each in (one, other)
        ]
        if not changed[0].keys() & changed[1].keys():
            yield (
                replace(RIGHT, **changed[0], **changed[1]),
                words if words == others else f"there are two mistakes: {words}; and {others}",
            )


def how_wrong(row: Row, got: Tensor) -> str:
    """How the tokens that are written differ from the right ones of the row, in a sentence."""
    p, q, drafted, chances, _ = row
    right, at = RIGHT(row), torch.arange(len(drafted))
    passed = RIGHT.passes(p[at, drafted], q[at, drafted], chances).tolist()
    kept, yours = len(right) - 1, len(got) - 1
    if len(got) > len(right) and torch.equal(got[: len(right)], right):
        reason = "your row goes on behind the token that is drawn; it ends with it"
    elif torch.equal(got[:-1], right[:-1]):
        reason = (
            "the same tokens are kept, and another is drawn behind them: look at what is left, and "
            "at the place that it is taken from"
        )
    elif yours != kept:
        reason = f"you keep {max(yours, 0)} of them, and {kept} pass before the first that does not"
    else:
        reason = "as many are kept, and they are others"
    return (
        f"of the drafted tokens {drafted.tolist()} pass, in turn: {passed}. So {right.tolist()} is "
        f"right, and you write {got.tolist()}: {reason}"
    )
