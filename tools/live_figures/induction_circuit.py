"""The induction circuit of the chapter on looking inside, with and without its heads."""

import itertools
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from live_figures import chapter, files

# What is printed of the models before and after they pay, of their sizes, ablations and patches.
PRINTED = ("d91924d7", "0258e5e3", "15cccfde", "15ccc001", "07f48856")
# The pretrained encoder comes before; the repeaters do not depend on it.
ENCODER = (
    "e0a3bf91",
    "5edc8f9d",
    "30c00001",
    "30c00002",
    "30af0585",
    "n4mes002",
    "n4mes0c2",
    "67b1f880",
    "12c57a35",
    "38591a1d",
    "38591a1e",
    "15cfd0a0",
    "15cfd0a1",
    "15cfd0a2",
    "animals2nd1",
    "animals2nd2",
    "lecture-examples",
)
SEED = 0
LAYERS, HEADS, HALF = 2, 4, 8
Heads = list[tuple[int, int]]
EVERY = [*itertools.product(range(LAYERS), range(HEADS))]
CASES: list[Heads] = [
    [],
    *([each] for each in EVERY),
    *([(layer, head) for head in range(HEADS)] for layer in range(LAYERS)),
    [(0, 2), (1, 3)],
]


def key(kind: str, what: str, heads: Heads) -> str:
    """The name of a number: which model, what is counted, which heads were taken."""
    return " ".join([kind, what, *(f"{layer}-{head}" for layer, head in heads)])


def told(clean: dict[str, Tensor], heads: Heads, way: str) -> dict[tuple[str, int], Any]:
    """What some heads give: nothing, or what they gave on the clean texts."""
    return {
        (f"layers.{layer}", head): 0.0 if way == "off" else clean[f"layers.{layer}"][:, head]
        for layer, head in heads
    }


def is_plain(clean: list[int], other: list[int]) -> bool:
    """Whether no question's symbol, and its answers of either text and at the place, are alike."""
    for at in range(HALF, 2 * HALF - 1):
        here, there = clean[:HALF].index(clean[at]), other[:HALF].index(clean[at])
        if here == HALF - 1:
            continue
        if there == HALF - 1:
            return False
        if len({clean[at], clean[here + 1], other[here + 1], other[there + 1]}) < 4:
            return False
    return True


def plain_pair(texts: Tensor) -> Tensor:
    """One of the texts, and the same with its first half in another order: plain questions all."""
    drawing = torch.Generator().manual_seed(SEED)
    for text in texts:
        for _ in range(100):
            order = torch.randperm(HALF, generator=drawing)
            other = torch.cat((text[:HALF][order], text[HALF:]))
            if is_plain(text.tolist(), other.tolist()):
                return torch.stack((text, other))
    raise ValueError("no text of the exam has plain questions only; expected one")


def printed_numbers(names: dict[str, Any]) -> dict[str, float]:
    """The numbers of the chapter that are about these two models."""
    all_of = [[(layer, head) for head in range(HEADS)] for layer in range(LAYERS)]
    free, together = names["free"][SEED, "zero"]
    found = {
        key("charged", "off", []): names["right"](names["charged"][SEED]),
        key("free", "off", []): names["right"](names["two_layers"][SEED]),
        key("free", "off", all_of[1]): together,
        key("charged", "patch", []): names["answers_patched"](
            names["charged"][SEED], [], names["clean_answers"]
        ),
    }
    for layer, head in EVERY:
        at, heads = (layer, head), [(layer, head)]
        found[key("charged", "off", heads)] = names["alone"][SEED, "zero"][at].item()
        found[key("charged", "patch", heads)] = names["restored"][SEED][at].item()
        found[key("charged", "place", heads)] = names["diverted"][SEED][at].item()
        if layer == 1:
            found[key("free", "off", heads)] = free[at].item()
    for layer, what in ((1, "patch"), (0, "place")):
        wanted = names["clean_answers" if what == "patch" else "at_the_place"]
        model = names["two_layers"][SEED]
        found[key("free", what, all_of[layer])] = names["answers_patched"](
            model, all_of[layer], wanted
        )
    return {name: round(number, 2) for name, number in found.items()}


def export() -> list[Path]:
    """Run the chapter up to its patches, and write what the figure needs."""
    ran = chapter.run("14_looking_inside", until=PRINTED[-1], skip=ENCODER)
    for cell in PRINTED:
        ran.agree(cell)
    names = ran.names
    printed = printed_numbers(names)
    models = {
        "charged": files.rounded(names["charged"][SEED]),
        "free": files.rounded(names["two_layers"][SEED]),
    }
    # The pair that the figure begins with goes through the models behind the exam.
    pair = plain_pair(names["clean_texts"])
    clean, corrupted = (
        torch.cat((names[name], text[None]))
        for name, text in zip(("clean_texts", "corrupted"), pair, strict=True)
    )
    cases, shares, looks = [], {}, {}
    for (kind, model), way, heads in itertools.product(models.items(), ("off", "patch"), CASES):
        texts = (clean if way == "off" else corrupted)[:, :-1]
        given = names["head_outputs"](model, clean[:, :-1])
        with torch.no_grad(), names["replaced"](model, told(given, heads, way)):
            logits = model(texts)[:, HALF:]
        probabilities = logits[-1].softmax(dim=-1)
        cases.append({"kind": kind, "way": way, "heads": heads, "probabilities": probabilities})
        said = logits[:-1].argmax(dim=-1)
        for what, wanted in (
            ("off" if way == "off" else "patch", names["clean_answers"]),
            ("place", names["at_the_place"]),
        ):
            if what != "place" or way == "patch":
                share = (said == wanted)[names["asked"]].double().mean().item()
                shares[key(kind, what, heads)] = share
    for name, number in printed.items():
        if abs(shares[name] - number) > 0.011:
            raise ValueError(f"{name}: {shares[name]} with rounded weights, printed {number}")
    for kind, model in models.items():
        maps = names["attention_maps"](model, clean[-1:, :-1])
        looks[kind] = [weights[0] for weights in maps.values()]
    letters = "abcdefghijklmnop"

    def spelt(texts: Tensor) -> list[str]:
        return ["".join(letters[symbol] for symbol in text) for text in texts.tolist()]

    sizes = {
        kind: [
            [round(size, 2) for size in names["sizes"](each, layer).tolist()] for layer in (0, 1)
        ]
        for kind, each in (
            ("charged", names["charged"][SEED]),
            ("free", names["two_layers"][SEED]),
        )
    }
    config = {
        "n_heads": HEADS,
        "n_layers": LAYERS,
        "letters": letters,
        "half": HALF,
        "text": spelt(clean)[-1],
        "other": spelt(corrupted[:, :HALF])[-1],
        "exam": " ".join(spelt(clean)[:-1]),
        "shuffled": " ".join(spelt(corrupted[:, :HALF])[:-1]),
        "printed": printed,
        "sizes": sizes,
    }
    tensors = {
        f"{kind}.{name}": tensor
        for kind, model in models.items()
        for name, tensor in model.state_dict().items()
    }
    expected = {"cases": cases, "shares": shares, "looks": looks}
    return [
        files.write_weights("induction-circuit", config, tensors),
        files.write_expected("induction-circuit", expected),
    ]
