"""A term: a secret seed, from which every random choice of an assignment follows.

The course is public, including its solutions. What a term asks and what its hidden tests try is
drawn from a seed that the teacher keeps, so that last term's right answers are wrong this term.
"""

import hashlib
import json
import random
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Term:
    """A term.

    Args:
        secret: its seed. Anyone who knows it knows the term's hidden tests.

    Raises:
        ValueError: if the secret is empty.
    """

    secret: str = field(repr=False)

    def __post_init__(self) -> None:
        if not self.secret:
            raise ValueError("the term's seed is empty; expected a word that only teachers know")

    def seed(self, *words: str | int) -> int:
        """A number that is determined by the secret and the words, fit to seed torch."""
        return seed_from(self.secret, *words)

    def random(self, *words: str | int) -> random.Random:
        """A generator that is determined by the secret and the words.

        Draws for one purpose do not change when another purpose is added.
        """
        return random.Random(self.seed(*words))


def seed_from(*words: str | int) -> int:
    """A number of 63 bits from some words (SHA-256); the same on every machine."""
    # As JSON, so that the words ("a", "bc") and ("ab", "c") give different numbers.
    digest = hashlib.sha256(json.dumps(words).encode()).digest()
    return int.from_bytes(digest[:8]) >> 1
