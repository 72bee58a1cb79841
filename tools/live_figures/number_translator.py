"""The number translator: the first Transformer of the chapter on encoder and decoder."""

from pathlib import Path
from typing import Any

import torch
from softlookup.data import numerals
from softlookup.data.vocabulary import END, START
from softlookup.inside.attention_maps import attention_maps
from softlookup.models.transformer import Transformer
from softlookup.running.generation import beam_search, greedy

from live_figures import chapter, files

# The cells that tell what was trained and how good it is; the last one draws numbers of each kind.
TRAINED, RIGHT, KINDS = "a1d0f001", "6839d8ea", "75705203"
# Pictures, experiments, and trainings that the first translators do not depend on.
SKIP = (
    "f55a5544",
    "9onepass",
    "2746cdb9",
    "2746cdb8",
    "9smooth1",
    "b3cabc5f",
    "15aafe4e",
    "d22d0b4e",
    "d8275b4a",
    "afef524f",
    "e1bbd763",
    "9swaprow",
    "8281cd70",
    "9b17c0de",
    "8281cd71",
    "9tree001",
    "9search1",
    "ab058ba4",
    "ab058ba5",
    "9strips1",
)
LIMIT, BEAMS = 18, 4
OFFERED, COUNTED = 24, 100
# Numbers that the chapter names, and the ends of what can be asked.
NAMED = (73_247, 42, 577_000, 100_000, 500_600, 5_555, 17_296, 0, 7, 101, 999_999)
# A thousand behind a single one is misspelt by the package that writes the numerals.
SPELT = [*range(1200), *(n for n in range(1342, 1_000_000, 1999) if n // 1000 % 100 != 1)]


@torch.no_grad()
def translated(model: Transformer, number: int) -> dict[str, Any]:
    """What a model makes of a number: greedily, with beams, and where it looks meanwhile."""
    batch = numerals.encode([number])
    memory = model.encode(batch.source)

    def last_logits(tokens: torch.Tensor) -> torch.Tensor:
        return model.decode(tokens, memory.expand(len(tokens), -1, -1))[:, -1]

    start = torch.tensor([[START]])
    said = greedy(last_logits, start, LIMIT, END)[0].tolist()
    ended = END in said
    words = said[: said.index(END)] if ended else said
    read = torch.tensor([[START, *words]])
    logits = model.decode(read, memory)[0]
    chances = logits.log_softmax(-1)
    chance = sum(chances[i, token].item() for i, token in enumerate(said))
    maps = attention_maps(model, batch.source, read)
    beams = beam_search(last_logits, start, LIMIT, BEAMS, END)
    best = numerals.GERMAN.decode(beams.tokens[0, 0])
    return {
        "number": number,
        "greedy": numerals.GERMAN.decode(torch.tensor(words)),
        "ended": ended,
        "log_probability": chance,
        "logits": logits,
        "weights": [maps[f"decoder.blocks.{i}.cross_attention"][0].mean(0) for i in (0, 1)],
        "beams": best,
        "beams_log_probability": beams.log_probabilities[0, 0].item(),
        "true": numerals.german(number),
    }


def export() -> list[Path]:
    """Run the chapter up to its kinds of new numbers, and write what the figure needs."""
    ran = chapter.run("09_encoder_decoder", until=KINDS, skip=SKIP)
    ran.agree(TRAINED, rtol=3e-2)
    ran.agree(RIGHT, rtol=1e-2)
    ran.agree(KINDS)
    names = ran.names
    if 0 in names["learned"]:
        raise ValueError("the training has a zero; the figure says that it has none")
    trained = names["translators"][0]
    model = files.rounded(trained, in_bytes=True)
    tensors = {
        name: tensor
        for name, tensor in model.state_dict().items()
        if not name.endswith("positions.table")
    }
    whole = names["whole"]
    config = {
        "d_model": whole.d_model,
        "n_heads": whole.n_heads,
        "n_layers": whole.n_layers,
        "norm": whole.norm,
        "english": numerals.ENGLISH.tokens,
        "german": numerals.GERMAN.tokens,
        "start": START,
        "end": END,
        "limit": LIMIT,
        "beams": BEAMS,
        "held_out": sorted(names["held_out"]),
        "longest": max(names["n_words"](number) for number in names["learned"]),
        "offered": {kind: numbers[:OFFERED] for kind, numbers in names["chosen"].items()},
    }
    asked = [*NAMED, *(n for numbers in names["chosen"].values() for n in numbers[:2])]
    counts = {}
    for kind, numbers in names["chosen"].items():
        answers = [translated(model, number) for number in numbers[:COUNTED]]
        whole_answers = [translated(trained, number) for number in numbers[:COUNTED]]
        counts[kind] = {
            "numbers": numbers[:COUNTED],
            "greedy": sum(list(each["greedy"]) == list(each["true"]) for each in answers),
            "beams": sum(list(each["beams"]) == list(each["true"]) for each in answers),
            "unrounded": sum(list(e["greedy"]) == list(e["true"]) for e in whole_answers),
            "same": sum(
                a["greedy"] == b["greedy"] for a, b in zip(answers, whole_answers, strict=True)
            ),
        }
    spelt = [
        [number, " ".join(numerals.english(number)), " ".join(numerals.german(number))]
        for number in SPELT
    ]
    aligned = [[n, [-1 if at is None else at for at in numerals.alignment(n)]] for n in SPELT[::7]]
    expected = {
        "cases": [translated(model, number) for number in asked],
        "counts": counts,
        "spelt": spelt,
        "aligned": aligned,
        "stored": [*ran.stored[RIGHT].splitlines()[:3]],
    }
    return [
        files.write_weights("number-translator", config, tensors, in_bytes=True),
        files.write_expected("number-translator", expected),
    ]
