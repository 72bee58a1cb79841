"""What a learner's test for averages over workers asked one that it misjudges, and overlooked.

The averages stand in ``averages_on_trial``; the chapter past one machine has the test written.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from softlookup.course.exercises.averages_on_trial import (
    IN_SINGLE,
    Average,
    honest,
    impostors,
    mean_of,
)
from softlookup.course.exercises.compared import ASK_WHETHER_SMALL
from softlookup.course.exercises.counted import counted
from softlookup.course.exercises.judging import judge
from softlookup.course.exercises.verdict import Mistake

# What an average was asked, each worker's tensor, and what each had afterwards.
Question = tuple[list[Tensor], list[Tensor]]

_WRITTEN_OVER = (
    "It writes into the tensors that it is handed, and you compare with what these hold then: take "
    "the mean before you call the function"
)
_LOOSE = (
    "You asked the first of these where it fails, and it is off by {off:.0e}. In float64 rounding "
    "is far smaller: compare each absolute difference with 1e-9 (torch.allclose allows 1e-5)"
)
_SINGLE = (
    "Your tensors are in float32, which keeps about seven digits: draw them in float64, where a "
    "tolerance of 1e-9 is room enough"
)


def judge_averages(is_average: Callable[[Average], bool]) -> None:
    """Try a learner's test on averages that it has not seen.

    Raises:
        Mistake: if it misjudges one, with what it overlooked or never asked.
    """
    asked: dict[Average, list[Question]] = {}

    def tried(average: Average) -> object:
        asked[average] = []
        return is_average(average)

    def noting(average: Average) -> Average:
        def called(tensors: list[Tensor]) -> list[Tensor]:
            given = [tensor.clone() for tensor in tensors]
            got = average(tensors)
            asked[called].append((given, [tensor.clone() for tensor in got]))
            return got

        return called

    right, wrong = (
        {name: noting(average) for name, average in averages.items()}
        for averages in (honest(), impostors())
    )
    try:
        judge(tried, right, wrong)
    except Mistake as mistake:
        words = str(mistake)
        given = [tensor for questions in asked.values() for one, _ in questions for tensor in one]
        single = any(tensor.dtype == torch.float32 for tensor in given)
        if "impostors through" in words and "meets numbers" not in words:
            missed = next(name for name in wrong if f": {name}" in words)
            late = "written over" in missed and not is_average(_on_copies(impostors()[missed]))
            why = _WRITTEN_OVER if late else why_unseen(asked[wrong[missed]])
            why = _SINGLE if single and missed == IN_SINGLE else why
            raise Mistake(f"{words}. {why}") from mistake
        if "is rounding" in words and single:
            raise Mistake(f"{words}. {_SINGLE}") from mistake
        raise


def _on_copies(average: Average) -> Average:
    """The same average, which leaves what it is given as it is."""
    return lambda tensors: average([tensor.clone() for tensor in tensors])


def why_unseen(asked: list[Question]) -> str:
    """Why a test believes an impostor: it overlooks what is wrong, or never asks for it."""
    if not asked:
        return "Your test does not ask the first of these anything"
    for tensors, got in asked:
        apart = torch.stack(got).double() - mean_of(tensors).double()
        if bool(apart.isnan().any()):
            return ASK_WHETHER_SMALL
        rounding = 1e-9 if all(tensor.dtype == torch.float64 for tensor in tensors) else 1e-6
        if rounding < float(apart.abs().max()) <= 1e-6:
            return _LOOSE.format(off=float(apart.abs().max()))
        if bool((apart.abs() > rounding).any()):
            worker, number = (apart.abs() > rounding).nonzero()[0].tolist()
            return (
                "You asked the first of these where it fails: with "
                f"{counted(len(tensors), 'worker')} of {counted(len(tensors[0]), 'number')} each, "
                f"worker {worker} has {apart[worker, number]:+.2g} too much in number {number} "
                "(counted from 0). Compare every number of every worker "
                "with the mean of what you gave, by its absolute difference"
            )
    crowds = sorted({len(tensors) for tensors, _ in asked})
    lengths = sorted({len(tensors[0]) for tensors, _ in asked})
    given = [tensor for tensors, _ in asked for tensor in tensors]
    alike = all(torch.equal(tensor, tensors[0]) for tensors, _ in asked for tensor in tensors)
    if alike and crowds != [1]:
        return "All your workers hold the same numbers, which are their mean: draw different ones"
    if len(crowds) == 1:
        many = {1: "one worker", 2: "two workers"}.get(crowds[0], f"{crowds[0]} workers")
        return f"You ask for {many} alone: what is right for one crowd may be wrong for another"
    if all(bool((tensor == tensor[:1]).all()) for tensor in given):
        return "Each of your tensors holds one number throughout: draw different ones"
    if all(len(tensors[0]) % len(tensors) == 0 for tensors, _ in asked):
        return "In all you ask, the workers divide the length: try one that they do not"
    if all(each & (each - 1) == 0 for each in crowds):
        return "All your crowds can be halved down to one: try three workers, or five"
    if len(lengths) == 1:
        return f"All your tensors have {counted(lengths[0], 'number')}: try other lengths"
    if lengths[-1] <= 6:
        return f"Your longest tensors have {counted(lengths[-1], 'number')}: try longer ones"
    if crowds[-1] <= 4:
        return f"Your largest crowd has {counted(crowds[-1], 'worker')}: try more of them"
    return (
        f"What it does wrong does not show in what you ask, of {', '.join(map(str, crowds))} "
        "workers: draw each worker's numbers at random, so that nothing is right by luck"
    )
