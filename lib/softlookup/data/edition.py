"""The prose of this book, frozen as an edition: the text that its language models learn.

Every machine reads the same bytes, whatever the release of Python. The chapters on masking, on
positions, on the next word and on looking inside train on it. ``tools/freeze_edition.py`` makes a
new edition and says what is kept of a page; the text does not follow the chapters by itself.
Unlike the code it is licensed as the book's text is, under CC BY 4.0.
"""

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import torch
from jaxtyping import Int
from torch import Tensor

FILE = Path(__file__).with_name("edition.txt")
SHA256 = "5867dc595ed542437c6a8ebe578c28aabd6e4b6018cf678cdd849012a5ad6d68"


def read(file: Path) -> str:
    """The text of an edition's file.

    Raises:
        ValueError: if the bytes are not those that the book's numbers rest on.
    """
    stored = file.read_bytes()
    digest = hashlib.sha256(stored).hexdigest()
    if digest != SHA256:
        raise ValueError(
            f"{file} has the SHA-256 {digest}; expected {SHA256}. Restore the file from the "
            "repository (with its line ends as they are), or enter the digest of a new edition"
        )
    return stored.decode("utf-8")


@cache
def text() -> str:
    """The whole edition: the pages about the course, then its chapters, in order.

    A paragraph is one line, an empty line ends it, and two empty lines end a page.

    Raises:
        ValueError: if the file is not the edition that the book's numbers rest on.
    """
    return read(FILE)


def pages() -> dict[str, str]:
    """Each page's and each chapter's text under its title, which is also its first line."""
    found = text().rstrip("\n").split("\n\n\n")
    return {page.split("\n", 1)[0]: page for page in found}


@dataclass(frozen=True)
class TextSplit:
    """A text in the order in which it is read: to learn from, to choose by, and to be tested on."""

    train: str
    validation: str
    test: str


def split(whole: str) -> TextSplit:
    """The last tenth is for testing, the tenth before it for choosing; the rest is for learning.

    What a model must predict comes after what it read. Whatever is chosen (a size, a rate, an
    opponent) is chosen on the validation text, and nothing on the test text.

    Raises:
        ValueError: if the text has fewer than ten characters.
    """
    if len(whole) < 10:
        raise ValueError(f"the text has {len(whole)} characters; expected at least 10")
    tenth = len(whole) // 10
    return TextSplit(whole[: -2 * tenth], whole[-2 * tenth : -tenth], whole[-tenth:])


class Characters:
    """The characters of a text as tokens, in the order of their code points.

    Raises:
        ValueError: if the text is empty.
    """

    def __init__(self, whole: str) -> None:
        if not whole:
            raise ValueError("the text is empty; expected at least one character")
        self.characters = "".join(sorted(set(whole)))
        self._ids = {character: id for id, character in enumerate(self.characters)}

    def __len__(self) -> int:
        return len(self.characters)

    def encode(self, piece: str) -> Int[Tensor, " length"]:
        """The ids of the characters.

        Raises:
            ValueError: if a character does not occur in the text.
        """
        unknown = [character for character in piece if character not in self._ids]
        if unknown:
            raise ValueError(
                f"{unknown[0]!r} is none of the {len(self)} characters of the text; "
                "build Characters from a text that contains it"
            )
        return torch.tensor([self._ids[character] for character in piece], dtype=torch.long)

    def decode(self, ids: Int[Tensor, " length"]) -> str:
        """The text that the ids stand for.

        Raises:
            ValueError: if an id is out of range.
        """
        unknown = [id for id in ids.tolist() if not 0 <= id < len(self)]
        if unknown:
            raise ValueError(f"id {unknown[0]} is no character; expected 0 to {len(self) - 1}")
        return "".join(self.characters[id] for id in ids.tolist())


def visible(piece: str) -> str:
    """A piece of text as a label: its spaces as ``␣``, its line ends as ``⏎``."""
    return piece.replace(" ", "␣").replace("\n", "⏎")


def windows(
    ids: Int[Tensor, " text_length"], batch_size: int, length: int, generator: torch.Generator
) -> tuple[Int[Tensor, "batch_size length"], Int[Tensor, "batch_size length"]]:
    """Draw pieces of the text at random places, and the same pieces one character on.

    Args:
        ids: the text as token ids.
        batch_size: how many pieces.
        length: how long each piece is.
        generator: the source of randomness.

    Returns:
        What a language model reads, and what it should predict at each place.

    Raises:
        ValueError: if the batch is empty, or the text too short for one piece.
    """
    if batch_size < 1 or length < 1 or len(ids) <= length:
        raise ValueError(
            f"batch_size is {batch_size}, length is {length}, and the text has {len(ids)} tokens; "
            "expected at least 1 of each, and a text longer than the length"
        )
    starts = torch.randint(len(ids) - length, (batch_size, 1), generator=generator)
    places = starts + torch.arange(length)
    return ids[places], ids[places + 1]
