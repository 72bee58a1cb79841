"""The painted mask: the eight words of the chapter on masks, and the influence under its masks."""

from pathlib import Path

import torch
from torch import Tensor

from live_figures import chapter, files

# The cell that stacks layers of windows.
STACK = "1cdb7b64"
# What the chapter trains before, and tells of it; the words do not depend on it.
TRAINING = (
    "6c32c4e7",
    "adafea58",
    "796e791c",
    "0c1a5e02",
    "8d8097ac",
    "298155f0",
    "6c66600a",
    "5a398968",
    "0c1a5e03",
    "280ab07f",
    "a7c9c22c",
    "4e6e9823",
    "0c1a5e07",
    "0c1a5e08",
    "0c1a5e09",
    "60a7891a",
    "36e2d9df",
    "0c1a5e11",
    "704e7fce",
    "c8f51c53",
    "6ad946db",
    "12c4076c",
)


def late(x: Tensor, projections: Tensor, mask: Tensor, layers: int) -> Tensor:
    """Layers of attention whose mask is multiplied onto the weights after the softmax."""
    W_Q, W_K, W_V = projections
    for _ in range(layers):
        weights = torch.softmax((x @ W_Q) @ (x @ W_K).T / x.size(-1) ** 0.5, dim=-1) * mask
        x = x + weights @ (x @ W_V)
    return x


def export() -> list[Path]:
    """Run the chapter up to its stack of windows, and write what the figure needs."""
    ran = chapter.run("05_masking", until=STACK, skip=TRAINING)
    ran.agree(STACK)
    names = ran.names
    held = {"x": names["X"], "W_Q": names["W_Q"], "W_K": names["W_K"], "W_V": names["W_V"]}
    rounded = {key: tensor.half().double() for key, tensor in held.items()}
    x = rounded.pop("x")
    projections = torch.stack(list(rounded.values()))
    # The chapter's own function, on the weights as they travel.
    names |= dict(zip(("W_Q", "W_K", "W_V"), projections, strict=True))
    look, influence = names["look"], names["influence"]

    def in_time(x: Tensor, mask: Tensor, layers: int) -> Tensor:
        for _ in range(layers):
            x = x + look(x, mask)
        return x

    kinds = names["kinds"] | {"transposed": names["kinds"]["causal"].T}
    cases = []
    for kind, mask in kinds.items():
        for layers in (1, 2, 3):
            for is_late in (False, True):
                found = influence(
                    lambda x, mask=mask, layers=layers, is_late=is_late: (
                        late(x, projections, mask, layers) if is_late else in_time(x, mask, layers)
                    ),
                    x,
                )
                case = {"mask": kind, "layers": layers, "late": is_late, "influence": found}
                cases.append(case)
    shown = {name: mask.int().tolist() for name, mask in kinds.items()}
    config = {"words": names["words"], "masks": shown}
    return [
        files.write_weights("mask-painter", config, held),
        files.write_expected("mask-painter", {"cases": cases, "reach": names["reach"]}),
    ]
