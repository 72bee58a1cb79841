"""Real sentences to translate: the messages of the program that builds this book.

Sphinx turns the course's pages into its site, and says in the reader's language what it is doing.
Volunteers have translated its messages. The chapter on encoder and decoder learns 425 of them, in
English and French, and is examined on 60 others. That is little: real translators have learned
from millions. The messages stand in ``messages.txt``, together with Sphinx's licence;
``tools/gather_messages.py`` says what was kept of the catalogue.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import torch
from jaxtyping import Int
from torch import Tensor

from softlookup.data.edit_distance import edit_distance
from softlookup.data.epochs import endless_batches
from softlookup.data.vocabulary import END, START, Vocabulary, pad

FILE = Path(__file__).with_name("messages.txt")
SHA256 = "a3ad39d79ed279b1d928582eb346b46736356581c2b5fa639d44cd0fff631e3e"


@dataclass(frozen=True)
class Message:
    """A message in both languages, each in words and marks; "…" is a gap to be filled in."""

    english: tuple[str, ...]
    french: tuple[str, ...]


@dataclass(frozen=True)
class Split:
    """Messages to learn from and messages to be tested on."""

    train: tuple[Message, ...]
    test: tuple[Message, ...]


@dataclass(frozen=True)
class MessageBatch:
    """Messages in both languages, padded.

    Attributes:
        messages: the messages themselves.
        source: ids of the English words.
        source_lengths: how many English words each message has.
        target_in: ids of the French words behind the start token: what the decoder reads.
        target_out: ids of the French words before the end token: what it should say.
    """

    messages: tuple[Message, ...]
    source: Int[Tensor, "batch source_length"]
    source_lengths: Int[Tensor, " batch"]
    target_in: Int[Tensor, "batch target_length"]
    target_out: Int[Tensor, "batch target_length"]


def read(file: Path) -> tuple[Message, ...]:
    """The messages of a file.

    Raises:
        ValueError: if the bytes are not those that the book's numbers rest on.
    """
    stored = file.read_bytes()
    digest = hashlib.sha256(stored).hexdigest()
    if digest != SHA256:
        raise ValueError(
            f"{file} has the SHA-256 {digest}; expected {SHA256}. Restore the file from the "
            "repository (with its line ends as they are)"
        )
    found = []
    for line in stored.decode("utf-8").splitlines():
        if not line.startswith("#"):
            english, french = line.split("\t")
            found.append(Message(tuple(english.split()), tuple(french.split())))
    return tuple(found)


@cache
def messages() -> tuple[Message, ...]:
    """All messages, in the alphabetical order of their English."""
    return read(FILE)


@cache
def english() -> Vocabulary:
    """The English words of all messages."""
    return Vocabulary(sorted({word for each in messages() for word in each.english}))


@cache
def french() -> Vocabulary:
    """The French words of all messages."""
    return Vocabulary(sorted({word for each in messages() for word in each.french}))


def near(one: Message, other: Message) -> bool:
    """Whether a third of the words, or fewer, tell two messages apart, in either language."""
    return _alike(one.english, other.english) or _alike(one.french, other.french)


def split(n_test: int, generator: torch.Generator) -> Split:
    """Draw messages for testing that are near to none of the others.

    Messages that are near to each other, and those near to these, are one family, and a family
    is never divided. For testing, families of one or two are drawn at random of which each
    English word also stands in a message of the training.

    Raises:
        ValueError: if there are not so many messages that can be tested on.
    """
    families = _families(messages())
    n_families_with: dict[str, int] = {}
    for family in families:
        for word in _words(family):
            n_families_with[word] = n_families_with.get(word, 0) + 1
    test: list[Message] = []
    for place in torch.randperm(len(families), generator=generator).tolist():
        family = families[place]
        known = all(n_families_with[word] > 1 for word in _words(family))
        if known and len(family) <= 2 and len(test) + len(family) <= n_test:
            test += family
            for word in _words(family):
                n_families_with[word] -= 1
    if n_test < 1 or len(test) < n_test:
        raise ValueError(f"n_test is {n_test}; expected at least 1, and {len(test)} can be found")
    return Split(tuple(each for each in messages() if each not in test), tuple(test))


def encode(chosen: Sequence[Message]) -> MessageBatch:
    """Write the messages in both languages, as one padded batch.

    Raises:
        ValueError: if there are no messages, or one has a word that is in neither vocabulary.
    """
    source, source_lengths = pad([english().encode(each.english) for each in chosen])
    said = [french().encode(each.french) for each in chosen]
    target_in, _ = pad([[START, *ids] for ids in said])
    target_out, _ = pad([[*ids, END] for ids in said])
    return MessageBatch(tuple(chosen), source, source_lengths, target_in, target_out)


def batches(
    chosen: Sequence[Message], batch_size: int, generator: torch.Generator
) -> Iterator[MessageBatch]:
    """Batches without end: all messages in random order, then all in another order.

    Raises:
        ValueError: if the batch is empty or larger than all the messages together.
    """
    return endless_batches(chosen, encode, batch_size, generator)


@cache
def _distinct(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(words)


def _alike(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    longer = max(len(one), len(other))
    # A word that the other lacks takes an edit, so most pairs need not be looked at closely.
    here, there = _distinct(one), _distinct(other)
    lacking = max(len(here - there), len(there - here))
    return 3 * lacking <= longer and 3 * edit_distance(one, other) <= longer


@cache
def _families(members: tuple[Message, ...]) -> tuple[tuple[Message, ...], ...]:
    """The members in groups, so that no two of different groups are near."""
    families: list[tuple[Message, ...]] = []
    for member in members:
        joined = [family for family in families if any(near(member, each) for each in family)]
        families = [family for family in families if family not in joined]
        families.append((*(each for family in joined for each in family), member))
    return tuple(families)


def _words(family: Sequence[Message]) -> set[str]:
    return {word for each in family for word in each.english}
