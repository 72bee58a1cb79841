"""Why workers that should share the rows of a text read some of them twice.

The chapter on training past one machine has the learner repair such a loader.
"""

import torch
from torch import Tensor

from softlookup.course.exercises.verdict import Mistake

Parts = list[Tensor]

# Shuffles with seeds below this are recognised.
MOST_SEEDS = 3000


def name_lengths(parts: Parts, rows: int) -> None:
    """Refuse parts that do not have as many rows each as the text has for each worker.

    Raises:
        Mistake: saying how the lengths may have come about.
    """
    workers, lengths = len(parts), [len(part) for part in parts]
    share = rows // workers
    if lengths == [share] * workers:
        return
    given = f"with {rows} rows your {workers} workers get {', '.join(map(str, lengths))} of them"
    rest = rows % workers
    ought = f"each gets {share}, and {rest} {'is' if rest == 1 else 'are'} left out"
    if lengths == [rows] * workers:
        raise Mistake(f"every worker reads all {rows} rows; {ought}")
    if lengths == [share + 1] * workers:
        raise Mistake(
            f"{given}, one row too many, which another has read as well; {ought}: round down, and "
            "end a part where the next begins"
        )
    if lengths == [workers] * workers:
        raise Mistake(f"{given}, as many as there are workers; {ought}")
    if lengths == [share] + [0] * (workers - 1):
        raise Mistake(
            f"{given}: each part ends where the first one ends; it is to end {share} rows behind "
            f"its own beginning; {ought}"
        )
    if lengths == [share] * (workers - 1) + [rest]:
        raise Mistake(
            f"{given}: the first worker is number 0, and its part begins at the first row, and not "
            f"{share} rows later; {ought}"
        )
    if lengths[0] == 0:
        raise Mistake(f"{given}: the first worker is number 0, and its part is the first; {ought}")
    if sum(lengths) == rows:
        raise Mistake(
            f"{given}, not all of them as many: in a step they wait for each other, so {ought}"
        )
    raise Mistake(f"{given}; {ought}")


def name_overlap(parts: Parts, order: Tensor) -> None:
    """Say how it comes that the parts of an epoch overlap.

    Args:
        parts: each worker's rows.
        order: the epoch's shuffle of all rows.

    Raises:
        Mistake: always, with the reason, or with a row that is read twice.
    """
    rows, share = len(order), len(parts[0])
    begins = [_begin_of_run(part, order) for part in parts]
    if None not in begins:
        raise Mistake(
            "all workers shuffle alike, and their parts overlap: in the shuffle they begin at "
            f"{', '.join(map(str, begins))}, and each has {share} rows"
        )
    if all(len(((part - order[:share]) % rows).unique()) == 1 for part in parts):
        raise Mistake(
            "you add to the numbers of the rows; move the places in the shuffle at which a part "
            "begins and ends"
        )
    for rank, part in enumerate(parts):
        if len(part.unique()) < share:
            raise Mistake(
                f"worker {rank} reads a row twice in one epoch: rows are shuffled and dealt out, "
                "and not drawn anew each time"
            )
    if all(_is_shuffled(part, rows) for part in parts):
        raise Mistake(
            "two workers read the same row in one epoch: they shuffle differently, so their "
            "parts overlap. Let them shuffle alike and take different parts"
        )
    together = torch.cat(parts)
    twice = int(next(row for row in together if int((together == row).sum()) > 1))
    readers = [rank for rank, part in enumerate(parts) if twice in part]
    raise Mistake(
        f"in one epoch row {twice} is read by the workers {readers[0]} and {readers[1]}: take "
        "parts of one shuffle that do not overlap"
    )


def _begin_of_run(part: Tensor, order: Tensor) -> int | None:
    """Where in the order a part begins, if it is a run there, which may go on at the beginning."""
    inside = bool(((part >= 0) & (part < len(order))).all())
    if not inside:
        return None
    places = order.argsort()[part]
    run = (places[0] + torch.arange(len(part))) % len(order)
    return int(places[0]) if torch.equal(places, run) else None


def _is_shuffled(part: Tensor, rows: int) -> bool:
    """Whether a part is a run of a shuffle with some small seed."""
    return any(
        _begin_of_run(part, torch.randperm(rows, generator=torch.Generator().manual_seed(seed)))
        is not None
        for seed in range(MOST_SEEDS)
    )
