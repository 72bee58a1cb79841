"""What the small GPT and three drafts say at a few places, for the chapter on answers."""

import copy
from functools import partial
from pathlib import Path

import torch
from softlookup.data import edition
from softlookup.data.overlap import leave_out_shared
from softlookup.layers.quantized import quantize_linears, row_steps
from softlookup.models.gpt import GPT
from softlookup.pretrained.small_gpt import load_small_gpt
from softlookup.running.n_grams import NGramCounts, kneser_ney
from softlookup.running.speculative import acceptance, residual
from torch import Tensor

from live_figures import files

TEXTS = (
    "The weights of the heads",
    "A query asks, and each key",
    "The gradient of the loss with respect to the",
    "In the residual stream of a",
    "This is the same as",
)
OFTEN = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 4.0)
SHOWN = 7
OTHERS = "all others"
DIGITS = 4


def export() -> list[Path]:
    """Ask the models, and write what the figure needs."""
    small = load_small_gpt()
    parts = edition.split(edition.text())
    read = leave_out_shared(parts.train, parts.validation + parts.test)
    n_gram = kneser_ney(NGramCounts(small.tokens.encode(read), len(small.tokens), 6), 6)
    two_blocks = copy.deepcopy(small.model)
    two_blocks.stack.blocks = two_blocks.stack.blocks[:2]
    three_bits = quantize_linears(copy.deepcopy(small.model), partial(row_steps, bits=3))

    @torch.no_grad()
    def said(model: GPT, ids: Tensor) -> Tensor:
        return model(ids[None])[0, -1].double().softmax(dim=-1)

    places, cases = [], []
    for text in TEXTS:
        ids = small.tokens.encode(text)
        target = said(small.model, ids)
        all_drafts = {
            "the n-gram": n_gram.probabilities(ids[-5:]),
            "the first two blocks": said(two_blocks, ids),
            "the GPT in three bits": said(three_bits, ids),
        }
        likeliest = target.argsort(descending=True)[:SHOWN]
        p = together(target, likeliest)
        drafts = {name: together(each, likeliest) for name, each in all_drafts.items()}
        shown = [visible(small.tokens.decode(token[None])) for token in likeliest]
        places.append({"text": text, "words": [*shown, OTHERS], "target": p, "drafts": drafts})
        for name, q in drafts.items():
            cases += [
                {"text": text, "draft": name, "often": often, "from": other}
                | dict(zip(("share", "tokens"), written(p, q, often, other), strict=True))
                for often in OFTEN
                for other in ("left", "target")
            ]
            cases[-1]["shared"] = acceptance(p, q).item()
    config = {"places": files.plain(places), "often": OFTEN}
    return [
        files.write_weights("draft-checker", config),
        files.write_expected("draft-checker", {"cases": cases}),
    ]


def together(probabilities: Tensor, shown: Tensor) -> Tensor:
    """The probabilities of some tokens and of all others together, rounded as they travel."""
    some = (probabilities[shown] * 10**DIGITS).round()
    return torch.cat([some, 10**DIGITS - some.sum()[None]]) / 10**DIGITS


def written(p: Tensor, q: Tensor, often: float, other: str) -> tuple[float, Tensor]:
    """How often a proposal is kept, and what comes out, by the library's functions."""
    keep = (often * p / q).clamp(max=1)
    share = (q * keep).sum()
    return share.item(), q * keep + (1 - share) * (residual(p, q) if other == "left" else p)


def visible(token: str) -> str:
    """A token as a word of the picture."""
    return token.replace("\n", "↵").strip() or "space"
