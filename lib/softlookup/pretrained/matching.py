"""Matching: each tensor of ours gets its numbers from one of theirs, or nothing is loaded at all.

A plan names, for every tensor of our model, the tensor of the file that it comes from and what is
taken of it. Three things must hold: no tensor of ours is without numbers, no shape differs, and
no tensor of theirs is left over except those of known kinds. Then all are assigned at once.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

import torch
from torch import Tensor, nn

Model = TypeVar("Model", bound=nn.Module)
# How many names an error gives before it only counts the rest.
SHOWN = 5


@dataclass(frozen=True)
class Stored:
    """A tensor in a file.

    Attributes:
        name: as the file has it.
        tensor: its numbers.
    """

    name: str
    tensor: Tensor


@dataclass(frozen=True)
class Origin:
    """Where a tensor of ours comes from.

    Attributes:
        name: the tensor in the file, after renaming.
        take: what is taken of it; None takes it as it is.
        how: the same in words, for the report.
    """

    name: str
    take: Callable[[Tensor], Tensor] | None = None
    how: str = ""

    def of(self, stored: Mapping[str, Stored]) -> Tensor:
        """The numbers, from among the file's tensors."""
        tensor = stored[self.name].tensor
        return tensor if self.take is None else self.take(tensor)


@dataclass(frozen=True)
class Match:
    """A tensor of theirs that became one of ours: both names, our shape, and what was taken."""

    theirs: str
    ours: str
    shape: tuple[int, ...]
    how: str


@dataclass(frozen=True)
class Ignored:
    """A tensor of theirs that has no place in ours: its name, its shape, and why."""

    theirs: str
    shape: tuple[int, ...]
    why: str


@dataclass(frozen=True)
class Report:
    """What was matched. ``print`` shows it as a table.

    Attributes:
        source: where the weights came from.
        matched: every tensor of ours that has its numbers from the file.
        untrained: the names of ours that have none from it, because the caller asked for a new
            layer in their place.
        ignored: every tensor of theirs that was not used.
        n_parameters: how many parameters the model has.
    """

    source: str
    matched: tuple[Match, ...]
    untrained: tuple[str, ...]
    ignored: tuple[Ignored, ...]
    n_parameters: int

    def __str__(self) -> str:
        """A line that sums up, and a table of every tensor."""
        rows = [
            *((match.theirs, match.ours, match.shape, match.how) for match in self.matched),
            *(("", name, (), "untrained") for name in self.untrained),
            *((one.theirs, "", one.shape, f"ignored: {one.why}") for one in self.ignored),
        ]
        table = [("theirs", "ours", "shape", "")]
        table += [(a, b, " × ".join(map(str, shape)), how) for a, b, shape, how in rows]
        widths = [max(len(row[column]) for row in table) for column in range(3)]
        lines = (
            "  ".join(cell.ljust(width) for cell, width in zip(row, (*widths, 0), strict=True))
            for row in table
        )
        untrained = f"{len(self.untrained)} untrained, " if self.untrained else ""
        summary = (
            f"{self.source}: {len(self.matched)} tensors matched, {untrained}"
            f"{len(self.ignored)} ignored, {self.n_parameters:,} parameters"
        )
        return "\n".join((summary, *(line.rstrip() for line in lines)))


@dataclass(frozen=True)
class Loaded(Generic[Model]):
    """A model with the weights of a file, ready to be evaluated, and the report of them."""

    model: Model
    report: Report


def layer(ours: str, theirs: str) -> dict[str, Origin]:
    """Weight and bias of a layer, taken as they are."""
    return {f"{ours}.{part}": Origin(f"{theirs}.{part}") for part in ("weight", "bias")}


def rename(
    tensors: Mapping[str, Tensor], prefix: str, renames: Iterable[tuple[str, str]] = ()
) -> dict[str, Stored]:
    """Bring the names of a file into one form, whoever saved it.

    Args:
        tensors: what the file holds.
        prefix: taken away where a name begins with it.
        renames: regular expressions and what they are replaced by, in this order.

    Raises:
        ValueError: if two names of the file come to be the same.
    """
    renamed: dict[str, Stored] = {}
    for theirs, tensor in tensors.items():
        name = theirs.removeprefix(prefix)
        for pattern, replacement in renames:
            name = re.sub(pattern, replacement, name)
        if name in renamed:
            raise ValueError(
                f"the file holds {renamed[name].name} and {theirs}, which are two names of one "
                "tensor; expected one of them"
            )
        renamed[name] = Stored(theirs, tensor)
    return renamed


def load(
    make: Callable[[], Model],
    stored: Mapping[str, Stored],
    plan: Mapping[str, Origin],
    known: Mapping[str, str],
    source: str,
    dtype: torch.dtype,
    untrained: Mapping[str, Tensor] | None = None,
) -> Loaded[Model]:
    """Make a model and give every tensor of it the numbers that the plan names.

    Args:
        make: makes the model. It is called where tensors have shapes and no numbers, so nothing
            is drawn and nothing is computed twice.
        stored: the file's tensors, renamed.
        plan: for each tensor of ours, its origin.
        known: kinds of tensors that may be left over: a regular expression for the name, and why
            the model does without.
        source: where the weights came from, for the report.
        dtype: of the model, whatever the file has.
        untrained: tensors of ours that have no origin, with the numbers they start from.

    Raises:
        ValueError: if the dtype is none of floats, or if a tensor is missing, has another shape,
            holds no floats, or is left over and of no known kind; all of them are named.
    """
    if not dtype.is_floating_point:
        raise ValueError(f"dtype is {dtype}; expected one of floats, such as torch.float32")
    untrained = untrained or {}
    with torch.device("meta"):
        model = make()
    shapes = {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}
    used = {origin.name for origin in plan.values()}
    ignored, left_over = _left_over({k: v for k, v in stored.items() if k not in used}, known)
    taken = {name: origin.of(stored) for name, origin in plan.items() if origin.name in stored}
    problems = {
        "missing": sorted(used - stored.keys()),
        "of another shape": [
            f"{stored[plan[name].name].name} (gives {name} {tuple(tensor.shape)}; expected "
            f"{shapes[name]})"
            for name, tensor in taken.items()
            if tuple(tensor.shape) != shapes[name]
        ],
        "of no floats": sorted(
            {
                f"{stored[plan[name].name].name} ({tensor.dtype})"
                for name, tensor in taken.items()
                if not tensor.is_floating_point()
            }
        ),
        "left over": left_over,
    }
    if any(problems.values()):
        raise ValueError(
            f"the tensors of {source} do not fit {type(model).__name__}, and nothing was loaded; "
            + "; ".join(f"{kind}: {_some(names)}" for kind, names in problems.items() if names)
            + "; expected each tensor of the model once, in its shape, and others of known kinds "
            "alone: the file may be of another kind of model, or of another size than its config"
        )
    # Copies: what is read are views of the file, which may change or go.
    numbers = {
        name: torch.empty(shapes[name], dtype=dtype).copy_(tensor)
        for name, tensor in (taken | dict(untrained)).items()
    }
    model.load_state_dict(numbers, assign=True)
    matched = tuple(
        Match(stored[o.name].name, name, shapes[name], o.how) for name, o in plan.items()
    )
    count = sum(parameter.numel() for parameter in model.parameters())
    report = Report(source, matched, tuple(untrained), tuple(ignored), count)
    return Loaded(model.eval(), report)


def _left_over(
    stored: Mapping[str, Stored], known: Mapping[str, str]
) -> tuple[list[Ignored], list[str]]:
    """What is not used, apart: that of known kinds, with the reason, and the rest."""
    ignored, rest = [], []
    for name, one in stored.items():
        why = next((why for kind, why in known.items() if re.fullmatch(kind, name)), None)
        if why is None:
            rest.append(one.name)
        else:
            ignored.append(Ignored(one.name, tuple(one.tensor.shape), why))
    return ignored, sorted(rest)


def _some(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
