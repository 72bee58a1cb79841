"""A vocabulary: which token has which number, with the three tokens that are not words.

Every task of the course that pads its sequences uses the same three: padding, start and end.
"""

from collections.abc import Iterable, Sequence

import torch
from jaxtyping import Int
from torch import Tensor

PADDING = 0
START = 1
END = 2
_NOT_WORDS = ("<pad>", "<start>", "<end>")


class Vocabulary:
    """Tokens and their ids; ids 0, 1 and 2 are padding, start and end.

    Args:
        words: the words in the order of their ids; the first word gets id 3.

    Raises:
        ValueError: if a word occurs twice, or is one of the three tokens that are no words.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self.tokens = (*_NOT_WORDS, *words)
        self._ids = {token: id for id, token in enumerate(self.tokens)}
        if len(self._ids) < len(self.tokens):
            twice = next(token for token in self.tokens if self.tokens.count(token) > 1)
            raise ValueError(f"{twice!r} occurs twice in the vocabulary; expected each word once")

    def __len__(self) -> int:
        return len(self.tokens)

    def encode(self, words: Sequence[str]) -> list[int]:
        """The ids of the words, without start or end.

        Raises:
            ValueError: if a word is not in the vocabulary.
        """
        unknown = [word for word in words if word not in self._ids]
        if unknown:
            raise ValueError(
                f"{unknown[0]!r} is not in the vocabulary; expected words such as "
                f"{', '.join(map(repr, self.tokens[3:6]))}"
            )
        return [self._ids[word] for word in words]

    def decode(self, ids: Int[Tensor, " length"]) -> list[str]:
        """The words that the ids stand for, up to the first end token, without padding or start.

        Raises:
            ValueError: if an id is not in the vocabulary.
        """
        words = []
        for id in ids.tolist():
            if not 0 <= id < len(self):
                raise ValueError(f"id {id} is not in the vocabulary; expected 0 to {len(self) - 1}")
            if id == END:
                break
            if id not in (PADDING, START):
                words.append(self.tokens[id])
        return words


def pad(
    sequences: Sequence[Sequence[int]],
) -> tuple[Int[Tensor, "batch length"], Int[Tensor, " batch"]]:
    """Sequences as the rows of one tensor, padded at their ends, and their lengths.

    Raises:
        ValueError: if there are no sequences.
    """
    if not sequences:
        raise ValueError("there are no sequences to pad; expected at least one")
    lengths = [len(sequence) for sequence in sequences]
    longest = max(lengths)
    rows = [[*sequence, *[PADDING] * (longest - len(sequence))] for sequence in sequences]
    return torch.tensor(rows, dtype=torch.long), torch.tensor(lengths)


def exact_match(
    predicted: Int[Tensor, "batch predicted_length"],
    expected: Int[Tensor, "batch expected_length"],
) -> float:
    """The share of sequences that are right in every token up to the end.

    What follows the first end token does not count; a prediction that never ends is wrong.

    Args:
        predicted: token ids as a model generated them.
        expected: token ids as they should be, each row with an end token.

    Raises:
        ValueError: if there are no sequences, not as many predicted as expected, or an expected
            one has no end token.
    """
    if len(predicted) != len(expected):
        raise ValueError(
            f"there are {len(predicted)} predictions for {len(expected)} expected sequences; "
            "expected one for each"
        )
    if len(expected) == 0:
        raise ValueError("there are no sequences to compare; expected at least one")
    right = 0
    for row, truth in zip(predicted.tolist(), expected.tolist(), strict=True):
        if END not in truth:
            raise ValueError(f"an expected sequence has no end token ({END}): {truth}")
        ended = truth[: truth.index(END) + 1]
        right += row[: len(ended)] == ended
    return right / len(expected)
