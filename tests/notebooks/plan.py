"""Where the run of a chapter branches off, so that its claims are tried on the chapter's one run.

Where a mistake is planted the kernel forks: the child goes on with the mistake, along the slice
that the claim depends on, and the parent without it. So a mistake in what is measured on a
trained model costs the measurement, and not another training. Beside each mistake's branch runs
a control, the same slice from the same place without the mistake: there the claim must hold.
As long as a control runs what the chapter itself runs, it is the chapter's own run; its fork
stands where it first leaves a statement out.
"""

import ast
import runpy
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from branches import Names
from slices import kept_cells, slice_for, statements

PLANTED = Path(__file__).resolve().parent / "planted"


@dataclass
class Plan:
    """What a kernel needs to know of a chapter's claims, and what to expect of it.

    Attributes:
        branches: by the name of a cell, the branches in it: the place of the statement before
            which to fork, the branch's key, and the source that the child runs.
        controls: by the claim, the keys of its controls.
        faults: by the key, why a branch cannot be planted.
    """

    branches: dict[str, list[tuple[int, str, str]]] = field(default_factory=dict)
    controls: dict[str, list[str]] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)


def planted_in(chapter):
    """The mistakes that the chapter's bank plants: claim, what is wrong, old text, new text."""
    path = PLANTED / f"chapter_{chapter.id.partition('_')[0]}.py"
    return runpy.run_path(str(path))["PLANTED"] if path.exists() else []


def first_difference(found, planted):
    """The place of the first statement that the mistake changes."""
    for place, (one, other) in enumerate(zip(found, planted, strict=False)):
        if ast.dump(one.node) != ast.dump(other.node):
            return place
    raise ValueError("the mistake changes nothing")


def plan_of(chapter, mistakes=None):
    """The branches of a chapter's run; of the mistakes in its bank, or of those that are given."""
    plan = Plan(branches=defaultdict(list), controls=defaultdict(list))
    mistakes = planted_in(chapter) if mistakes is None else mistakes
    if not mistakes:
        return plan
    found, run = statements(chapter), run_of(chapter)
    at = {each.number: place for place, each in enumerate(run) if each.number is not None}

    def branch(where, key, source_of, rest):
        source = ast.unparse(ast.Module([source_of[each].node for each in rest], type_ignores=[]))
        plan.branches[where.cell].append((where.place, key, source))

    for number, (claim_id, _, old, new) in enumerate(mistakes):
        try:
            planted = statements(chapter, (old, new))
            fork = first_difference(found, planted)
            places = slice_for(planted, claim_id)
        except ValueError as error:
            plan.faults[f"mistake {number}"] = f"it cannot be planted: {error}"
            continue
        branch(
            run[at[fork]], f"mistake {number}", planted, [each for each in places if each >= fork]
        )
        kept = set(slice_for(found, claim_id))
        # The claim itself is stated in the fork, where its failure can be seen.
        kept.discard(stated := max(kept))
        leaves = next(place for place in range(at[fork], len(run)) if run[place].number not in kept)
        control = f"control {claim_id} from {leaves}"
        if control not in plan.controls[claim_id]:
            plan.controls[claim_id].append(control)
            rest = [each for each in sorted(kept | {stated}) if at[each] >= leaves]
            branch(run[leaves], control, found, rest)
    return plan


@dataclass(frozen=True)
class Step:
    """A statement of the chapter's run, whether a claim may depend on it or not.

    Attributes:
        cell: what its cell is known by in the kernel.
        place: its place there.
        number: which of the statements that a claim may depend on it is; None if it is none.
    """

    cell: str
    place: int
    number: int | None


def run_of(chapter):
    """All statements that the kernel runs, in order."""
    kept = [id(cell) for cell in kept_cells(chapter)]
    numbers, names = count(), Names()
    return [
        Step(name, place, next(numbers) if id(cell) in kept else None)
        for cell in chapter.code
        for tree in [ast.parse(cell.source)]
        for name in [names.of(tree)]
        for place in range(len(tree.body))
    ]
