"""What goes wrong in causal attention with a cache, on a text that arrives in pieces.

The chapter on the next word has one repaired that takes each new token for the first of the text.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor

from softlookup.course.exercises.probes import require_tensor, same
from softlookup.course.exercises.slips import name_slips
from softlookup.course.exercises.verdict import Mistake
from softlookup.layers.positions import rotate

# A cache: the keys so far, turned, and the values.
Cache = tuple[Tensor, Tensor]
Turn = Callable[[Tensor, int], Tensor]

# From the keys in the cache, and the new ones, to how many tokens there are before these.
Before = Callable[[Tensor, Tensor], int]


def tokens_before(kept: Tensor, new: Tensor) -> int:
    """How many tokens the cache holds."""
    return kept.size(1)


def lower(visible: Tensor, before: int) -> Tensor:
    """The triangle that lets each new token see itself and all before it."""
    return visible.tril(before)


def attend(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    cache: Cache | None,
    turn: Turn,
    *,
    before: Before = tokens_before,
    query_place: Before | None = None,
    key_place: Before | None = None,
    shift: Before | None = None,
    mask: Callable[[Tensor, int], Tensor] = lower,
    hidden: float = -math.inf,
    size: Callable[[Tensor], float] = lambda query: query.size(-1) ** 0.5,
    axis: int = -1,
    value_turned: bool = False,
    new_first: bool = False,
    turned_alone: bool = True,
) -> tuple[Tensor, Cache]:
    """Causal attention with a cache; each part may be replaced by what goes wrong with it."""
    counts = [each or before for each in (query_place, key_place, shift)]
    at_query, at_key, at_mask = (0 if cache is None else of(cache[0], key) for of in counts)
    if turned_alone or cache is not None:
        query, key = turn(query, at_query), turn(key, at_key)
    if value_turned:
        value = turn(value, at_key)
    if cache is not None:
        pairs = list(zip(cache, (key, value), strict=True))
        key, value = (torch.cat(pair[::-1] if new_first else pair, dim=1) for pair in pairs)
    scores = query @ key.mT / size(query)
    visible = mask(torch.ones(scores.shape[-2:], dtype=torch.bool), at_mask)
    return scores.masked_fill(~visible, hidden).softmax(dim=axis) @ value, (key, value)


def in_pieces(
    attend: Callable[..., tuple[Tensor, Cache]], whole: tuple[Tensor, ...], pieces: list[int]
) -> tuple[Tensor, Cache]:
    """What attention gives for a text that arrives in pieces, and the cache at the end.

    Raises:
        Mistake: if it gives anything else than an output and a pair, or one of another shape.
    """
    heads, _, width = whole[0].shape
    outputs: list[Tensor] = []
    cache, begin = None, 0
    for length in pieces:
        parts = [each[:, begin : begin + length] for each in whole]
        given: Any = attend(*parts, cache, rotate)
        pair = given[1] if isinstance(given, tuple | list) and len(given) == 2 else None
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise Mistake(
                "two things are expected: the output, and the cache as a pair (keys, values)"
            )
        outputs.append(require_tensor(given[0], (heads, length, width), "your output"))
        begin += length
        for name, each in zip(("keys", "values"), pair, strict=True):
            meaning = "one for each token so far, those of the cache and the new ones"
            require_tensor(each, (heads, begin, width), f"your cache of {name}", meaning)
        cache = (pair[0], pair[1])
    assert cache is not None
    return torch.cat(outputs, dim=1), cache


def name_cache(cache: Cache, whole: tuple[Tensor, ...]) -> None:
    """Refuse a cache that does not hold the turned keys and the values, in order.

    Raises:
        Mistake: if it does not.
    """
    keys, values = rotate(whole[1], 0), whole[2]
    if same(cache[0], values) and same(cache[1], keys):
        raise Mistake("your cache holds the values first; it is a pair (keys, values)")
    if not same(cache[1], values):
        turned = same(cache[1], rotate(values, 0))
        raise Mistake(
            "the values in your cache are not those of all tokens so far, in order"
            + (": you turned them, and only queries and keys are turned" if turned else "")
        )
    if same(cache[0], whole[1]):
        raise Mistake(
            "your cache holds keys that were not turned; turn each key once, on its way in"
        )
    for place in range(1, keys.size(1) + 1):
        if same(cache[0], rotate(whole[1], place)):
            raise Mistake(
                f"your first token stands at place {place} when it is turned; it was 0 before"
            )
    if not same(cache[0], keys):
        raise Mistake("the keys in your cache are not those of all tokens so far, turned once")


def name_attention(outputs: Tensor, whole: tuple[Tensor, ...], pieces: list[int]) -> None:
    """Say which mistake gives these outputs, or which two.

    Args:
        outputs: the learner's.
        whole: the queries, keys and values of the text.
        pieces: how many tokens arrive at a time; none of the first as many as the heads or the
            width, nor as the second.

    Raises:
        Mistake: with the words for the part that is wrong.
    """

    def formula(both: tuple[Before, Before] | None = None, **parts: Any) -> Tensor:
        if both is not None:
            parts |= {"query_place": both[0], "key_place": both[1]}
        return in_pieces(partial(attend, **parts), whole, pieces)[0]

    counted = "and not the tokens before the new ones: these are cache[0].size(1)"
    hidden = "you set what is to be hidden to"
    end = f" (pieces of {pieces} tokens)"
    slips: dict[str, dict[str, Any]] = {
        "before": {
            "this is `broken` as it was: two things are wrong": _none,
            f"you count the heads of the cache, its first axis, {counted}": _heads,
            f"you count the width of a key, its last axis, {counted}": _width,
            f"you count the parts of the cache, len(cache), its keys and values, {counted}": _two,
            f"you count the new tokens, {counted}": _new,
            f"you count the tokens when the new ones are among them, {counted}": _after,
        },
        "both": {
            "the mask is right, and your new tokens still stand at place 0 when they are turned": (
                _none,
                _none,
            ),
            "your new tokens are turned by the place of the token before them": (_less, _less),
            "your new tokens are turned by the place of the token after them": (_more, _more),
            "your new tokens are turned backwards, by minus their place": (_minus, _minus),
            "your new tokens are turned by their number more than their place": (_after, _after),
        },
        "query_place": {
            "you turn the keys by their places, and not the queries": _none,
            "your queries are turned by the place of the token before them": _less,
            "your queries are turned by the place of the token after them": _more,
        },
        "key_place": {
            "you turn the queries by their places, and not the keys": _none,
            "your keys are turned by the place of the token before them": _less,
            "your keys are turned by the place of the token after them": _more,
        },
        "shift": {
            "the places are right, and your mask still takes the first new token for the first of "
            "the text: it hides nearly all of the cache": _none,
            "where there is a cache you hide nothing: of several new tokens none may see the "
            "next": _all,
            "where there is a cache each of your tokens sees one too few: not itself": _less,
            "where there is a cache each of your tokens sees one that comes after it": _more,
            "your diagonal has the wrong sign: a mask that is wider than high is moved to the "
            "right by a positive one": _minus,
            "your mask is moved by the number of new tokens; it is moved by that of the tokens "
            "before them": _new,
            f"in your mask you count the heads of the cache, {counted}": _heads,
            f"in your mask you count the width of a key, {counted}": _width,
            f"in your mask you count the parts of the cache, len(cache), {counted}": _two,
        },
        "mask": {
            "your tokens see what comes after them: the mask is gone": lambda seen, n: seen,
            "each of your tokens sees one that comes after it": lambda seen, n: seen.tril(n + 1),
            "your tokens do not see themselves": lambda seen, n: seen.tril(n - 1),
            "your tokens see only those that are new with them: the cache is hidden": (
                lambda seen, n: seen.tril(n) & (torch.arange(seen.size(1)) >= n)
            ),
            "your mask is the upper triangle: tokens see themselves and what comes": (
                lambda seen, n: seen.triu(n)
            ),
            "your mask is the other way round: tokens see what comes, and not themselves or what "
            "came": lambda seen, n: ~seen.tril(n),
        },
        "hidden": {
            f"{hidden} 0 before the softmax, and e to the power of 0 is 1; it was -infinity": 0.0,
            f"{hidden} 1 before the softmax; it was -infinity": 1.0,
        },
        "size": {
            "the scores have lost their division by the root of the width; nothing else was to "
            "change": lambda query: 1.0,
            "your scores are divided by the width, not by its root; nothing else was to change": (
                lambda query: query.size(-1)
            ),
            "your scores are divided by the root of how many tokens there are; the width is the "
            "last axis": lambda query: query.size(1) ** 0.5,
            "your scores are divided by the root of how many heads there are; the width is the "
            "last axis": lambda query: query.size(0) ** 0.5,
            "your scores are multiplied by the root of the width; they were divided by it": (
                lambda query: query.size(-1) ** -0.5
            ),
        },
        "axis": {
            "your softmax runs over the queries; the weights of each query sum to one": -2,
            "your softmax runs over the heads; the weights of each query sum to one": 0,
        },
        "value_turned": {"you turn the values, too; only queries and keys are turned": True},
        "new_first": {"the new keys stand before the old ones in your cache": True},
        "turned_alone": {
            "without a cache you turn nothing; `broken` turns the first tokens from place 0": False
        },
    }
    told = {
        part: {f"{words}{end}": each for words, each in values.items()}
        for part, values in slips.items()
    }
    name_slips(outputs, formula, told, _alike)


def _alike(one: Tensor, other: Tensor) -> bool:
    """Whether two outputs are the same; a row of NaN may have been made one of zeros."""
    return same(one.nan_to_num(), other.nan_to_num(), atol=1e-6)


def _none(kept: Tensor, new: Tensor) -> int:
    return 0


def _minus(kept: Tensor, new: Tensor) -> int:
    return -kept.size(1)


def _less(kept: Tensor, new: Tensor) -> int:
    return kept.size(1) - 1


def _more(kept: Tensor, new: Tensor) -> int:
    return kept.size(1) + 1


def _after(kept: Tensor, new: Tensor) -> int:
    return kept.size(1) + new.size(1)


def _all(kept: Tensor, new: Tensor) -> int:
    return kept.size(1) + new.size(1)


def _heads(kept: Tensor, new: Tensor) -> int:
    return kept.size(0)


def _width(kept: Tensor, new: Tensor) -> int:
    return kept.size(-1)


def _two(kept: Tensor, new: Tensor) -> int:
    return 2


def _new(kept: Tensor, new: Tensor) -> int:
    return new.size(1)
