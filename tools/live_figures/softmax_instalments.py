"""Softmax in instalments: the notes of the chapter on the quadratic wall, block after block."""

from collections.abc import Callable
from itertools import accumulate
from pathlib import Path

import torch
from softlookup.alternatives.blockwise_attention import Partial, attend_block, merge
from torch import Tensor

from live_figures import chapter, files

# The cell that takes four keys in by hand.
BY_HAND = "07cd488b"
# What comes before it counts bytes and draws triangles.
BEFORE = ("872dc1b9", "1ec60b34", "d296cefd")
# What the figure opens with: the chapter's four scores, and four more.
SCORES = [2, 1, 4, 3, 0, 1, 6, 5]
ROWS = {
    "opening": SCORES,
    "by hand": SCORES[:4],
    "greatest first": [6, 5, 4, 3, 2, 1],
    "ties": [3, 3, 3, 3, 3],
    "huge": [-1000, 2, 1000, 999.5, 3, -7.25, 1000],
    "one": [-4],
}
MOST = 24


def forgetful(one: Partial, other: Partial) -> Partial:
    """Join two notes, and leave what was summed before as it is."""
    maximum = torch.maximum(one.maximum, other.maximum)
    scale = torch.exp(other.maximum - maximum)
    weighted = one.weighted + scale.unsqueeze(-1) * other.weighted
    return Partial(maximum, one.total + scale * other.total, weighted)


def noted(
    scores: Tensor, values: Tensor, size: int, join: Callable[[Partial, Partial], Partial]
) -> list[list[float]]:
    """Maximum, sum, weighted sum and output after each block."""
    one = torch.ones(1, 1, dtype=torch.float64)
    blocks = zip(scores.split(size), values.split(size), strict=True)
    notes = accumulate((attend_block(one, s[:, None], v[:, None]) for s, v in blocks), join)
    return [[float(n.maximum), float(n.total), float(n.weighted), float(n.output())] for n in notes]


def export() -> list[Path]:
    """Run the chapter up to its table by hand, and write what the figure needs."""
    ran = chapter.run("13_quadratic_wall", until=BY_HAND, skip=BEFORE)
    ran.agree(BY_HAND)
    step = ran.names["values"][0]
    if ran.names["scores"] != SCORES[:4] or ran.names["values"] != [step * j for j in range(1, 5)]:
        raise ValueError(f"the chapter begins with {ran.names['scores']}; expected {SCORES[:4]}")
    cases = []
    for name, row in ROWS.items():
        scores = torch.tensor(row, dtype=torch.float64)
        values = step * torch.arange(1, len(row) + 1, dtype=torch.float64)
        for size in (1, 2, 3, len(row)):
            case = {
                "name": name,
                "scores": row,
                "size": size,
                "right": noted(scores, values, size, merge),
                "forgetful": noted(scores, values, size, forgetful),
                "weights": scores.softmax(dim=0),
                "at_once": (scores.softmax(dim=0) @ values).item(),
            }
            cases.append(case)
    config = {"scores": SCORES, "step": step, "most": MOST}
    stored = ran.stored[BY_HAND].splitlines()
    return [
        files.write_weights("softmax-instalments", config),
        files.write_expected("softmax-instalments", {"cases": cases, "stored": stored}),
    ]
