"""The wired tokens: the twelve untrained blocks of the chapter on residuals and norms."""

from pathlib import Path
from typing import Any

import torch
from softlookup.layers.stacks import Stack
from torch import Tensor

from live_figures import chapter, files

# The cell that tells how unlike the tokens are after twelve blocks of each wiring.
TABLE = "96f7d34b"
SEED = 0
NORMS = ("none", "pre", "post")
PARTS = ("both", "attention", "feed_forward")


def wired(x: Tensor, stack: Stack, norm: str, skip: bool, parts: str) -> list[Tensor]:
    """The tokens before the first block and after each, with the blocks' parts joined by hand."""
    after = [x]
    for block in stack.blocks:
        both = (
            ("attention", block.norm_1, block.self_attention),
            ("feed_forward", block.norm_2, block.feed_forward),
        )
        for name, normed, part in both:
            if parts in ("both", name):
                given = part(normed(x) if norm == "pre" else x)
                joined = x + given if skip else given
                x = normed(joined) if norm == "post" else joined
        after.append(x)
    return after


def as_the_library(names: dict[str, Any], norm: str, skip: bool, symbols: Tensor) -> list[Tensor]:
    """The same for whole blocks, by the library's own, before anything is rounded."""
    place = None if norm == "none" else norm
    model = names["begin"](place, skip, False, names["seed_everything"](SEED))
    after = [model.embed(symbols)]
    for block in model.stack.blocks:
        after.append(block(after[-1]))
    return after


@torch.no_grad()
def export() -> list[Path]:
    """Run the chapter up to its table, and write what the figure needs.

    Raises:
        ValueError: if blocks joined by hand differ from the library's.
    """
    with torch.enable_grad():
        ran = chapter.run("07_residuals_and_norms", until=TABLE)
    ran.agree(TABLE)
    names = ran.names
    source = names["seed_everything"](SEED)
    model = names["begin"]("pre", True, False, source)
    symbols = next(names["batches"](source))[:1]
    for norm in NORMS:
        for skip in (False, True):
            ours = wired(model.embed(symbols), model.stack, norm, skip, "both")
            theirs = as_the_library(names, norm, skip, symbols)
            if not torch.allclose(torch.cat(ours), torch.cat(theirs), atol=1e-5):
                raise ValueError(f"blocks joined by hand differ: norm {norm}, skip {skip}")
    small = files.rounded(model)
    tensors = {"tokens": small.embed(symbols)[0]} | {
        key.removeprefix("stack."): each
        for key, each in small.state_dict().items()
        if key.startswith("stack.blocks.")
    }
    tokens = tensors["tokens"].half().float()[None]
    cases = []
    for norm in NORMS:
        for skip in (False, True):
            for parts in PARTS:
                after = wired(tokens, small.stack, norm, skip, parts)
                case = {"norm": norm, "skip": skip, "parts": parts, "last": after[-1][0]}
                case["distinctness"] = [names["distinctness"](each[0].double()) for each in after]
                cases.append(case)
    config = {
        "symbols": symbols[0].tolist(),
        "n_layers": len(model.stack.blocks),
        "n_heads": model.stack.blocks[0].self_attention.n_heads,
    }
    expected = {"cases": cases, "stored": ran.stored[TABLE].splitlines()}
    return [
        files.write_weights("token-wiring", config, tensors),
        files.write_expected("token-wiring", expected),
    ]
