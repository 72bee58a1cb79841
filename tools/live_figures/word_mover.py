"""The word mover: the trained reader of the chapter on self-attention, and its table of places."""

import json
from pathlib import Path

import torch
from torch import Tensor

from live_figures import chapter, files

# The cells that carry the robot's sentence by hand, and that exchange its pronoun.
BY_HAND, PRONOUNS = "3hand0000", "7129a3a6"
# The cell that examines all layers, and its line about the table of places.
EXAM, PLACES = "3found00x", "weights by place"
# Word vectors, pictures and examinations; the trained reader does not depend on them.
NOT_NEEDED = (
    *("1d45690e", "b3218e46", "11389da1", "f07a494b", "3carried1"),
    *("3found000", EXAM, "3found001"),
)
HELD = {
    "attention": ("table", "W_Q", "W_K", "W_V", "readout"),
    "places": ("table", "places", "W_V", "readout"),
}
SENTENCES = (
    "a robot must obey the orders given it",
    "a robot must obey the orders given them",
    "it given orders the obey must robot a",
    "a it must obey the orders given robot",
    "the kings must follow a star for them",
    "it robot",
    "it it",
    "dog dogs guard it near them for the door robots",
)


def carried(p: dict[str, Tensor], kind: str, tokens: Tensor) -> dict[str, Tensor]:
    """Each step of a layer on one sentence, as the chapter writes it."""
    x = p["table"][tokens]
    value = x @ p["W_V"]
    steps = {"x": x, "value": value}
    if kind == "attention":
        steps["query"], steps["key"] = x @ p["W_Q"], x @ p["W_K"]
        scores = steps["query"] @ steps["key"].T / steps["key"].size(-1) ** 0.5
    else:
        scores = p["places"]
    weights = torch.softmax(scores, dim=-1)
    output = weights @ value
    return steps | {
        "scores": scores,
        "weights": weights,
        "output": output,
        "said": torch.softmax(output @ p["readout"], dim=-1),
    }


def rounded(p: dict[str, Tensor], kind: str) -> dict[str, Tensor]:
    """The parameters of one kind of layer, with half precision's digits."""
    return {name: p[name].half().double() for name in HELD[kind]}


def export() -> list[Path]:
    """Run the chapter up to the exchanged pronoun, and write what the figure needs.

    Raises:
        ValueError: if the table of places, or the layer with rounded weights, prints otherwise.
    """
    ran = chapter.run("03_self_attention", until=PRONOUNS, skip=NOT_NEEDED)
    ran.agree(BY_HAND)
    ran.agree(PRONOUNS)
    names = ran.names
    _, unseen = names["split_pairs"](0)
    table = names["train_readers"](names["by_place"], names["trained_pairs"])[0]
    share = f"{names['meant_share'](names['by_place'], table, unseen):.2f}"
    if stored_share() != share:
        raise ValueError(f"a table of places is right in {share}; expected {stored_share()}")
    layers = {"attention": rounded(names["readers"][0], "attention")}
    layers["places"] = rounded(table, "places")
    encode = names["pronouns"].encode
    for text in SENTENCES[:2]:
        looked = carried(layers["attention"], "attention", encode(text))["weights"][-1]
        pairs = zip(text.split(), looked.tolist(), strict=True)
        line = ",  ".join(f"{word} {weight:.2f}" for word, weight in pairs)
        if line not in ran.stored[PRONOUNS]:
            raise ValueError(f"with rounded weights: {line}")
    cases = []
    for text in SENTENCES:
        for kind, p in layers.items():
            tokens = encode(text)
            if kind == "attention" or len(tokens) == len(p["places"]):
                case = {"text": text, "kind": kind, "steps": carried(p, kind, tokens)}
                cases.append(case)
    config = {
        "vocabulary": names["VOCABULARY"],
        "sentence": SENTENCES[0],
        "places": len(layers["places"]["places"]),
    }
    tensors = {f"{kind}.{name}": tensor for kind, p in layers.items() for name, tensor in p.items()}
    expected = {"cases": cases, "stored": ran.stored[PRONOUNS].splitlines()[:2]}
    return [
        files.write_weights("word-mover", config, tensors),
        files.write_expected("word-mover", expected),
    ]


def stored_share() -> str:
    """How often the table of places is right about new pairs, at seed 0, as the notebook has it."""
    notebook = json.loads((chapter.NOTEBOOKS / "03_self_attention.ipynb").read_text("utf-8"))
    (cell,) = [cell for cell in notebook["cells"] if cell["id"] == EXAM]
    (line,) = [line for line in cell["outputs"][0]["text"] if line.startswith(f"{PLACES}  ")]
    return line.removeprefix(PLACES).split()[0]
