"""The hinges placed by hand: the wave of the feed-forward chapter, and its errors."""

from pathlib import Path

import torch
from torch import Tensor

from live_figures import chapter, files

# The cell that meets the wave at regular places.
CORNERS = "02d6a4ac"
# What the chapter trains before; the wave does not depend on it.
TRAINING = ("learnplace2", "eedddaf6x", "a2122a7fx", "order00001", "b0e3a9c9")
MOST, STEPS = 10, 120
MOST_EVENLY = 64
# Places that a reader may choose: crowded at an end, at the tops, off the steps.
BY_HAND = (
    (0, 6),
    (0, 0.05, 0.1, 0.15, 6),
    (0, 5.85, 5.9, 5.95, 6),
    (0, 0.8, 2.35, 3.95, 5.5, 6),
    (0, 6 / 7, 1.3, 3.1, 3.15, 4.7, 6),
)


def best_places(errors: Tensor, steps: Tensor) -> list[list[float]]:
    """For each number of pieces the places whose greatest error is least, by dynamic programming.

    Args:
        errors: (STEPS + 1, STEPS + 1), the greatest error of the line from one step to another.
        steps: where the steps are.
    """
    least = errors[0]
    before, found = [], []
    for _ in range(MOST):
        ends = [STEPS]
        for chosen in reversed(before):
            ends.append(int(chosen[ends[-1]]))
        found.append(steps[torch.tensor([0, *reversed(ends)])].tolist())
        least, chosen = torch.maximum(least[:, None], errors).min(dim=0)
        before.append(chosen)
    return found


def export() -> list[Path]:
    """Run the chapter up to its lines with corners, and write what the figure needs."""
    ran = chapter.run("06_feed_forward", until=CORNERS, skip=TRAINING)
    ran.agree(CORNERS)
    corners, wave, x = (ran.names[name] for name in ("corners", "wave", "x"))

    def as_places(places: object) -> Tensor:
        return torch.as_tensor(places, dtype=torch.float64)

    def error(places: Tensor) -> tuple[float, float]:
        apart, at = (corners(wave, places, x) - wave(x)).abs().max(dim=0)
        return apart.item(), x[at].item()

    steps = torch.linspace(0, 6, STEPS + 1, dtype=torch.float64)
    pieces = torch.full((STEPS + 1, STEPS + 1), torch.inf, dtype=torch.float64)
    for i in range(STEPS):
        for j in range(i + 1, STEPS + 1):
            share = (x - steps[i]) / (steps[j] - steps[i])
            line = wave(steps[i]) + share * (wave(steps[j]) - wave(steps[i]))
            inside = (share >= -1e-12) & (share <= 1 + 1e-12)
            apart = (line - wave(x)).abs()[inside]
            pieces[i, j] = apart.max() if len(apart) else 0.0
    best = best_places(pieces, steps)

    def evenly(units: int) -> Tensor:
        return torch.linspace(0, 6, units + 1, dtype=torch.float64)

    cases = []
    for places in map(as_places, (*BY_HAND, *best, *map(evenly, (4, 8, 16)))):
        case = {"places": places, "line": corners(wave, places, x)[::19]}
        case |= dict(zip(("error", "at"), error(places), strict=True))
        without = [torch.cat([places[:i], places[i + 1 :]]) for i in range(1, len(places) - 1)]
        case["without"] = min((error(left)[0] for left in without), default=None)
        cases.append(case)
    # Rounded, so that a step is written as a reader says it.
    config = {"best": [[round(place, 2) for place in places] for places in best], "units": 5}
    expected = {
        "cases": cases,
        "even": [error(evenly(units))[0] for units in range(1, MOST_EVENLY + 1)],
        "stored": ran.stored[CORNERS].splitlines(),
    }
    return [
        files.write_weights("hinge-placer", config),
        files.write_expected("hinge-placer", expected),
    ]
