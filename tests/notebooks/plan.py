"""Where the run of a chapter branches off, so that its claims are tried on the chapter's one run.

Where a mistake is planted the kernel forks: the child goes on with the mistake, along the slice
that the claim depends on, and the parent without it. So a mistake in what is measured on a
trained model costs the measurement, and not another training. Beside each mistake's branch runs
a control, the same slice from the same place without the mistake: there the claim must hold.
"""

import ast
import runpy
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from branches import digest
from slices import kept_cells, slice_for, statements

PLANTED = Path(__file__).resolve().parent / "planted"


@dataclass
class Plan:
    """What a kernel needs to know of a chapter's claims, and what to expect of it.

    Attributes:
        branches: by the digest of a cell, the branches in it: the place of the statement before
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
    found = statements(chapter) if mistakes else []
    where = [
        (digest(tree), place)
        for tree in (ast.parse(cell.source) for cell in kept_cells(chapter))
        for place in range(len(tree.body))
    ]

    def branch(fork, key, source_of, places):
        cell, place = where[fork]
        rest = [source_of[each].node for each in places if each >= fork]
        source = ast.unparse(ast.Module(rest, type_ignores=[]))
        plan.branches[cell].append((place, key, source))

    for number, (claim_id, _, old, new) in enumerate(mistakes):
        try:
            planted = statements(chapter, (old, new))
            fork = first_difference(found, planted)
            places = slice_for(planted, claim_id)
        except ValueError as error:
            plan.faults[f"mistake {number}"] = f"it cannot be planted: {error}"
            continue
        branch(fork, f"mistake {number}", planted, places)
        control = f"control {claim_id} from {fork}"
        if control not in plan.controls[claim_id]:
            plan.controls[claim_id].append(control)
            branch(fork, control, found, slice_for(found, claim_id))
    return plan
