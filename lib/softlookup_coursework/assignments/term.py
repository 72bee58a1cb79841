"""A term: one secret word, from which every draw of an assignment follows.

The course is public, solutions and all. What a term asks and what its hidden tests try is drawn
from a seed that the teacher keeps, so that last term's right answers are this term's wrong ones.
"""

import hashlib
import json
import random
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Term:
    """A term.

    Args:
        secret: its seed. Who knows it knows the term's hidden tests.

    Raises:
        ValueError: if the secret is empty.
    """

    secret: str = field(repr=False)

    def __post_init__(self) -> None:
        if not self.secret:
            raise ValueError("the term's seed is empty; expected a word that only teachers know")

    def seed(self, *words: str | int) -> int:
        """A number that follows from the secret and the words, fit to seed torch."""
        return seed_from(self.secret, *words)

    def random(self, *words: str | int) -> random.Random:
        """A generator that follows from the secret and the words.

        What is drawn for one purpose does not change when another purpose is added.
        """
        return random.Random(self.seed(*words))


def seed_from(*words: str | int) -> int:
    """The number, of 63 bits, that follows from some words, on every machine alike (SHA-256)."""
    # As JSON, so that the words ("a", "bc") and ("ab", "c") are two.
    digest = hashlib.sha256(json.dumps(words).encode()).digest()
    return int.from_bytes(digest[:8]) >> 1
