"""A term: a secret seed, from which every random choice of an assignment follows.

The course is public, including its solutions. What a term asks and what its hidden tests try is
drawn from a seed that the teacher keeps, so that last term's right answers are wrong this term.

Whoever holds a release can try seeds until one draws what the release asks. A drawn seed has 128
bits, and nobody finds it; words that a person thought of have far fewer. So words are stretched:
each guess at them costs half a second and 128 MiB (scrypt, RFC 7914, at the cost that OWASP's
Password Storage Cheat Sheet gives).
"""

import functools
import hashlib
import json
import random
import re
import secrets
import unicodedata
from dataclasses import dataclass, field

SECRET_BYTES = 16
DRAWN = re.compile(rf"[0-9a-f]{{{2 * SECRET_BYTES}}}")
# The salt is the same for all, so that the same words give the same term on every machine.
SALT = b"softlookup-coursework: a term's seed"


@dataclass(frozen=True)
class Term:
    """A term.

    Args:
        secret: its seed, from ``drawn_secret`` or ``secret_of``. Anyone who knows it knows the
            term's hidden tests.

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


def drawn_secret() -> str:
    """A secret of 128 bits, drawn by the system."""
    return secrets.token_hex(SECRET_BYTES)


@functools.cache
def secret_of(words: str) -> str:
    """The secret of a term that is named by words; the same on every machine.

    Args:
        words: any; how they are spaced does not matter. A secret, as ``term.json`` holds it,
            stands for itself, so that who copies it gets that term and no other.

    Raises:
        ValueError: if there are none.
    """
    spaced = " ".join(unicodedata.normalize("NFC", words).split())
    if not spaced:
        raise ValueError("the term's seed is empty; expected words that only teachers know")
    if DRAWN.fullmatch(spaced):
        return spaced
    stretched = hashlib.scrypt(
        spaced.encode(), salt=SALT, n=2**17, r=8, p=1, maxmem=2**28, dklen=SECRET_BYTES
    )
    return stretched.hex()


def seed_from(*words: str | int) -> int:
    """A number of 63 bits from some words (SHA-256); the same on every machine."""
    # As JSON, so that the words ("a", "bc") and ("ab", "c") give different numbers.
    digest = hashlib.sha256(json.dumps(words).encode()).digest()
    return int.from_bytes(digest[:8]) >> 1
