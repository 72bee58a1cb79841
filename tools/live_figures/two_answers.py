"""The GPT and its adapters, asked the same, for the chapter on answers."""

import copy
from pathlib import Path

import torch
from softlookup.pretrained.small_gpt import load_small_gpt
from softlookup.running.generation import greedy
from torch import Tensor, nn

from live_figures import chapter, files

CELL = "answer-adapter"
# What the adapters do not depend on, and what takes long.
SKIPPED = (
    *("answer-alike", "answer-interviews", "answer-confidence-figure", "answer-tilt-figure"),
    *("answer-pairs", "answer-pair", "answer-preferences", "answer-tilted"),
    "answer-preferences-table",
    *("answer-preferences-figure", "answer-pairs-figure", "answer-gamed-measured"),
    *("answer-gamed-figure", "answer-gamed-texts", "answer-adapter-figure"),
)
SHOWN = 4
MOST = 32
FACTORS = (1.0, 0.5, -0.5)


def export() -> list[Path]:
    """Train the chapter's adapters, and write them with what both models say."""
    ran = chapter.run("17_from_words_to_answers", CELL, SKIPPED)
    ran.agree(CELL)
    names = ran.names
    adapters = {name: each.half().float() for name, each in names["adapters"].items()}
    # The GPT itself travels as the library keeps it.
    small = load_small_gpt()
    tokens, end = small.tokens, names["END"]
    drawn = names["terms"][0]
    asked = [(each.prompt.strip(), True) for each in drawn[:SHOWN]]
    asked += [(each.prompt.strip(), False) for each in drawn[24 : 24 + SHOWN]]
    scale = names["ALPHA"] / names["RANK"]
    config = {
        "asked": [{"question": question, "taught": taught} for question, taught in asked],
        "end": end,
        "most": MOST,
        "scale": scale,
    }
    cases = []
    with torch.no_grad():
        for factor in FACTORS:
            model = merged(small.model, adapters, factor * scale)
            for question, _ in (asked[0], asked[SHOWN]):
                ids = tokens.encode(f"{question}\n\n")
                said = greedy(
                    lambda read, model=model: model(read)[:, -1], ids[None], MOST, end=end
                )
                read = torch.cat([ids, said[0]])[None]
                ours, theirs = (
                    each(read)[0, len(ids) - 1 : -1].log_softmax(dim=-1)
                    for each in (model, small.model)
                )
                case = {"question": question, "factor": factor, "answer": said[0]}
                case["logits"] = model(ids[None])[0, -1]
                case["apart"] = (ours.exp() * (ours - theirs)).sum(dim=-1)
                cases.append(case)
    return [
        files.write_weights("two-answers", config, adapters),
        files.write_expected("two-answers", {"cases": cases}),
    ]


def merged(model: nn.Module, adapters: dict[str, Tensor], factor: float) -> nn.Module:
    """A copy of a model with a product of two thin matrices added to each adapted weight."""
    copied = copy.deepcopy(model)
    weights = dict(copied.named_parameters())
    for name in {each.rpartition(".")[0] for each in adapters}:
        product = adapters[f"{name}.up"] @ adapters[f"{name}.down"]
        weights[f"{name}.weight"].data += factor * product
    return copied
