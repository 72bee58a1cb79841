"""What a test for induction heads overlooks, and what it asks for that is not asked.

The chapter on looking inside has the learner write the test; ``heads_on_trial`` holds the heads.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

import torch
from torch import Tensor

from softlookup.course.exercises.counted import counted
from softlookup.course.exercises.heads_on_trial import (
    KINDS,
    Head,
    after_the_last,
    induction,
    rows,
)

# Texts that are so short, and distances that are so small, are soon tried.
SHORT, NEAR = 16, 8


def in_common(texts: Sequence[Tensor]) -> str:
    """What all texts that a test tries have in common, as a sentence; nothing if they have not."""
    found = []
    listed = [list(text) for text in dict.fromkeys(tuple(text.tolist()) for text in texts)]
    if all(_halves_repeat(text) for text in listed):
        found.append("each is one block that stands twice, so that all tokens return alike")
    else:
        if all(max(map(text.count, text)) < 3 for text in listed):
            found.append("no token comes three times")
        elif all(max(map(text.count, text)) < 5 for text in listed):
            found.append("no token comes five times")
        if not any(a == b for text in listed for a, b in pairwise(text)):
            found.append("no token stands twice in a row")
        if all(_one_follower(text) for text in listed):
            found.append("after a token always the same one follows")
    if max(map(len, listed)) <= SHORT:
        found.append(f"none is longer than {max(map(len, listed))} tokens")
    elif (farthest := max(map(_farthest, listed))) <= NEAR:
        found.append(f"no token returns later than {counted(farthest, 'place')} on")
    ids = {token for text in listed for token in text}
    if len(ids) == 1:
        found.append(f"every id is {min(ids)}")
    elif max(ids) < KINDS // 2 or min(ids) >= KINDS // 2:
        found.append(f"all ids lie from {min(ids)} to {max(ids)}")
    elif min(ids) > 2:
        found.append(f"no id is less than {min(ids)}")
    if not found:
        return "You try a single text: draw many" if len(listed) == 1 else ""
    which = "Of your single text" if len(listed) == 1 else f"Of all your {len(listed)} texts"
    return f"{which} this is true: {'; '.join(found[:3])}"


def what_else_it_asks(test: Callable[[Head], object]) -> str:
    """What a test that refuses induction heads asks for beside what makes one, as a sentence."""

    def believes(head: Head) -> bool:
        return bool(test(head))

    resting = [
        believes(partial(_resting, rest=rest))
        for rest in (lambda i: 0, lambda i: i, lambda i: max(i - 1, 0))
    ]
    if any(resting) and not all(resting):
        return (
            "It asks for something at places whose token is new: what a head does there is its own "
            "business, the first token, itself or any other place"
        )
    if not any(resting):
        return ""
    for share in (0.9, 0.8, 0.6):
        if not believes(partial(induction, share=share)):
            return (
                f"It believes a head with all its weight where it should look, and not one with "
                f"{share}: half of it is enough"
            )
    if believes(_just_half):
        return "Half of the weight is enough, even if the other half lies on one other place"
    return (
        "It believes a head with 0.6 where it should look, and not one with a half: that is enough"
    )


def _resting(tokens: Tensor, rest: Callable[[int], int]) -> Tensor:
    def target(i: int) -> int:
        place = after_the_last(tokens, i)
        return rest(i) if place is None else place

    return rows(tokens, target)


def _just_half(tokens: Tensor) -> Tensor:
    """A half where it should look, and the rest on several others, so that none has as much."""
    whole, spread = induction(tokens), induction(tokens, 0.0)
    place = torch.arange(len(tokens))
    target = whole.argmax(dim=1)
    others = spread.clone()
    others[place, target] = 0.0
    left = others.sum(dim=1, keepdim=True)
    several = (others > 0).sum(dim=1, keepdim=True) > 1
    return torch.where(several, whole / 2 + others / (2 * left.clamp(min=1e-9)), whole)


def _halves_repeat(text: list[int]) -> bool:
    half = len(text) // 2
    return len(text) > 3 and text[:half] == text[half : 2 * half]


def _one_follower(text: list[int]) -> bool:
    return len(set(pairwise(text))) == len(set(text[:-1]))


def _farthest(text: list[int]) -> int:
    """The greatest distance at which a token returns."""
    last: dict[int, int] = {}
    farthest = 0
    for i, token in enumerate(text):
        farthest = max(farthest, i - last.get(token, i))
        last[token] = i
    return farthest
