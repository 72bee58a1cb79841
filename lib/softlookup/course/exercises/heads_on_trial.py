"""Heads on trial: induction heads, and heads that only look like them on a convenient text.

Each is a function from the tokens of a text, (length,), to its weights, (length, length). The
chapter on looking inside has the learner write the test that tells them apart.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from softlookup.course.exercises.verdict import Mistake

Head = Callable[[Tensor], Tensor]
KINDS, LONGEST = 50, 64


def occurrences(tokens: Tensor, place: int) -> list[int]:
    """The earlier places of the token at a place."""
    text = tokens.tolist()  # numbers compare a hundred times as fast as tensors of one
    return [j for j in range(place) if text[j] == text[place]]


def rows(tokens: Tensor, target: Callable[[int], int | None], share: float = 1.0) -> Tensor:
    """Weights that lie on one place each: the first one for a query that has no target.

    Args:
        tokens: the text.
        target: for each query its place, or None.
        share: how much lies on the target; the rest is spread over all places so far.
    """
    weights = torch.zeros(len(tokens), len(tokens))
    for i in range(len(tokens)):
        weights[i, : i + 1] = (1 - share) / (i + 1)
        place = target(i)
        weights[i, 0 if place is None else place] += share
    return weights


def after_the_last(tokens: Tensor, place: int) -> int | None:
    """What an induction head looks at."""
    before = occurrences(tokens, place)
    return before[-1] + 1 if before else None


def induction(tokens: Tensor, share: float = 1.0) -> Tensor:
    """The weights of an induction head that rests on the first place."""
    return rows(tokens, lambda i: after_the_last(tokens, i), share)


def _resting_on_itself(tokens: Tensor) -> Tensor:
    def target(i: int) -> int:
        place = after_the_last(tokens, i)
        return i if place is None else place

    return rows(tokens, target)


def _by_softmax(tokens: Tensor) -> Tensor:
    """The same as softmax gives it in float32: a trace of weight lies on every place so far."""
    future = torch.ones(len(tokens), len(tokens)).triu(1).bool()
    return (12 * induction(tokens)).masked_fill(future, float("-inf")).softmax(dim=-1)


def honest() -> dict[str, Head]:
    """Induction heads."""
    return {
        "a head that rests on the first token": induction,
        "a head that rests on the token itself": _resting_on_itself,
        "a head whose weights come out of a softmax in float32": _by_softmax,
        "a soft head, with 0.8 where it should look": lambda tokens: induction(tokens, 0.8),
        "a softer head, with 0.6 where it should look": lambda tokens: induction(tokens, 0.6),
        "a head with just a half where it should look, and a half on the first token": (
            lambda tokens: (induction(tokens) + rows(tokens, lambda i: 0)) / 2
        ),
    }


def require_text(tokens: object) -> None:
    """Refuse, with what to do, what no head on trial reads."""
    if not isinstance(tokens, Tensor) or tokens.dim() != 1 or tokens.is_floating_point():
        raise Mistake("you asked a head about something else than the ids of one text, (length,)")
    if not 2 <= len(tokens) <= LONGEST or tokens.min() < 0 or tokens.max() >= KINDS:
        raise Mistake(
            f"a head reads 2 to {LONGEST} tokens with ids from 0 to {KINDS - 1}; you gave it "
            f"{len(tokens)}, with ids from {int(tokens.min())} to {int(tokens.max())}"
        )


def slip(tokens: Tensor, weights: Tensor) -> str | None:
    """Where weights are not an induction head's: the first such place, in words."""
    for i in range(len(tokens)):
        place = after_the_last(tokens, i)
        if place is not None and weights[i, place] < 0.5 - 1e-3:
            return (
                f"token {int(tokens[i])} has stood before place {i}, and place {place}, behind "
                f"its last occurrence, gets {weights[i, place]:.2f}"
            )
    return None


def misread() -> dict[str, Head]:
    """Heads that only a misreading of the exercise believes, each with what to tell its reader."""

    def transposed(tokens: Tensor) -> Tensor:
        return induction(tokens).T.contiguous()

    def after_itself(tokens: Tensor) -> Tensor:
        return rows(tokens, lambda i: min(i + 1, len(tokens) - 1))

    def after_any(tokens: Tensor) -> Tensor:
        return rows(tokens, lambda i: min(_last(tokens, i) + 1, len(tokens) - 1))

    return {
        "your test reads the table sideways: a row holds the weights of the place that asks": (
            transposed
        ),
        "your test counts the token itself among its earlier occurrences": after_itself,
        "your test also looks at occurrences that are still to come": after_any,
    }


def _last(tokens: Tensor, place: int) -> int:
    """The last place in the whole text of the token at a place."""
    return int((tokens == tokens[place]).nonzero()[-1])


def _near(tokens: Tensor, reach: int) -> Tensor:
    def target(i: int) -> int | None:
        place = after_the_last(tokens, i)
        return place if place is not None and i - place < reach else None

    return rows(tokens, target)


def _first_return(tokens: Tensor) -> Tensor:
    def target(i: int) -> int | None:
        before = occurrences(tokens, i)
        return before[0] + 1 if len(before) == 1 else None

    return rows(tokens, target)


def _reads_ahead(tokens: Tensor) -> Tensor:
    """On the last earlier place of the *next* token: right wherever a text repeats itself."""
    text = tokens.tolist()

    def target(i: int) -> int | None:
        if i + 1 == len(tokens):
            return after_the_last(tokens, i)
        before = [j for j in range(i + 1) if text[j] == text[i + 1]]
        return before[-1] if before else None

    return rows(tokens, target)


def _two_alike(tokens: Tensor) -> Tensor:
    def target(i: int) -> int | None:
        before = [j for j in occurrences(tokens, i) if i and j and tokens[j - 1] == tokens[i - 1]]
        return before[-1] + 1 if before else None

    return rows(tokens, target)


def _beside_the_last(tokens: Tensor, i: int, step: int) -> int | None:
    before = occurrences(tokens, i)
    return max(before[-1] + step, 0) if before else None


def _where(tokens: Tensor, keep: Callable[[int], bool]) -> Tensor:
    return rows(tokens, lambda i: after_the_last(tokens, i) if keep(i) else None)


def impostors() -> dict[str, Head]:
    """Heads that are none, each by what is wrong with it."""
    return {
        "a head that looks at the token before, whatever it is": lambda tokens: rows(
            tokens, lambda i: max(i - 1, 0)
        ),
        "a head that looks at the earlier occurrence itself": lambda tokens: rows(
            tokens, lambda i: _beside_the_last(tokens, i, 0)
        ),
        "a head that looks at what stood before the earlier occurrence": lambda tokens: rows(
            tokens, lambda i: _beside_the_last(tokens, i, -1)
        ),
        "a head that looks half a text back, and never at the tokens (try a text that does not "
        "repeat as a whole)": lambda tokens: rows(
            tokens, lambda i: i - len(tokens) // 2 + 1 if i >= len(tokens) // 2 else None
        ),
        "a head that takes the first occurrence (let a token come three times)": lambda tokens: (
            rows(tokens, lambda i: (occurrences(tokens, i) or [-1])[0] + 1)
        ),
        "a head that knows a token's first return only (let a token come three times)": (
            _first_return
        ),
        "a head that sees eight places back at most (let a token return late)": lambda tokens: (
            _near(tokens, 9)
        ),
        "a head that misses a token right behind its like (let one stand twice in a row)": (
            lambda tokens: _where(tokens, lambda i: bool(tokens[i] != tokens[max(i - 1, 0)]))
        ),
        "a head that knows the lower half of the token ids only (let others return, too)": (
            lambda tokens: _where(tokens, lambda i: bool(tokens[i] < KINDS // 2))
        ),
        "a head that reads the next token (let what follows differ from what followed)": (
            _reads_ahead
        ),
        "a head that wants two tokens to agree, not one": _two_alike,
        "a head that does it at every other place": lambda tokens: _where(
            tokens, lambda i: i % 2 == 0
        ),
        "a head with a third of its weight where it should look": lambda tokens: induction(
            tokens, 1 / 3
        ),
        "a head that spreads its weight evenly": lambda tokens: induction(tokens, 0.0),
        "a head that loses count when a token comes for the fifth time": lambda tokens: _where(
            tokens, lambda i: len(occurrences(tokens, i)) < 4
        ),
        "a head that takes the first three ids for special tokens (let these return, too)": (
            lambda tokens: _where(tokens, lambda i: bool(tokens[i] > 2))
        ),
        "a head that stops at half of the longest text (let tokens return later, too)": (
            lambda tokens: _where(tokens, lambda i: i < LONGEST // 2)
        ),
    }
