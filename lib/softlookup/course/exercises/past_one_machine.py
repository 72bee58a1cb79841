"""Checks for the exercises of the chapter on training past one machine."""

from collections.abc import Callable
from math import ceil, isclose, sqrt

import torch
from torch import Tensor

from softlookup.course.exercises.averages_on_trial import Average, honest, impostors
from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.grid_bytes import (
    gradient_slips,
    name_kinds,
    ring,
    stream_slips,
    why,
)
from softlookup.course.exercises.judging import judge
from softlookup.course.exercises.measuring import Report
from softlookup.course.exercises.probes import require_tensor
from softlookup.course.exercises.random_neurons import MEAN_LOSS, held_out_loss
from softlookup.course.exercises.sizes_extrapolated import measure_extrapolated
from softlookup.course.exercises.verdict import Mistake

ROWS, WORKERS, EPOCHS = 22, 4, 3

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
    for work, each, memory, speed in (
        (1e19, 20.0, 2e9, 5e13),
        (3e23, 20.0, 8e10, 1.5e14),
        (7e21, 3.0, 8e10, 4e14),
    ):
        parameters = sqrt(work / (6 * each))
        devices = ceil(16 * parameters / memory)
        days = work / (devices * speed) / 86_400
        got = plan(work, each, memory, speed)
        if not isinstance(got, tuple) or len(got) != 4:
            raise Mistake("return four numbers: parameters, tokens, devices and days")
        _name_size(got[0], work, each)
        if not isclose(got[1], each * got[0], rel_tol=1e-6):
            raise Mistake(
                f"your model of {got[0]:.3g} parameters reads {got[1]:.3g} tokens; "
                f"{each:g} for each parameter are asked for"
            )
        _name_devices(got[2], parameters, memory, devices)
        _name_days(got[3], work, speed, devices, days)


def _name_size(got: float, work: float, each: float) -> None:
    """Refuse a wrong number of parameters."""
    if isclose(got, sqrt(work / (6 * each)), rel_tol=1e-6):
        return
    for wrong, words in (
        (work / (6 * each), "that is N², and not N: the tokens grow with the model"),
        (sqrt(work / (2 * each)), "2 N D is the forward pass alone; backwards it is twice as much"),
        (sqrt(work / 6), "you gave each parameter one token"),
        (sqrt(work / each), "each token takes six operations for each parameter"),
        (sqrt(work * each / 6), "that is the number of tokens; the parameters come first"),
    ):
        if isclose(got, wrong, rel_tol=1e-6):
            raise Mistake(words)
    raise Mistake(
        f"a model of {got:.3g} parameters with {each:g} tokens each takes "
        f"{6 * each * got**2:.3g} operations; the budget is {work:.3g}"
    )


def _name_devices(got: float, parameters: float, memory: float, devices: int) -> None:
    """Refuse a wrong number of devices."""
    if got == devices:
        return
    if got != int(got):
        raise Mistake(f"{got:.3g} devices cannot be bought: round up to a whole number")
    if got == int(16 * parameters / memory):
        raise Mistake("you rounded down, and the last bytes have no place")
    for bytes_each, words in (
        (4, "four bytes hold the weight alone; a gradient and two averages are kept beside it"),
        (2, "two bytes hold the weight alone; sixteen are kept for a parameter in training"),
        (8, "eight bytes hold weight and gradient; Adam keeps two averages more"),
        (12, "twelve bytes leave one of the four numbers out"),
    ):
        if got == ceil(bytes_each * parameters / memory):
            raise Mistake(words)
    raise Mistake(f"you plan {got:g} devices; the training holds {16 * parameters:.3g} bytes")


def _name_days(got: float, work: float, speed: float, devices: int, days: float) -> None:
    """Refuse a wrong number of days."""
    if isclose(got, days, rel_tol=1e-6):
        return
    if isclose(got, days * 86_400, rel_tol=1e-6):
        raise Mistake("these are seconds; a day has 86,400 of them")
    if isclose(got, days * 24, rel_tol=1e-6):
        raise Mistake("these are hours; a day has 24 of them")
    if isclose(got, work / speed / 86_400, rel_tol=1e-6):
        raise Mistake(f"these are the days of one device, and {devices} of them work")
    raise Mistake(f"your {got:.3g} days on {devices} devices are not {work:.3g} operations")


@exercise(
    CHAPTER,
    2,
    "return the bytes that each worker of the grid sends in a step.",
    "each kind's price falls with the other's number; which grid sends least depends on the sizes.",
)
def check_bytes_of_step(bytes_of_step: Callable[..., float]) -> None:
    """Check the bytes of a step on a grid of data and tensor parallel workers."""
    # The first grid's numbers are such that no two mistakes give one factor.
    for sizes in ((51, 11, 20, 13, 9_600, 8, 3, 5), (64, 11, 6, 3, 9_600, 2, 2, 8)):
        rows, length, width, blocks, parameters, itemsize, data, tensor = sizes
        gradients = ring(data) * parameters / tensor * itemsize
        streams = 4 * blocks * ring(tensor) * rows / data * length * width * itemsize
        got = float(bytes_of_step(*sizes))
        if isclose(got, gradients + streams, rel_tol=1e-9):
            continue
        # A model without weights has no gradients to send.
        your_streams = float(bytes_of_step(*sizes[:4], 0, *sizes[5:]))
        your_gradients = got - your_streams
        name_kinds(your_gradients / gradients, your_streams / streams, itemsize, data * tensor)
        told = [
            f"{what} are {your / right:.4g} times what is sent{why(your / right, reasons)}"
            for what, your, right, reasons in (
                ("your streams", your_streams, streams, stream_slips(*sizes)),
                ("your gradients", your_gradients, gradients, gradient_slips(*sizes)),
            )
            if not isclose(your, right, rel_tol=1e-9)
        ]
        raise Mistake("; and ".join(told))


@exercise(
    CHAPTER,
    3,
    "repair `broken`: together the workers must read each row once an epoch; change nothing else.",
    "all workers shuffle alike, and each takes another part of what was shuffled.",
)
def check_own_rows(own_rows: Callable[[int, int, int, int], Tensor]) -> None:
    """Check the repair of a shuffle that hands the same rows to every worker."""
    share = ROWS // WORKERS
    seen = []
    for epoch in range(EPOCHS):
        parts = [
            require_tensor(
                own_rows(ROWS, rank, WORKERS, epoch),
                (share,),
                "a worker's part",
                f"as many rows for each of {WORKERS} workers, and {ROWS % WORKERS} left out",
            ).long()
            for rank in range(WORKERS)
        ]
        together = torch.cat(parts)
        drawing = torch.Generator().manual_seed(epoch)
        order = torch.randperm(ROWS, generator=drawing)
        if all(torch.equal(part, parts[0]) for part in parts):
            raise Mistake("all workers still read the same rows, and the others are never read")
        # Where in the epoch's shuffle a worker's rows begin, if they are a run of it.
        begins = [_begin_of_run(part, order) for part in parts]
        if len(together.unique()) < len(together) and None not in begins:
            raise Mistake(
                "all workers shuffle alike, and their parts overlap: in the shuffle they begin at "
                f"{', '.join(map(str, begins))}, and each has {share} rows"
            )
        if len(together.unique()) < len(together):
            raise Mistake(
                "two workers read the same row in one epoch: they shuffle differently, so their "
                "parts overlap. Let them shuffle alike and take different parts"
            )
        if int(together.min()) < 0 or int(together.max()) >= ROWS:
            raise Mistake(f"a worker reads row {int(together.max())} of {ROWS}")
        seen.append(parts)
    if all(
        torch.equal(parts[rank].sort().values, seen[0][rank].sort().values)
        for parts in seen
        for rank in range(WORKERS)
    ) and not all(torch.equal(torch.cat(parts), torch.cat(seen[0])) for parts in seen):
        raise Mistake(
            "each worker reads the same rows in every epoch, in another order: shuffle all rows, "
            "and take the parts afterwards"
        )
    if torch.equal(torch.cat(seen[0]).sort().values, torch.cat(seen[0])):
        raise Mistake("nothing is shuffled any more: the workers read the text from its beginning")
    if all(torch.equal(torch.cat(parts), torch.cat(seen[0])) for parts in seen):
        raise Mistake("every epoch has the same order: the shuffle no longer asks for the epoch")
    for epoch, parts in enumerate(seen):
        drawing = torch.Generator().manual_seed(epoch)
        order = torch.randperm(ROWS, generator=drawing)[: share * WORKERS]
        if set(torch.cat(parts).tolist()) != set(order.tolist()):
            raise Mistake(
                "the rows that are read are not the first of the epoch's shuffle: you changed more "
                "than which part a worker takes"
            )
        blocks, strides = order.view(WORKERS, share), order.view(share, WORKERS).T
        if not any(torch.equal(torch.stack(parts), cut) for cut in (blocks, strides)):
            raise Mistake("a worker's rows are no longer in the order of the shuffle")


def _begin_of_run(part: Tensor, order: Tensor) -> int | None:
    """At which place of the order a part begins, if it is a run of neighbours there."""
    places = [order.tolist().index(row) if row in order else -1 for row in part.tolist()]
    run = range(places[0], places[0] + len(places))
    return places[0] if places == list(run) else None


@exercise(
    CHAPTER,
    4,
    "return True if every worker gets the mean of all, and False otherwise.",
    "it looks at every worker and every number, for several crowds and sizes.",
)
def check_is_average(is_average: Callable[[Average], bool]) -> None:
    """Check a test that tells an average over workers from what only looks like one."""
    judge(is_average, honest(), impostors())


@exercise(
    CHAPTER,
    5,
    "return low and high, between which lies the mean loss of size 512.",
    "your interval says what to expect, and how sure: small sizes and large ones, several seeds of "
    "each, and every law that fits them.",
)
def check_forecast(report: Report) -> None:
    """Check a forecast of a size that is never trained, in invented worlds and of real models."""
    measure_extrapolated(report, held_out_loss, MEAN_LOSS)
