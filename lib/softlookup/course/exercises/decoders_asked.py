"""What a learner's test for decoder blocks asked of one that it misjudges, and what it overlooks.

A test of this kind changes one thing and looks at what moves. So two questions that it asked are
laid side by side: what differs between them, what came of it, and what should have.
"""

import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

import torch
from torch import Tensor

from softlookup.course.exercises.judging import Questions

MOST_QUESTIONS = 40

# What is to be changed, and what a decoder block then does.
KINDS = {
    "future": ("a token late in the text", "the outputs before a changed token stay"),
    "past": (
        "a token early in the text alone, without those behind it",
        "all outputs from a changed token on move",
    ),
    "word": ("a word of the source", "all outputs of a sentence move with a word of its source"),
    "late word": ("one word of the source that is not its first", ""),
    "padding": ("the memory's rows at padding", "nothing moves with the memory's rows at padding"),
    "order": (
        "the order of the memory's rows, the mask's with them",
        "nothing moves with the order of the memory's rows, if the mask is reordered with them",
    ),
    "neighbour": (
        "one sentence of a batch of several",
        "nothing moves in a sentence of which nothing was changed",
    ),
}


class Change(NamedTuple):
    """One kind of change between two questions, and whether what came of it is wrong."""

    kind: str
    wrong: bool


def why_unseen(asked: Questions) -> str:
    """What a test did not change in what it asked, or did not look at in what it was answered."""
    changes = set(_changes(asked))
    # What a neighbour stirs in a sentence may look like anything else: it comes first.
    if shown := [kind for kind in reversed(KINDS) if Change(kind, True) in changes]:
        changed, rule = KINDS["word" if shown[0] == "late word" else shown[0]]
        return (
            f"It changes {changed} there, and what came of it is wrong: {rule} in a decoder block. "
            "Look at the outputs of every token and every sentence, one by one"
        )
    kinds = {change.kind for change in changes}
    missing = [kind for kind in KINDS if kind not in kinds]
    if not missing:
        return (
            "It changes all that it should, but not everywhere: change each token and each word "
            "of the source alone, in turn"
        )
    if len(asked) == 1:
        return "It asks one question only: change one thing at a time, and see which outputs move"
    return f"It never changes {'; nor '.join(KINDS[kind][0] for kind in missing)}"


def why_wronged(asked: Questions) -> str:
    """Why a block is one that a test refuses."""
    pairs = itertools.combinations(asked[:MOST_QUESTIONS], 2)
    if any(_left_the_mask(*pair) for pair in pairs):
        return (
            "It puts the memory's rows in another order and leaves the mask as it was, so that "
            "words and padding change places: reorder both"
        )
    pairs = itertools.combinations(asked[:MOST_QUESTIONS], 2)
    if any(_shifted(one[part], other[part]) for (one, _), (other, _) in pairs for part in (0, 1)):
        return (
            "It adds one number to all of a token or of a row of the memory, and a norm in front "
            "takes that off again: draw the row anew, at random"
        )
    kinds = {change.kind for change in _changes(asked)}
    rules = [KINDS[kind][1] for kind in KINDS if kind in kinds and KINDS[kind][1]]
    if not rules:
        return "Change one thing at a time, and see which outputs move and which stay"
    return f"Of what it changes there, this is right: {'; '.join(rules)}"


def _changes(asked: Questions) -> Iterator[Change]:
    """All changes between any two questions."""
    for one, other in itertools.combinations(asked[:MOST_QUESTIONS], 2):
        yield from _between(one, other)


def _between(one: tuple[Any, Tensor], other: tuple[Any, Tensor]) -> Iterator[Change]:
    (x, memory, mask), said = one
    (y, memory_now, mask_now), now = other
    if len(x) != len(y):
        yield from _alone(one, other)
    elif x.size(1) != y.size(1):
        written = min(x.size(1), y.size(1))
        if _alike(memory, memory_now) and torch.equal(x[:, :written], y[:, :written]):
            yield Change("future", bool(_moved(said[:, :written], now[:, :written]).any()))
    elif memory.size(1) != memory_now.size(1):
        read = min(memory.size(1), memory_now.size(1))
        kept = _alike(memory[:, :read], memory_now[:, :read]) and torch.equal(x, y)
        if kept and not (mask[..., read:].any() or mask_now[..., read:].any()):
            yield Change("padding", bool(_moved(said, now).any()))
    elif said.shape == now.shape:
        yield from _at_places(one, other)


def _at_places(one: tuple[Any, Tensor], other: tuple[Any, Tensor]) -> Iterator[Change]:
    """Changes between two questions of one size, a sentence at a time."""
    (x, memory, mask), said = one
    (y, memory_now, mask_now), now = other
    tokens, words = (x != y).any(-1), (memory != memory_now).any(-1)
    seen, seen_now = (each[:, 0].expand(words.shape) for each in (mask, mask_now))
    touched = tokens.any(1) | (words | (seen != seen_now)).any(1)
    moved = _moved(said, now)
    stirring = tokens.any(1) | (words & seen).any(1)
    if stirring.any() and not touched.all():
        yield Change("neighbour", bool(moved[~touched].any()))
    found = [
        list(_in_sentence(i, tokens, words, seen, seen_now, memory, memory_now, moved))
        for i in touched.nonzero().flatten().tolist()
    ]
    # Where sentences change in several ways, what moves in one may come from its neighbour.
    alike = len({tuple(change.kind for change in each) for each in found}) == 1
    for change in itertools.chain(*found):
        yield change if alike else change._replace(wrong=False)


def _in_sentence(
    i: int,
    tokens: Tensor,
    words: Tensor,
    seen: Tensor,
    seen_now: Tensor,
    memory: Tensor,
    memory_now: Tensor,
    moved: Tensor,
) -> Iterator[Change]:
    """Changes of one sentence: of its tokens alone, or of its memory alone."""
    if not words[i].any() and torch.equal(seen[i], seen_now[i]):
        first = int(tokens[i].int().argmax())
        if first > 0:
            yield Change("future", bool(moved[i, :first].any()))
        if not tokens[i, first:].all():
            yield Change("past", not moved[i, first:].all())
    elif not tokens[i].any():
        which = _matches(memory[i], memory_now[i])
        if which is not None:
            if torch.equal(seen[i][which], seen_now[i]):
                yield Change("order", bool(moved[i].any()))
        elif torch.equal(seen[i], seen_now[i]):
            yield from _of_words(words[i], seen[i], moved[i])


def _of_words(changed: Tensor, seen: Tensor, moved: Tensor) -> Iterator[Change]:
    """Changes of a sentence's memory, row by row."""
    if not (changed & seen).any():
        yield Change("padding", bool(moved.any()))
        return
    yield Change("word", not moved.all())
    if changed.sum() == 1 and not changed[0]:
        yield Change("late word", not moved.all())


def _alone(one: tuple[Any, Tensor], other: tuple[Any, Tensor]) -> Iterator[Change]:
    """A sentence that was asked about in two batches."""
    small, large = sorted((one, other), key=lambda each: len(each[0][0]))
    for place in range(len(large[0][0])):
        parts = (each[place : place + 1] for each in large[0])
        if all(_alike(mine, part) for mine, part in zip(small[0], parts, strict=True)):
            yield Change("neighbour", bool(_moved(small[1], large[1][place : place + 1]).any()))


def _moved(said: Tensor, now: Tensor) -> Tensor:
    return (said - now).abs().amax(-1) > 1e-4


def _shifted(one: Tensor, other: Tensor) -> bool:
    """Whether rows that differ do so by one number in all of their width."""
    if one.shape != other.shape or torch.equal(one, other):
        return False
    apart = other - one
    return torch.allclose(apart, apart[..., :1].expand_as(apart), rtol=0.0, atol=1e-5)


def _alike(one: Tensor, other: Tensor) -> bool:
    return torch.equal(one, other)


def _matches(rows: Tensor, now: Tensor) -> Tensor | None:
    """Where each row of now stood before, if they are the same rows in one order or another."""
    which = (rows[:, None] == now[None]).all(-1)
    one_each = bool((which.sum(0) == 1).all() and (which.sum(1) == 1).all())
    return which.int().argmax(0) if one_each else None


def _left_the_mask(one: tuple[Any, Tensor], other: tuple[Any, Tensor]) -> bool:
    """Whether the rows are in another order, and the mask as it was."""
    (x, memory, mask), _ = one
    (y, memory_now, mask_now), _ = other
    if memory.shape != memory_now.shape or x.shape != y.shape or not torch.equal(mask, mask_now):
        return False
    orders = [_matches(*each) for each in zip(memory, memory_now, strict=True)]
    return any(
        order is not None and not torch.equal(seen[0][order], seen[0])
        for order, seen in zip(orders, mask, strict=False)
    )
