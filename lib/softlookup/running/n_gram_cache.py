"""A cache for n-grams: what was read a moment ago is likelier to come again than any table knows.

An n-gram model remembers its training text, and of the text before it a few tokens. A cache lets
it count that text too: the last so many tokens, and no others. The chapter on the next word gives
it a window as long as a GPT's, so that both have read the same.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from softlookup.running.n_grams import NGrams


class RecentCounts:
    """What followed each context of some length, within a window that moves along a text.

    Args:
        length: how many tokens a context has.
    """

    def __init__(self, length: int) -> None:
        self.length = length
        self.after: dict[tuple[int, ...], Counter[int]] = {}

    def add(self, tokens: Sequence[int], place: int) -> None:
        """Count the token at a place, after its context."""
        context = self._context(tokens, place)
        self.after.setdefault(context, Counter())[tokens[place]] += 1

    def drop(self, tokens: Sequence[int], place: int) -> None:
        """Take back what ``add`` counted."""
        context = self._context(tokens, place)
        seen = self.after[context]
        seen[tokens[place]] -= 1
        if not seen[tokens[place]]:
            del seen[tokens[place]]
        if not seen:
            del self.after[context]

    def followers(self, tokens: Sequence[int], place: int) -> Counter[int]:
        """What has followed the context before a place; nothing if it did not occur."""
        return self.after.get(self._context(tokens, place), Counter())

    def _context(self, tokens: Sequence[int], place: int) -> tuple[int, ...]:
        return tuple(tokens[place - self.length : place])


@dataclass(frozen=True)
class CachedNGrams:
    """An n-gram model that counts the last tokens of the text in front of it, too.

    Where a context h of the cache was followed c(h) times, by u(h) different tokens, the cache
    gets the share c / (c + doubt · u), and what was known before keeps the rest. With a doubt of 1
    this is Witten and Bell's share; a model that knows more than a uniform distribution deserves
    a larger one. Longer contexts are asked after shorter ones, and so have the last word.

    Attributes:
        model: the n-grams of the training text.
        window: how many of the last tokens the cache holds.
        contexts: the lengths of the contexts that it knows, the shortest first.
        doubt: how much what is new is expected, compared with Witten and Bell.

    Raises:
        ValueError: if a length is not positive, they do not rise, or the window has no room for
            the longest context and a token after it, or the doubt is not positive.

    Source: Kuhn and De Mori 1990, for the cache; Witten and Bell 1991, for its share.
    """

    model: NGrams
    window: int
    contexts: tuple[int, ...]
    doubt: float = 1.0

    def __post_init__(self) -> None:
        """Refuse a cache that could hold nothing."""
        lengths = self.contexts
        if not lengths or min(lengths) < 1 or list(lengths) != sorted(set(lengths)):
            raise ValueError(f"contexts is {lengths}; expected lengths of 1 or more that rise")
        if self.window <= lengths[-1]:
            raise ValueError(
                f"window is {self.window}; expected more than {lengths[-1]}, the longest context"
            )
        if not self.doubt > 0:
            raise ValueError(f"doubt is {self.doubt}; expected more than 0")

    def probabilities(
        self, context: Int[Tensor, " context_length"]
    ) -> Float[Tensor, " vocab_size"]:
        """The probability of every token after a context, of which the window matters.

        Raises:
            ValueError: if an id is outside the vocabulary.
        """
        probability = self.model.probabilities(context).numpy()
        tokens = context[-self.window :].tolist()
        for length in self.contexts:
            counts = RecentCounts(length)
            for place in range(length, len(tokens)):
                counts.add(tokens, place)
            seen = counts.followers(tokens, len(tokens)) if len(tokens) >= length else Counter()
            if seen:
                kept = self.doubt * len(seen)
                room = seen.total() + kept
                probability *= kept / room
                probability[list(seen)] += np.array(list(seen.values())) / room
        return torch.from_numpy(probability)

    def log_probabilities(
        self, ids: Int[Tensor, " length"], first: int = 0
    ) -> Float[Tensor, " scored"]:
        """The natural logarithm of each token's probability after the tokens before it.

        Args:
            ids: a text as token ids.
            first: the first token that is scored; those before it are context only.

        Raises:
            ValueError: if no token is left to score, or an id is outside the vocabulary.
        """
        probability = self.model.log_probabilities(ids, first).exp().numpy()
        tokens = ids.tolist()
        for length in self.contexts:
            counts, oldest = RecentCounts(length), max(0, first - self.window) + length
            for place in range(oldest, first):
                counts.add(tokens, place)
            for place in range(max(first, length), len(tokens)):
                # An n-gram counts if all of it, its context too, stands in the window.
                while oldest < place - self.window + length:
                    counts.drop(tokens, oldest)
                    oldest += 1
                if seen := counts.followers(tokens, place):
                    own, kept = seen[tokens[place]], self.doubt * len(seen)
                    mixed = (own + kept * probability[place - first]) / (seen.total() + kept)
                    probability[place - first] = mixed
                counts.add(tokens, place)
        return torch.from_numpy(np.log(probability))
