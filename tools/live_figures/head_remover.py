"""The head remover: models of the chapter on several heads, and its questions, with heads cut."""

import copy
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from live_figures import chapter, files

# The cells that count right answers, that remove one of two heads, and that remove one of eight.
SHARES, ONE_OF_TWO, ONE_OF_EIGHT = "4818f37a", "7ba3ebd6", "a14018e5"
# Pictures, and what the chapter asks of other models.
NOT_NEEDED = (
    *("92f002cd", "eb9e33ef", "8601aa53", "582d4239", "c4single3", "c4single4", "c4cuts002"),
    *("c4order02", "c4line002", "c4line003", "c4line004", "5b76e533", "c4special"),
    *("c4cost01", "c4cost02"),
)
HEADS, SEEDS = (2, 8), (0, 1, 2)
# Heads that are cut together for the expected values; each is cut alone as well.
TOGETHER = {2: ((), (0, 1)), 8: ((), (0, 1), (2, 5, 7), tuple(range(1, 8)))}
# So many questions have their weights and logits among the expected values.
SHOWN = 3


def written(names: Tensor, values: Tensor, places: Tensor) -> str:
    """Questions as text: of each ten names as letters, ten values, and the two places."""
    rows = zip(names.tolist(), values.tolist(), places.tolist(), strict=True)
    return "".join(
        "".join(chr(ord("a") + name) for name in name_row)
        + "".join(str(number) for number in value_row + place_row)
        for name_row, value_row, place_row in rows
    )


def cut(model: nn.Module, rows: Iterable[int]) -> nn.Module:
    """A copy in which some rows of W_O are zero, as the chapter removes heads."""
    changed = copy.deepcopy(model)
    with torch.no_grad():
        changed.attend.output_projection.weight[:, list(rows)] = 0.0
    return changed


def cases_of(names: dict[str, Any], model: nn.Module, n_heads: int) -> list[dict[str, Any]]:
    """What a model answers with each set of heads cut: how often it is right, and a few logits."""
    rows_of: Callable[[int, int], list[int]] = names["rows_of"]
    answers = names["test_answers"]
    cases = []
    for heads in (*((head,) for head in range(n_heads)), *TOGETHER[n_heads]):
        changed = cut(model, [row for head in heads for row in rows_of(head, n_heads)])
        with torch.no_grad():
            logits = changed(*names["test_question"])
        right = (logits.argmax(-1) == answers).sum(dim=0)
        cases.append({"cut": heads, "right": right, "logits": logits[:SHOWN]})
    return cases


def export() -> list[Path]:
    """Run the chapter up to where it removes heads, and write what the figure needs.

    Raises:
        ValueError: if the models with rounded weights lose more or less than the chapter prints.
    """
    ran = chapter.run("04_multi_head", until=ONE_OF_EIGHT, skip=NOT_NEEDED)
    for cell in (SHARES, ONE_OF_TWO, ONE_OF_EIGHT):
        ran.agree(cell)
    names = ran.names
    tensors, known = {}, []
    for n_heads in HEADS:
        for seed in SEEDS:
            model = files.rounded(names["models"][n_heads, seed])
            prefix = f"{n_heads}.{seed}."
            tensors |= {prefix + name: tensor for name, tensor in model.state_dict().items()}
            cases = cases_of(names, model.double(), n_heads)
            with torch.no_grad():
                embedded = model.embed(*(each[:SHOWN] for each in names["test_question"]))
                weights = names["attention_weights"](model.attend, *embedded)[:, :, 0]
            known.append({"heads": n_heads, "seed": seed, "weights": weights, "cases": cases})
    count = len(names["test_answers"])
    worst = [
        min(case["right"].min().item() for case in each["cases"] if len(case["cut"]) == 1) / count
        for each in known
        if each["heads"] == max(HEADS)
    ]
    for rounded, exact in zip(worst, names["after_one_of_eight"], strict=True):
        if abs(rounded - exact) > 0.005:
            raise ValueError(f"rounded weights leave {rounded} right, and exact ones {exact}")
    stored = [
        line
        for cell in (SHARES, ONE_OF_TWO, ONE_OF_EIGHT)
        for line in ran.stored[cell].splitlines()
        if "finding" not in line
    ]
    sizes = ("N_NAMES", "N_VALUES", "N_RECORDS", "WIDTH")
    config = {name.lower().removeprefix("n_"): names[name] for name in sizes}
    config |= {"heads": HEADS, "seeds": SEEDS, "questions": written(*names["test_question"])}
    return [
        files.write_weights("head-remover", config, tensors),
        files.write_expected("head-remover", {"models": known, "stored": stored}),
    ]
