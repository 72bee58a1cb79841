"""The margin turner: three tokens of the chapter on support vectors, their margins, and descent."""

import math
from pathlib import Path
from typing import Any

import torch
from softlookup.margins.saturation import selection_direction
from softlookup.margins.selection_programmes import (
    frobenius_max_margin,
    is_separable,
    margins,
    separations,
)
from softlookup.margins.token_selection import (
    TokenSelection,
    descend,
    selection_weights,
    token_worths,
)
from torch import Tensor

from live_figures import chapter, files

RUN, TOKENS = "two-starts-run", "three-tokens"
# What the three tokens do not depend on.
NOT_NEEDED = ("57e10a21", "norm-against-steps", "58bb006f", "3f746bf8", "61b755b5", "4cfbd3b4")
NOT_NEEDED += ("by-hand-gradient-law", "15aee9a4", "plane-figure", "6a84e27d")
NOT_NEEDED += ("pulls-table", "pulls-figure", "streets-figure")
# A fourth token among the others, that no direction selects; the third of the chapter's starts.
FOURTH, BESIDE, RADIUS = [-0.2, 0.05], 112.0, 12.0
# Where the figure begins: in the cone of b, five degrees from its middle.
START, STEPS = 130.0, 300
RECORD = [0, 1, 10, 100, STEPS, 600, 4_000]
# Between the others, in one place, and of equal worth.
AWKWARD = (
    [[1.0, 0.5], [-1.0, 0.1], [0.0, 0.3]],
    [[1.0, 0.5], [-0.5, -0.4], [-0.5, -0.4]],
    [[1.0, 0.5], [-1.0, 0.5], [-0.5, -0.4]],
)


def one_input(tokens: Tensor) -> TokenSelection:
    """The chapter's problem, with these tokens: one query of length one, a head that reads up."""
    return TokenSelection(
        tokens[None],
        queries=torch.tensor([[1.0, 0.0]], dtype=torch.float64),
        labels=torch.ones(1, dtype=torch.float64),
        head=torch.tensor([0.0, 1.0], dtype=torch.float64),
    )


def ray(problem: TokenSelection, token: int) -> dict[str, Any] | None:
    """The widest margin of a token, as the chapter finds it; None if there is none."""
    lines = separations(problem.tokens, problem.queries, torch.tensor([token]))
    if not is_separable(lines):
        return None
    widest = frobenius_max_margin(lines)
    rivals = [rival for rival in range(problem.tokens.size(1)) if rival != token]
    found = margins(widest, lines)
    support = [r for r, margin in zip(rivals, found, strict=True) if margin < 1 + 1e-4]
    worths = token_worths(problem)[0]
    local = all(bool(worths[token] > worths[rival]) for rival in support)
    return {"w": widest[:, 0], "support": support, "local": local}


def case(places: list[list[float]], start: Tensor, record: list[int]) -> dict[str, Any]:
    """All that the figure shows of some tokens and a start, by the library."""
    tokens = torch.tensor(places, dtype=torch.float64)
    problem = one_input(tokens)
    begun = start[:, None] * problem.queries
    way = descend(problem, begun, record, gradient_of=selection_direction)
    return {
        "tokens": places,
        "start": start,
        "rays": [ray(problem, token) for token in range(len(places))],
        "steps": record,
        "way": way[:, :, 0],
        "weights": [selection_weights(problem, W)[0] for W in way],
    }


def far(degrees: float) -> Tensor:
    """A place as far out as the chapter's starts, at this angle."""
    angle = torch.tensor(math.radians(degrees), dtype=torch.float64)
    return RADIUS * torch.stack([angle.cos(), angle.sin()])


def cases(trio: list[list[float]], directions: dict[int, Tensor]) -> list[dict[str, Any]]:
    """The chapter's starts, other tokens at random, and positions that no direction selects."""
    beside = far(BESIDE)
    made = [case(trio, far(START), RECORD)]
    made += [case(trio, RADIUS * directions[token], RECORD) for token in range(3)]
    made += [case(trio, start, RECORD) for start in (beside, torch.zeros_like(beside))]
    made.append(case([*trio, FOURTH], RADIUS * directions[2], RECORD))
    made += [case(places, beside, RECORD[:-1]) for places in AWKWARD]
    generator = torch.Generator().manual_seed(12)
    for number in range(12):
        grid = torch.randint(-20, 21, (3 + number % 2, 2), generator=generator)
        start = 8 * torch.randn(2, generator=generator, dtype=torch.float64)
        made.append(case((grid.double() / 20).tolist(), start, RECORD[:-1]))
    return made


def export() -> list[Path]:
    """Run the chapter's two starts, and write what the figure needs."""
    ran = chapter.run("12_support_vectors", until=RUN, skip=NOT_NEEDED)
    for cell in (TOKENS, RUN):
        ran.agree(cell)
    names = ran.names
    trio = names["trio"].tolist()
    config = {
        "tokens": trio,
        "head": names["single"].head.tolist(),
        "fourth": FOURTH,
        "radius": RADIUS,
        "start": [round(part, 4) for part in far(START).tolist()],
        "steps": STEPS,
    }
    expected = {
        "cases": cases(trio, names["direction"]),
        "stored": ran.stored[TOKENS].splitlines()[:3],
    }
    return [
        files.write_weights("margin-turner", config),
        files.write_expected("margin-turner", expected),
    ]
