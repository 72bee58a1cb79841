"""Who waits for whom in a pipeline: a schedule's idle share, counted in passes and by no clock.

An order of work says what each stage does after what. The rest follows: a forward pass needs that
of the stage before, and a backward pass that of the stage behind. ``pipeline``
reads the orders off torch's own schedules.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal


@dataclass(frozen=True)
class Work:
    """One pass of a stage.

    Attributes:
        kind: forward or backward.
        micro_batch: which micro-batch, from 0.
    """

    kind: Literal["forward", "backward"]
    micro_batch: int


@dataclass(frozen=True)
class Placed:
    """A pass with its time.

    Attributes:
        work: which pass.
        start: when it begins, in forward passes since the beginning of the step.
        end: when it is done.
    """

    work: Work
    start: int
    end: int


def timetable(
    orders: Sequence[Sequence[Work]], forward: int = 1, backward: int = 2
) -> list[list[Placed]]:
    """When each pass runs if every stage works as soon as it can, in its own order.

    Args:
        orders: for each stage, from the first, its passes in order.
        forward: how long a forward pass takes.
        backward: how long a backward pass takes; it has twice the products.

    Raises:
        ValueError: if a pass waits for one that never comes.
    """
    ends: dict[tuple[int, Work], int] = {}
    placed: list[list[Placed]] = [[] for _ in orders]
    waiting = [list(order) for order in orders]
    while any(waiting):
        moved = False
        for stage, order in enumerate(waiting):
            while order and (ready := _ready(stage, order[0], len(orders), ends)) is not None:
                work = order.pop(0)
                free = placed[stage][-1].end if placed[stage] else 0
                start = max(ready, free)
                end = start + (forward if work.kind == "forward" else backward)
                placed[stage].append(Placed(work, start, end))
                ends[stage, work] = end
                moved = True
        if not moved:
            stuck = [(stage, order[0]) for stage, order in enumerate(waiting) if order]
            raise ValueError(
                f"these stages wait for ever, each for a pass that never comes: {stuck}; expected "
                "an order in which every pass is preceded by what it needs"
            )
    return placed


def idle_share(table: Sequence[Sequence[Placed]]) -> Fraction:
    """The share of all stages' time in which they wait, from the first pass to the last."""
    length = max(row[-1].end for row in table)
    busy = sum(each.end - each.start for row in table for each in row)
    return 1 - Fraction(busy, length * len(table))


def idle_formula(stages: int, micro_batches: int) -> Fraction:
    """The same for a step that begins and ends with an empty pipeline: (p − 1) / (m + p − 1).

    Raises:
        ValueError: if there is no stage or no micro-batch.

    Source: Huang et al. 2019, section 2.3.
    """
    if stages < 1 or micro_batches < 1:
        raise ValueError(
            f"stages is {stages} and micro_batches is {micro_batches}; expected at least 1 each"
        )
    return Fraction(stages - 1, micro_batches + stages - 1)


def most_kept(order: Sequence[Work]) -> int:
    """The most micro-batches whose activations a stage keeps at one time."""
    kept = most = 0
    for work in order:
        kept += 1 if work.kind == "forward" else -1
        most = max(most, kept)
    return most


def _ready(stage: int, work: Work, stages: int, ends: dict[tuple[int, Work], int]) -> int | None:
    """When the pass has what it needs from others; None if that is not known yet."""
    if work.kind == "forward":
        return 0 if stage == 0 else ends.get((stage - 1, work))
    if stage < stages - 1:
        return ends.get((stage + 1, work))
    return ends.get((stage, Work("forward", work.micro_batch)))
