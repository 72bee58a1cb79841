"""What a learner's test for language models asked one that it misjudges, and what it overlooked.

The models stand in ``language_models_on_trial``; the chapter on the next word has the test written.
"""

import itertools
from collections.abc import Callable, Iterator
from typing import NamedTuple

import torch
from torch import Tensor

from softlookup.course.exercises.counted import counted
from softlookup.course.exercises.judging import Questions
from softlookup.course.exercises.language_models_on_trial import (
    LONG,
    VOCAB_SIZE,
    LanguageModel,
    another_for_each_text,
    doubled,
)

MOST_QUESTIONS = 80
_ROUNDING = 2e-3
# Texts that are drawn at random begin alike now and then, and seldom for longer than this.
_BY_CHANCE = 2


def why_unseen(asked: Questions, test: Callable[[LanguageModel], object]) -> str:
    """What a test was shown and did not look at, or never asked.

    Args:
        asked: each text that it asked the model about, and what it was told.
        test: the learner's; what it never looks at shows in what it believes.
    """
    texts = [ids for ids, _ in asked]
    for ids, logs in asked:
        sums = logs.double().exp().sum(-1)
        if wrong := (sums - 1).abs().gt(_ROUNDING).nonzero().flatten().tolist():
            there = (
                f"In a text of {counted(len(ids), 'token')} that it asks about, the probabilities "
                f"sum to {sums[wrong[0]]:.3f} at place {wrong[0]} (counted from 0)"
            )
            if test(doubled):
                return (
                    f"{there}. It never looks at the sums, and believes a model that doubles all "
                    "probabilities: those of each place have to sum to one"
                )
            return f"{there}: look at the sum of each place by itself"
    compared = sorted(_compared(asked), key=lambda pair: -pair.length)
    if test(another_for_each_text):
        compared = [pair for pair in compared if pair.cut or pair.length > _BY_CHANCE]
    if not compared:
        return (
            "No two of your texts begin alike and end differently, unless by chance: change the "
            "end of a text, and look at the beginning"
        )
    for pair in compared:
        if wrong := pair.apart.gt(_ROUNDING).nonzero().flatten().tolist():
            return (
                "Two texts that it asks about begin with the same "
                f"{counted(pair.length, 'token')}, and what is said at place {wrong[-1]} (counted "
                f"from 0) differs by {pair.apart[wrong[-1]]:.2g}: compare "
                + (f"the places 0 to {pair.length - 1}, all of them" if pair.length > 1 else "it")
            )
    longest = max(map(len, texts))
    if longest <= LONG:
        return f"Your texts have at most {counted(longest, 'token')}: ask about a long one, too"
    if not any(pair.cut for pair in compared):
        return "None of your texts is the beginning of another: cut the end of one off, too"
    kinds = torch.cat(texts).unique().tolist()
    if len(kinds) < VOCAB_SIZE:
        return f"Your texts hold the tokens {kinds} alone, of 0 to {VOCAB_SIZE - 1}: use them all"
    behind = sorted({pair.last for pair in compared})
    if len(behind) < VOCAB_SIZE:
        return (
            f"Your texts part, or end, behind the tokens {behind} alone: an impostor may behave "
            f"there, so let them part behind each of 0 to {VOCAB_SIZE - 1}"
        )
    return (
        f"It asks about {len(texts)} texts: an impostor may behave in most, so ask about more, and "
        "let them part at more places"
    )


def why_wronged(asked: Questions) -> str:
    """Why a model is one that a test refuses."""
    if any((logs == -torch.inf).any() for _, logs in asked):
        return (
            "A token with probability zero has the logarithm -infinity, and the difference of two "
            "of these is NaN: compare the probabilities, after exp"
        )
    return (
        "At each place the eleven probabilities sum to one there, over the last axis, within a "
        "millionth, and what two texts with the same beginning are told differs only from the "
        "place on where the first token differs, or one is at its end"
    )


class _Pair(NamedTuple):
    """Two texts with one beginning: its length and last token, and what is said of it in both."""

    length: int
    last: int
    cut: bool
    apart: Tensor


def _compared(asked: Questions) -> Iterator[_Pair]:
    """All pairs of texts that begin alike and do not end so."""
    for (one, said), (other, told) in itertools.combinations(asked[:MOST_QUESTIONS], 2):
        shorter = min(len(one), len(other))
        parted = (one[:shorter] != other[:shorter]).nonzero()
        length = int(parted[0]) if len(parted) else shorter
        if length and (len(parted) or len(one) != len(other)):
            apart = (said[:length].exp() - told[:length].exp()).abs().amax(-1)
            yield _Pair(length, int(one[length - 1]), not len(parted), apart)
