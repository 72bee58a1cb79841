"""N-grams: the language models that a neural one has to beat, smoothed as well as they can be.

All here interpolate: what was seen after the whole context is mixed with what was seen after its
last tokens, and so on down to nothing at all. Witten and Bell ask how many different tokens a
context was followed by; Kneser and Ney, as modified by Chen and Goodman, discount what was
counted, and ask of a shorter context how many different contexts it ended. Absolute discounting
does the first of these two things alone. The chapter on the next word holds GPT against them.
"""

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy.typing import NDArray
from torch import Tensor

Integers = NDArray[np.int64]
Reals = NDArray[np.float64]

# Taken where too few n-grams were seen once to four times to estimate a discount from them.
_DISCOUNTS_UNKNOWN = (0.5, 1.0, 1.5)


class NGramCounts:
    """Every n-gram of a text up to some order, counted once and read by both kinds of smoothing.

    Level k holds the n-grams of k + 1 tokens. Each is stored as one integer: the place, in the
    level below, of the n-gram without its last token, times the size of the vocabulary, plus
    that token. So the n-grams that continue one context stand next to each other.

    Args:
        ids: the text as token ids.
        vocab_size: how many tokens there are.
        order: the longest n-grams that are counted.

    Raises:
        ValueError: if the order is not positive, the text is shorter than it, or an id is
            outside the vocabulary.
    """

    def __init__(self, ids: Int[Tensor, " length"], vocab_size: int, order: int) -> None:
        if not 1 <= order <= len(ids):
            raise ValueError(
                f"order is {order} and the text has {len(ids)} tokens; "
                "expected at least 1 and at most the number of tokens"
            )
        self.vocab_size = vocab_size
        self.order = order
        tokens = self._checked(ids)
        self.keys: list[Integers] = []
        self.counts: list[Integers] = []
        # For each n-gram the place, in the level below, of the n-gram without its first token.
        self.suffixes: list[Integers] = []
        places = np.zeros(len(tokens) + 1, dtype=np.int64)
        for level in range(order):
            key = places[:-1] * vocab_size + tokens[level:]
            keys, inverse, counts = np.unique(key, return_inverse=True, return_counts=True)
            suffixes = np.zeros(len(keys), dtype=np.int64)
            if level > 0:
                suffixes[inverse] = places[1:]
            places = inverse
            self.keys.append(keys)
            self.counts.append(counts)
            self.suffixes.append(suffixes)

    def contexts(self, level: int) -> Integers:
        """For each n-gram of a level the place of its context, in the level below."""
        return self.keys[level] // self.vocab_size

    def find(self, level: int, contexts: Integers, tokens: Integers) -> Integers:
        """The places of n-grams given by context and last token; -1 for those never seen."""
        keys = self.keys[level]
        wanted = contexts * self.vocab_size + tokens
        places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return np.where((contexts >= 0) & (keys[places] == wanted), places, -1)

    def _checked(self, ids: Tensor) -> Integers:
        tokens: Integers = ids.numpy().astype(np.int64)
        outside = tokens[(tokens < 0) | (tokens >= self.vocab_size)]
        if outside.size:
            raise ValueError(
                f"{outside[0]} is no token; expected ids from 0 to {self.vocab_size - 1}"
            )
        return tokens


@dataclass(frozen=True)
class NGrams:
    """An interpolated n-gram model; ``witten_bell`` and ``kneser_ney`` make it.

    P_k(w | h) = share(h w) + rest(h) · P_{k-1}(w | h without its first token), and at the very
    bottom every token is as likely as any other. A context never seen hands on all it has.

    Attributes:
        counts: the n-grams.
        shares: for each level, what each n-gram has of its own.
        rests: for each level, what each context leaves to the level below.
    """

    counts: NGramCounts
    shares: tuple[Reals, ...]
    rests: tuple[Reals, ...]

    @property
    def order(self) -> int:
        """How many tokens the longest n-gram has: the context, and the token after it."""
        return len(self.shares)

    def probabilities(
        self, context: Int[Tensor, " context_length"]
    ) -> Float[Tensor, " vocab_size"]:
        """The probability of every token after a context, of which only the end matters.

        Raises:
            ValueError: if an id is outside the vocabulary.
        """
        counts, vocab_size = self.counts, self.counts.vocab_size
        tokens = counts._checked(context)
        probability = np.full(vocab_size, 1 / vocab_size)
        for level in range(min(self.order, len(tokens) + 1)):
            place = np.zeros(1, dtype=np.int64)
            for depth, token in enumerate(tokens[len(tokens) - level :]):
                place = counts.find(depth, place, np.array([token]))
            node = int(place[0])
            if node < 0 or node >= len(self.rests[level]):
                break
            seen = slice(
                *np.searchsorted(counts.keys[level], [node * vocab_size, (node + 1) * vocab_size])
            )
            probability *= self.rests[level][node]
            probability[counts.keys[level][seen] - node * vocab_size] += self.shares[level][seen]
        return torch.from_numpy(probability)

    def log_probabilities(
        self, ids: Int[Tensor, " length"], first: int = 0
    ) -> Float[Tensor, " scored"]:
        """The natural logarithm of each token's probability after all tokens before it.

        Args:
            ids: a text as token ids.
            first: the first token that is scored; those before it are context only.

        Raises:
            ValueError: if no token is left to score, or an id is outside the vocabulary.
        """
        if not 0 <= first < len(ids):
            raise ValueError(f"first is {first}; expected 0 to {len(ids) - 1}, a token of the text")
        tokens = self.counts._checked(ids)
        probability = np.full(len(tokens), 1 / self.counts.vocab_size)
        contexts = np.zeros(len(tokens), dtype=np.int64)
        for level, (share, rest) in enumerate(zip(self.shares, self.rests, strict=True)):
            known = contexts >= 0
            grams = self.counts.find(level, contexts, tokens)
            own = np.where(grams >= 0, share[grams], 0.0)
            mixed = own + rest[contexts] * probability
            probability = np.where(known, mixed, probability)
            # The context of the next level ends one token earlier and is one token longer.
            contexts = np.concatenate([[-1], grams[:-1]])
        return torch.from_numpy(np.log(probability[first:]))


def witten_bell(counts: NGramCounts, order: int) -> NGrams:
    """Interpolated Witten–Bell smoothing.

    A context h that was followed c(h) times, by u(h) different tokens, has shown something new
    u(h) times; so something new gets the share u(h) / (c(h) + u(h)).

    Args:
        counts: the n-grams of the text to learn from.
        order: how many tokens the longest n-gram has.

    Raises:
        ValueError: if there are no counts of that order.

    Source: Witten and Bell 1991, method C, interpolated as in Chen and Goodman 1999.
    """
    _require_order(counts, order)
    shares, rests = [], []
    for level in range(order):
        contexts, seen = counts.contexts(level), counts.counts[level]
        n_contexts = 1 if level == 0 else len(counts.keys[level - 1])
        total = np.bincount(contexts, seen, minlength=n_contexts)
        distinct = np.bincount(contexts, minlength=n_contexts)
        room = np.maximum(total + distinct, 1)
        shares.append(seen / room[contexts])
        # The text's last tokens were followed by nothing, so they leave all they have.
        rests.append(np.where(distinct > 0, distinct / room, 1.0))
    return NGrams(counts, tuple(shares), tuple(rests))


def kneser_ney(counts: NGramCounts, order: int) -> NGrams:
    """Interpolated modified Kneser–Ney smoothing.

    Every count is lowered, by one discount for n-grams seen once, one for twice, and one for
    more often; what is taken goes to the level below. Below the highest order an n-gram counts
    as many times as there were different tokens before it, not as often as it occurred.

    Args:
        counts: the n-grams of the text to learn from.
        order: how many tokens the longest n-gram has.

    Raises:
        ValueError: if there are no counts of that order.

    Source: Chen and Goodman 1999, "modified Kneser-Ney", after Kneser and Ney 1995.
    """
    return _discounted(counts, order, by_places=True)


def absolute_discounting(counts: NGramCounts, order: int) -> NGrams:
    """Interpolated absolute discounting: Kneser and Ney's discounts, and counts at every level.

    It tells what the discounts are worth without what Kneser and Ney count below the highest
    order.

    Args:
        counts: the n-grams of the text to learn from.
        order: how many tokens the longest n-gram has.

    Raises:
        ValueError: if there are no counts of that order.

    Source: Ney, Essen and Kneser 1994, with the three discounts of Chen and Goodman 1999.
    """
    return _discounted(counts, order, by_places=False)


def _discounted(counts: NGramCounts, order: int, by_places: bool) -> NGrams:
    """Discounted counts: below the highest order of occurrences, or of different tokens before."""
    _require_order(counts, order)
    shares, rests = [], []
    for level in range(order):
        contexts = counts.contexts(level)
        seen = counts.counts[level]
        if by_places and level < order - 1:
            seen = np.bincount(counts.suffixes[level + 1], minlength=len(seen))
        discount = np.array([0.0, *_discounts(seen)])[np.minimum(seen, 3)]
        n_contexts = 1 if level == 0 else len(counts.keys[level - 1])
        total = np.bincount(contexts, seen, minlength=n_contexts)
        taken = np.bincount(contexts, discount, minlength=n_contexts)
        room = np.maximum(total, 1)
        shares.append((seen - discount) / room[contexts])
        rests.append(np.where(total > 0, taken / room, 1.0))
    return NGrams(counts, tuple(shares), tuple(rests))


def _discounts(seen: Integers) -> tuple[float, float, float]:
    """What is taken from n-grams seen once, twice, and more often.

    Source: Chen and Goodman 1999, for modified Kneser-Ney.
    """
    n1, n2, n3, n4 = (int((seen == times).sum()) for times in (1, 2, 3, 4))
    if min(n1, n2, n3, n4) == 0:
        return _DISCOUNTS_UNKNOWN
    y = n1 / (n1 + 2 * n2)
    estimated = (1 - 2 * y * n2 / n1, 2 - 3 * y * n3 / n2, 3 - 4 * y * n4 / n3)
    return estimated if min(estimated) > 0 else _DISCOUNTS_UNKNOWN


def _require_order(counts: NGramCounts, order: int) -> None:
    if not 1 <= order <= counts.order:
        raise ValueError(f"order is {order}; expected 1 to {counts.order}, the order of the counts")
