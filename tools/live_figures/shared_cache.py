"""Heads that share: the caches of Llama 3 with 8 billion parameters, at many lengths."""

import dataclasses
import itertools
from pathlib import Path

import torch
from softlookup.layers.grouped_query import width_of_heads
from softlookup.models.llama import Llama
from softlookup.pretrained.llama import LLAMA_SIZES

from live_figures import files

NAME = "meta-llama/Meta-Llama-3-8B"
SHARED = (1, 2, 4, 8, 16, 32)
LENGTHS = tuple(2**power for power in range(8, 21))
TEXTS = (1, 2, 4, 8, 16, 32, 64)
# Where the figure is held to the caches that a model allocates.
CASES = (*itertools.product((1, 8, 32), (256, 2**20), (1, 16)), (8, 8192, 1), (4, 1024, 64))


def allocated(shared: int, length: int, texts: int) -> int:
    """The bytes of the caches that the model makes, with so many shared heads."""
    config = dataclasses.replace(LLAMA_SIZES[NAME], n_key_value_heads=shared, n_layers=1)
    with torch.device("meta"):
        model = Llama(config).bfloat16()
    (cache,) = model.make_caches(texts, length)
    tokens = torch.empty(
        texts, shared, length, width_of_heads(4096, 32, None), dtype=torch.bfloat16, device="meta"
    )
    kept = cache.append(tokens, tokens)
    return LLAMA_SIZES[NAME].n_layers * sum(each.numel() * each.itemsize for each in kept)


def export() -> list[Path]:
    """Count the weights and the caches, and write what the figure needs."""
    config = LLAMA_SIZES[NAME]
    with torch.device("meta"):
        weights = sum(each.numel() for each in Llama(config).bfloat16().parameters())
    model = {
        "layers": config.n_layers,
        "heads": config.n_heads,
        "d_head": width_of_heads(config.d_model, config.n_heads, config.d_head),
        "number_bytes": 2,
        "weight_bytes": 2 * weights,
    }
    cases = [
        {"shared": shared, "length": length, "texts": texts, "bytes": allocated(*case)}
        for case in CASES
        for shared, length, texts in [case]
    ]
    written = {"model": model, "shared": SHARED, "lengths": LENGTHS, "texts": TEXTS}
    return [
        files.write_weights("shared-cache", written),
        files.write_expected("shared-cache", {"cases": cases, "weights": 2 * weights}),
    ]
