"""Checks for the exercises of the chapter on training past one machine."""

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from softlookup.course.exercises import run_plans
from softlookup.course.exercises.averages_asked import judge_averages
from softlookup.course.exercises.averages_on_trial import Average
from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.grid_bytes import name_bytes
from softlookup.course.exercises.measuring import Report
from softlookup.course.exercises.network_parts import name_parts
from softlookup.course.exercises.random_neurons import MEAN_LOSS, held_out_loss
from softlookup.course.exercises.rows_shared import Parts, name_lengths, name_overlap
from softlookup.course.exercises.run_plans import alike
from softlookup.course.exercises.sizes_extrapolated import measure_extrapolated
from softlookup.course.exercises.slips import name_slips
from softlookup.course.exercises.verdict import Mistake

# Rows and workers that do not divide them.
TEXTS, EPOCHS = ((22, 4), (31, 3)), 3

# Operations, tokens for each parameter, bytes of a device, and operations that it does a second.
BUDGETS = ((1e19, 20.0, 2e9, 5e13), (3e23, 20.0, 8e10, 1.5e14), (7e21, 3.0, 8e10, 4e14))

CHAPTER = "past_one_machine"


@exercise(
    CHAPTER,
    1,
    "return how many parameters, tokens and devices the budget asks for, and how many days.",
    "the budget fixes the model and its text, and the memory says how many devices, at least.",
)
def check_plan(
    plan: Callable[[float, float, float, float], tuple[float, float, int, float]],
) -> None:
    """Check a plan for a budget of operations: parameters, tokens, devices and days."""
    budgets = torch.tensor(BUDGETS, dtype=torch.float64).T
    answers = [plan(*budget) for budget in BUDGETS]
    if any(not isinstance(each, tuple | list | Tensor) or len(each) != 4 for each in answers):
        raise Mistake("return four numbers: parameters, tokens, devices and days")
    parameters, tokens, devices, days = torch.tensor(
        [[float(number) for number in each] for each in answers], dtype=torch.float64
    ).T
    work, each, memory, speed = budgets

    def refuse(got: Tensor, right: Tensor, words: str) -> None:
        if alike(got, got[:1].expand_as(got)):
            raise Mistake(f"you make {got[0]:.4g} {words} of every budget; they depend on it")
        if not alike(got, right):
            at = int(((got - right).abs() > 1e-6 * right.abs()).nonzero()[0])
            raise Mistake(
                f"of {work[at]:.3g} operations, {each[at]:g} tokens for each parameter, "
                f"{memory[at]:.3g} bytes and {speed[at]:.3g} operations a second you make "
                f"{got[at]:.6g} {words}; {right[at]:.6g} are right"
            )

    name_slips(parameters, partial(run_plans.parameters, budgets), run_plans.SIZES, alike)
    size = run_plans.parameters(budgets)
    refuse(parameters, size, "parameters")
    name_slips(tokens, partial(run_plans.tokens, budgets), run_plans.TOKENS, alike)
    refuse(tokens, each * size, "tokens")
    if not torch.equal(devices, devices.round()):
        raise Mistake(f"{float(devices[0]):.3g} devices cannot be bought: round up")
    name_slips(devices, partial(run_plans.devices, budgets), run_plans.DEVICES, alike)
    refuse(devices, run_plans.devices(budgets), "devices")
    name_slips(days, partial(run_plans.days, budgets), run_plans.DAYS, alike)
    refuse(days, run_plans.days(budgets), "days")


@exercise(
    CHAPTER,
    2,
    "return the bytes that each worker of the grid sends in a step.",
    "each kind's price falls with the other's number; which grid sends least depends on the sizes.",
)
def check_bytes_of_step(bytes_of_step: Callable[..., float]) -> None:
    """Check the bytes of a step on a grid of data and tensor parallel workers."""
    name_bytes(bytes_of_step)


Loader = Callable[[int, int, int, int], Tensor]


@exercise(
    CHAPTER,
    3,
    "repair `broken`: together the workers must read each row once an epoch; change nothing else.",
    "all workers shuffle alike, and each takes another part of what was shuffled.",
)
def check_own_rows(own_rows: Loader) -> None:
    """Check the repair of a shuffle that hands the same rows to every worker."""
    for rows, workers in TEXTS:
        try:
            _require_own_rows(own_rows, rows, workers)
        except Mistake as mistake:
            # What is right of one text and not of another was made for the first.
            is_told = rows == TEXTS[0][0] or f"with {rows} rows" in str(mistake)
            text = "" if is_told else f"with {rows} rows and {workers} workers: "
            raise Mistake(f"{text}{mistake}") from mistake


def _require_own_rows(own_rows: Loader, rows: int, workers: int) -> None:
    """Check a loader on one text, with so many workers."""
    seen: list[Parts] = []
    for epoch in range(EPOCHS):
        parts, again = (
            [_part(own_rows(rows, rank, workers, epoch)) for rank in range(workers)]
            for _ in range(2)
        )
        if not all(map(torch.equal, parts, again)):
            raise Mistake(
                "asked twice, a worker reads other rows: it shuffles by a luck of its own. All "
                "workers must shuffle alike, by a generator whose seed is the epoch"
            )
        name_lengths(parts, rows)
        together = torch.cat(parts)
        drawing = torch.Generator().manual_seed(epoch)
        order = torch.randperm(rows, generator=drawing)
        if all(torch.equal(part, parts[0]) for part in parts):
            raise Mistake("all workers still read the same rows, and the others are never read")
        if len(together.unique()) < len(together):
            name_overlap(parts, order)
        if int(together.min()) < 0 or int(together.max()) >= rows:
            raise Mistake(f"a worker reads row {int(together.max())} of {rows}")
        seen.append(parts)
    if all(
        torch.equal(parts[rank].sort().values, seen[0][rank].sort().values)
        for parts in seen
        for rank in range(workers)
    ) and not all(torch.equal(torch.cat(parts), torch.cat(seen[0])) for parts in seen):
        raise Mistake(
            "each worker reads the same rows in every epoch, in another order: shuffle all rows, "
            "and take the parts afterwards"
        )
    if torch.equal(torch.cat(seen[0]).sort().values, torch.cat(seen[0])):
        raise Mistake("nothing is shuffled any more: the workers read the text from its beginning")
    if all(torch.equal(torch.cat(parts), torch.cat(seen[0])) for parts in seen):
        raise Mistake("every epoch has the same order: the shuffle no longer asks for the epoch")
    if max(int(torch.cat(parts).max()) for parts in seen) < rows // workers * workers:
        raise Mistake(
            f"the last {rows % workers} rows are never read, in no epoch: shuffle all rows, and "
            "leave out what is left of the shuffle"
        )
    for epoch, parts in enumerate(seen):
        drawing = torch.Generator().manual_seed(epoch)
        order = torch.randperm(rows, generator=drawing)
        # Which rows are left out is free, as long as the others keep the shuffle's order.
        if all(bool((order.argsort()[part].diff() > 0).all()) for part in parts):
            continue
        if set(torch.cat(parts).tolist()) != set(order[: rows // workers * workers].tolist()):
            raise Mistake(
                "the rows that are read are not the first of the epoch's shuffle: you changed more "
                "than which part a worker takes, perhaps the seed"
            )
        raise Mistake("a worker's rows are no longer in the order of the shuffle")


def _part(got: object) -> Tensor:
    """A worker's part, if it is a row of numbers."""
    if not isinstance(got, Tensor) or got.dim() != 1:
        kind = (
            f"shape {tuple(got.shape)}" if isinstance(got, Tensor) else f"type {type(got).__name__}"
        )
        raise Mistake(f"a worker's part is of {kind}; one row of numbers, a tensor, is expected")
    return got.long()


@exercise(
    CHAPTER,
    4,
    "return True if every worker gets the mean of all, and False otherwise.",
    "it looks at every worker and every number, for several crowds and sizes.",
)
def check_is_average(is_average: Callable[[Average], bool]) -> None:
    """Check a test that tells an average over workers from what only looks like one."""
    judge_averages(is_average)


@exercise(
    CHAPTER,
    5,
    "return what one worker adds to the network's output.",
    "each worker computes its own inner units, and their sum, with one bias, is the network's.",
)
def check_part(part: Callable[..., Tensor]) -> None:
    """Check one worker's part of a gated network that tensor parallelism cuts."""
    name_parts(part)


@exercise(
    CHAPTER,
    6,
    "return low and high, between which lies the mean loss of size 512.",
    "your interval says what to expect, and how sure: small sizes and large ones, several seeds of "
    "each, and every law that fits them.",
)
def check_forecast(report: Report) -> None:
    """Check a forecast of a size that is never trained, in invented worlds and of real models."""
    measure_extrapolated(report, held_out_loss, MEAN_LOSS)
