"""What is wrong with the parts of a feed-forward network that several workers compute.

The chapter on training past one machine has the learner cut such a network.
"""

from collections.abc import Callable, Sequence

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor
from torch.utils.flop_counter import FlopCounterMode

from softlookup.course.exercises.verdict import Mistake

Part = Callable[..., Tensor]
Given = tuple[Tensor, Tensor, Tensor, Tensor, Tensor]

TOKENS, WIDTH, INNER = 7, 9, 15
CROWDS = (3, 5)
# The matrices that are cut, and which of their axes numbers the inner units.
CUT = {"gate": (1, 1), "inner": (2, 1), "output": (3, 0)}


def name_parts(part: Part) -> None:
    """Refuse parts that do not add up to the network, or of which one is more than its share.

    Raises:
        Mistake: saying what is wrong with them.
    """
    generator = torch.Generator().manual_seed(18)
    shapes = ((TOKENS, WIDTH), (WIDTH, INNER), (WIDTH, INNER), (INNER, WIDTH), (WIDTH,))
    x, gate, inner, output, bias = (
        torch.randn(shape, generator=generator, dtype=torch.float64) for shape in shapes
    )
    given = x, gate, inner, output, bias
    for workers in CROWDS:
        parts = [_require_part(part(*given, rank, workers), rank) for rank in range(workers)]
        together = torch.stack(parts).sum(dim=0)
        if not _alike(together, _whole(given)):
            _name_sum(together, given, workers)
            _name_units(part, given, workers)
            raise Mistake(
                f"the parts of {workers} workers do not add up to the network's output; they are "
                f"off by up to {float((together - _whole(given)).abs().max()):.2g}"
            )
        _require_share(part, given, workers)


def _whole(given: Given) -> Float[Tensor, "tokens width"]:
    x, gate, inner, output, bias = given
    return (F.silu(x @ gate) * (x @ inner)) @ output + bias


def _alike(one: Tensor, other: Tensor) -> bool:
    return torch.allclose(one, other, rtol=0, atol=1e-9)


def _require_part(got: object, rank: int) -> Tensor:
    if not isinstance(got, Tensor) or got.shape != (TOKENS, WIDTH):
        kind = f"shape {tuple(got.shape)}" if isinstance(got, Tensor) else type(got).__name__
        raise Mistake(
            f"worker {rank} returns {kind}; its part of the sum has the shape of the whole output, "
            f"here {(TOKENS, WIDTH)}"
        )
    return got


def _name_sum(together: Tensor, given: Given, workers: int) -> None:
    """Name what the sum of all parts is in place of the network's output, if it is known."""
    x, gate, inner, output, bias = given
    by_inputs = list(zip(*(x.tensor_split(workers, 1), *_rows(workers, gate, inner)), strict=True))
    units = {
        "": _whole(given) - bias,
        "the nonlinearity belongs to the gate's product, and you apply it to the other one": (
            (x @ gate) * F.silu(x @ inner)
        )
        @ output,
        "the gate's product goes through no nonlinearity": ((x @ gate) * (x @ inner)) @ output,
        "you cut the first matrices by their rows, so each worker applies the nonlinearity to a "
        "part of a sum; cut them by their columns": sum(
            (F.silu(some @ of_gate) * (some @ of_inner) for some, of_gate, of_inner in by_inputs),
            torch.zeros(TOKENS, INNER, dtype=x.dtype),
        )
        @ output,
    }
    biases = {
        "": 1.0,
        "no worker adds the bias": 0.0,
        "each worker adds the whole bias, so the sum holds it as often as there are workers; it "
        "belongs in once": float(workers),
    }
    for of_units, product in units.items():
        for of_bias, times in biases.items():
            told = "; and ".join(each for each in (of_units, of_bias) if each)
            if told and _alike(together, product + times * bias):
                raise Mistake(told)
    if _alike(together * workers, _whole(given)):
        raise Mistake(
            f"the parts of {workers} workers add up to the output over {workers}: an all-reduce "
            "adds, and takes no mean"
        )


def _rows(workers: int, *matrices: Tensor) -> Sequence[tuple[Tensor, ...]]:
    return [matrix.tensor_split(workers, 0) for matrix in matrices]


def _units_of(part: Part, given: Given, rank: int, workers: int) -> dict[str, set[int]]:
    """Of each matrix, the inner units whose weights a worker's part depends on."""
    before = part(*given, rank, workers)
    used: dict[str, set[int]] = {}
    for name, (place, axis) in CUT.items():
        used[name] = set()
        for unit in range(INNER):
            changed = list(given)
            changed[place] = given[place].clone()
            changed[place].select(axis, unit).add_(1)
            if not torch.equal(part(*changed, rank, workers), before):
                used[name].add(unit)
    return used


def _name_units(part: Part, given: Given, workers: int) -> None:
    """Name units that do not belong together, that nobody computes, or that two compute."""
    every = [_units_of(part, given, rank, workers) for rank in range(workers)]
    for rank, used in enumerate(every):
        if len({frozenset(units) for units in used.values()}) > 1:
            raise Mistake(
                f"worker {rank} uses "
                + ", ".join(f"units {_in_words(used[name])} of {name}" for name in CUT)
                + ": the columns of gate and inner and the rows of output are those of one share"
            )
    computed = [unit for used in every for unit in used["output"]]
    if none := set(range(INNER)) - set(computed):
        raise Mistake(f"with {workers} workers nobody computes the units {_in_words(none)}")
    if twice := {unit for unit in computed if computed.count(unit) > 1}:
        raise Mistake(
            f"with {workers} workers the units {_in_words(twice)} are computed more than once"
        )


def _require_share(part: Part, given: Given, workers: int) -> None:
    """Refuse a worker that uses more inner units than its share."""
    share = INNER // workers
    for rank in range(workers):
        used = set().union(*_units_of(part, given, rank, workers).values())
        if len(used) == INNER:
            raise Mistake(
                f"the parts add up, but worker {rank} computes all {INNER} inner units: nothing is "
                "saved"
            )
        if len(used) > share:
            raise Mistake(
                f"the parts add up, but of {INNER} inner units worker {rank} computes {len(used)}; "
                f"its share among {workers} workers is {share}"
            )
        # Units that are computed and then masked move no output; their products are counted.
        with FlopCounterMode(display=False) as counter:
            part(*given, rank, workers)
        # A multiplication and an addition for each weight of a unit, in three products.
        computed = counter.get_total_flops() / (2 * 3 * TOKENS * WIDTH)
        if computed > share:
            raise Mistake(
                f"the parts add up, but the products of worker {rank} are as many as "
                f"{computed:.3g} inner units need, and its share is {share}: cut the matrices "
                "before you multiply, and mask nothing afterwards"
            )


def _in_words(units: set[int]) -> str:
    return ", ".join(map(str, sorted(units))) or "none"
