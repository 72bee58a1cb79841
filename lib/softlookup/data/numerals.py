"""English numerals into German ones: a small translation task of real language.

``num2words`` writes both. English is split into words; German writes a number as one word, and
is cut into its parts, so that one sees what makes the task worth learning: "forty two" becomes
"zwei und vierzig", and the order crosses. One fixed vector fails at it in the
chapter on the limits of recurrence, attention repairs that, and the chapter on encoder and
decoder gives it to the whole Transformer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import torch
from jaxtyping import Float, Int
from num2words import num2words
from torch import Tensor

from softlookup.data.epochs import endless_batches
from softlookup.data.vocabulary import END, START, Vocabulary, pad

LARGEST = 999_999

# What each part of a German numeral means. "und" joins a unit to its ten and has no word of
# its own: the English "and" stands elsewhere, after the hundreds.
MEANING = {
    "null": "zero", "ein": "one", "eins": "one", "zwei": "two", "drei": "three",
    "vier": "four", "fünf": "five", "sechs": "six", "sieben": "seven", "acht": "eight",
    "neun": "nine", "zehn": "ten", "elf": "eleven", "zwölf": "twelve",
    "dreizehn": "thirteen", "vierzehn": "fourteen", "fünfzehn": "fifteen",
    "sechzehn": "sixteen", "siebzehn": "seventeen", "achtzehn": "eighteen",
    "neunzehn": "nineteen", "zwanzig": "twenty", "dreißig": "thirty", "vierzig": "forty",
    "fünfzig": "fifty", "sechzig": "sixty", "siebzig": "seventy", "achtzig": "eighty",
    "neunzig": "ninety", "hundert": "hundred", "tausend": "thousand",
}  # fmt: skip

ENGLISH = Vocabulary([*dict.fromkeys(MEANING.values()), "and"])
GERMAN = Vocabulary([*MEANING, "und"])

_LONGEST_FIRST = sorted([*MEANING, "und"], key=len, reverse=True)
# Both languages name thousands and hundreds in the same order; words cross only between them.
_FENCES = {"thousand", "hundred"}


@cache
def english(number: int) -> tuple[str, ...]:
    """The number in English words: 42 is ("forty", "two").

    Raises:
        ValueError: if the number is negative or above 999,999.
    """
    _require_in_range(number)
    thousands, rest = divmod(number, 1000)
    if thousands and rest:
        # Put together from two that are kept, because num2words takes its time.
        between = ("and",) if rest < 100 else ()
        return (*english(number - rest), *between, *english(rest))
    return tuple(num2words(number, lang="en").replace("-", " ").replace(",", "").split())


@cache
def german(number: int) -> tuple[str, ...]:
    """The number in the parts of its German word: 42 is ("zwei", "und", "vierzig").

    Raises:
        ValueError: if the number is negative or above 999,999.
    """
    _require_in_range(number)
    thousands, rest = divmod(number, 1000)
    if thousands and rest:
        return (*german(number - rest), *german(rest))
    return cut(num2words(number, lang="de"))


def cut(word: str) -> tuple[str, ...]:
    """Cut a German numeral into its parts, taking the longest part that fits each time.

    Raises:
        ValueError: if some piece of the word is no part of a numeral.
    """
    parts: list[str] = []
    rest = word
    while rest:
        part = next((part for part in _LONGEST_FIRST if rest.startswith(part)), None)
        if part is None:
            raise ValueError(
                f"{rest!r} in {word!r} begins with no part of a German numeral; "
                "expected a number as one word, such as 'zweiundvierzig'"
            )
        parts.append(part)
        rest = rest[len(part) :]
    return tuple(parts)


@cache
def alignment(number: int) -> tuple[int | None, ...]:
    """For each German part, the position of the English word that it translates.

    42 is "forty two" and "zwei und vierzig", so its alignment is (1, None, 0): "und" translates
    no English word.

    Raises:
        ValueError: if the number is negative or above 999,999.
    """
    # A word may occur twice, as in 22,022; between two fences it occurs once.
    position_of: dict[tuple[int, str], int] = {}
    fences = 0
    for position, word in enumerate(english(number)):
        position_of[fences, word] = position
        fences += word in _FENCES
    positions: list[int | None] = []
    fences = 0
    for part in german(number):
        meaning = MEANING.get(part)
        positions.append(None if meaning is None else position_of[fences, meaning])
        fences += meaning in _FENCES
    return tuple(positions)


def crossings(number: int) -> tuple[tuple[int, int], ...]:
    """The pairs of German positions, left and right, whose English words stand the other way.

    For 42 that is ((0, 2),): "zwei" stands before "vierzig", and "two" behind "forty".

    Raises:
        ValueError: if the number is negative or above 999,999.
    """
    placed = [(at, to) for at, to in enumerate(alignment(number)) if to is not None]
    return tuple(
        (left, right)
        for left, left_word in placed
        for right, right_word in placed
        if left < right and left_word > right_word
    )


@dataclass(frozen=True)
class Split:
    """Numbers to learn from and numbers to be tested on; none is in both."""

    train: tuple[int, ...]
    test: tuple[int, ...]


def split(n_train: int, n_test: int, generator: torch.Generator, limit: int = 100_000) -> Split:
    """Draw numbers below the limit at random, each at most once.

    Raises:
        ValueError: if fewer than one is asked for, more than there are, or the limit is above a
            million.
    """
    if not 1 <= limit <= LARGEST + 1:
        raise ValueError(f"limit is {limit}; expected 1 to {LARGEST + 1}")
    if n_train < 1 or n_test < 1 or n_train + n_test > limit:
        raise ValueError(
            f"n_train is {n_train} and n_test {n_test}; expected at least 1 of each, and at most "
            f"{limit} together, as many as there are numbers below the limit"
        )
    numbers = torch.randperm(limit, generator=generator)[: n_train + n_test].tolist()
    return Split(tuple(numbers[:n_train]), tuple(numbers[n_train:]))


@dataclass(frozen=True)
class Batch:
    """Numbers in both languages, padded.

    Attributes:
        numbers: the numbers themselves.
        source: ids of the English words.
        source_lengths: how many English words each number has.
        target_in: ids of the German parts behind the start token: what the decoder reads.
        target_out: ids of the German parts before the end token: what it should say.
        target_lengths: how many German parts each number has, with the start or end token.
    """

    numbers: tuple[int, ...]
    source: Int[Tensor, "batch source_length"]
    source_lengths: Int[Tensor, " batch"]
    target_in: Int[Tensor, "batch target_length"]
    target_out: Int[Tensor, "batch target_length"]
    target_lengths: Int[Tensor, " batch"]


def encode(numbers: Sequence[int]) -> Batch:
    """Write the numbers in both languages, as one padded batch.

    Raises:
        ValueError: if there are no numbers, or one is negative or above 999,999.
    """
    source, source_lengths = pad([ENGLISH.encode(english(number)) for number in numbers])
    parts = [GERMAN.encode(german(number)) for number in numbers]
    target_in, target_lengths = pad([[START, *ids] for ids in parts])
    target_out, _ = pad([[*ids, END] for ids in parts])
    return Batch(tuple(numbers), source, source_lengths, target_in, target_out, target_lengths)


def batches(numbers: Sequence[int], batch_size: int, generator: torch.Generator) -> Iterator[Batch]:
    """Batches without end: all numbers in random order, then all in another order.

    Raises:
        ValueError: if the batch is empty or larger than all the numbers together.
    """
    return endless_batches(numbers, encode, batch_size, generator)


def alignment_accuracy(
    weights: Float[Tensor, "batch target_length source_length"],
    numbers: Sequence[int],
    words: Literal["all", "crossing"] = "all",
) -> float:
    """How often the largest weight lies on the English word that is being translated.

    Args:
        weights: row j of a number holds the weights with which its German part j was said.
        numbers: the numbers of the batch.
        words: judge every part that has an English word, or only those whose order crosses.

    Raises:
        ValueError: if ``words`` is neither, there is not one matrix for each number, or no word
            to judge.
    """
    if words not in ("all", "crossing"):
        raise ValueError(f"words is {words!r}; expected 'all' or 'crossing'")
    if len(weights) != len(numbers):
        raise ValueError(
            f"there are weights for {len(weights)} sequences and {len(numbers)} numbers; "
            "expected the weights of each number"
        )
    right = total = 0
    for looked_at, number in zip(weights.argmax(dim=-1).tolist(), numbers, strict=True):
        crossing = {position for pair in crossings(number) for position in pair}
        for position, word in enumerate(alignment(number)):
            if word is not None and (words == "all" or position in crossing):
                right += looked_at[position] == word
                total += 1
    if total == 0:
        raise ValueError("no word crosses in these numbers; expected one such as 42")
    return right / total


def _require_in_range(number: int) -> None:
    if not 0 <= number <= LARGEST:
        raise ValueError(f"number is {number}; expected a whole number from 0 to {LARGEST:,}")
