"""A small GPT that comes with the library: some minutes of training on this book's own prose.

It is large enough to write and small enough to ship: under a million parameters, which are stored
with half of their digits. The chapter on the next word lets it speak.

Provenance: ``benchmarks/gpt_against_n_grams.py 0`` trains it, on one core of a CPU and on the
training text alone (the first eight tenths of the edition, without the paragraphs that share
eight words in a row with the rest), and says with which sizes. Weights and tokenizer lie in one
file, in the format of ``safetensors``. Like the text it is licensed under CC BY 4.0.
"""

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from safetensors.torch import load, save

from softlookup.data.byte_pairs import BytePairs
from softlookup.models.gpt import GPT, GPTConfig

FILE = Path(__file__).with_name("small_gpt.safetensors")
SHA256 = "9437452b463ace118149dc35d4c6596b7f73fefb49ed450a4660318ba88dfcff"


@dataclass(frozen=True)
class SmallGPT:
    """A trained model with the tokens that it speaks in.

    Attributes:
        model: the GPT, in evaluation mode.
        tokens: its byte pairs, learned from its training text.
    """

    model: GPT
    tokens: BytePairs


def load_small_gpt() -> SmallGPT:
    """The model that comes with the library.

    Raises:
        ValueError: if the file is not the one that the book's numbers rest on.
    """
    stored = FILE.read_bytes()
    digest = hashlib.sha256(stored).hexdigest()
    if digest != SHA256:
        raise ValueError(
            f"{FILE} has the SHA-256 {digest}; expected {SHA256}. Restore the file from the "
            "repository, or enter the digest of newly trained weights"
        )
    return unpacked(stored)


def packed(trained: SmallGPT) -> bytes:
    """A model and its tokens as the bytes of one file, the weights with half of their digits."""
    config = {**asdict(trained.model.config), "dropout": 0.0}
    described = json.dumps({"config": config, "tokens": trained.tokens.to_json()})
    weights = {name: each.half() for name, each in trained.model.state_dict().items()}
    return save(weights, metadata={"softlookup": described})


def unpacked(stored: bytes) -> SmallGPT:
    """Undo ``packed``: the model, whose weights are those that were rounded."""
    header_length = int.from_bytes(stored[:8], "little")
    header = json.loads(stored[8 : 8 + header_length])
    described = json.loads(header["__metadata__"]["softlookup"])
    model = GPT(GPTConfig(**described["config"]))
    model.load_state_dict({name: each.to(torch.float32) for name, each in load(stored).items()})
    return SmallGPT(model.eval(), BytePairs.from_json(described["tokens"]))
