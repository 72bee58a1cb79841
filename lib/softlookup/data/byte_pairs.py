"""Byte pairs: tokens between a character and a word, learned from a text.

The chapter on the next word does the merging by hand; here the package ``tokenizers`` does it,
fast. The alphabet is the 256 bytes, so that there is no text that cannot be encoded.
"""

import torch
from jaxtyping import Int
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from torch import Tensor

_ALPHABET = pre_tokenizers.ByteLevel.alphabet()


def pieces(text: str) -> list[str]:
    """Cut a text where no pair may merge: into words with the space before them, and signs.

    Each byte is written as one visible character, a space as ``Ġ`` and a new line as ``Ċ``.

    Source: Radford et al. 2019, section 2.2.
    """
    cut = pre_tokenizers.ByteLevel(add_prefix_space=False).pre_tokenize_str(text)
    return [piece for piece, _ in cut]


class BytePairs:
    """A vocabulary of 256 bytes and of the pairs that were merged most often.

    Args:
        train: the text to learn the merges from: the training text alone.
        vocab_size: how many tokens there are, at most; a short text may run out of pairs.

    Raises:
        ValueError: if the text is empty, or the vocabulary has no room for the bytes.

    Source: Sennrich et al. 2016, section 3.2; Radford et al. 2019, section 2.2, for the bytes.
    """

    def __init__(self, train: str, vocab_size: int) -> None:
        if not train:
            raise ValueError("the text is empty; expected at least one character")
        if vocab_size < len(_ALPHABET):
            raise ValueError(
                f"vocab_size is {vocab_size}; expected at least {len(_ALPHABET)}, one for each byte"
            )
        self._tokenizer = Tokenizer(models.BPE())
        self._tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        self._tokenizer.decoder = decoders.ByteLevel()
        trainer = trainers.BpeTrainer(
            vocab_size=vocab_size, initial_alphabet=_ALPHABET, show_progress=False
        )
        self._tokenizer.train_from_iterator([train], trainer)

    @classmethod
    def from_json(cls, stored: str) -> "BytePairs":
        """The tokens that ``to_json`` wrote down: nothing is learned again.

        Raises:
            ValueError: if this is no tokenizer.
        """
        tokens = cls.__new__(cls)
        try:
            tokens._tokenizer = Tokenizer.from_str(stored)
        except Exception as error:
            raise ValueError(
                f"this is no stored tokenizer ({error}); expected what to_json wrote"
            ) from error
        return tokens

    def to_json(self) -> str:
        """The tokens and their merges as text, in the form of the package ``tokenizers``."""
        return str(self._tokenizer.to_str())

    def __len__(self) -> int:
        return int(self._tokenizer.get_vocab_size())

    @property
    def merged(self) -> list[str]:
        """The tokens that merging has made, in the order in which they were made."""
        made = range(len(_ALPHABET), len(self))
        return [str(self._tokenizer.id_to_token(id)) for id in made]

    def encode(self, piece: str) -> Int[Tensor, " length"]:
        """The ids of the tokens; any text has some."""
        return torch.tensor(self._tokenizer.encode(piece).ids, dtype=torch.long)

    def decode(self, ids: Int[Tensor, " length"]) -> str:
        """The text that the ids stand for.

        Bytes that are no whole character, as a cut may leave them, become ``�``.

        Raises:
            ValueError: if an id is out of range.
        """
        unknown = [id for id in ids.tolist() if not 0 <= id < len(self)]
        if unknown:
            raise ValueError(f"id {unknown[0]} is no token; expected 0 to {len(self) - 1}")
        return str(self._tokenizer.decode(ids.tolist(), skip_special_tokens=False))
