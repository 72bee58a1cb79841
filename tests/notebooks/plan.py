"""Where the run of a chapter branches off, so that its claims are tried on the chapter's one run.

Where a mistake is planted the kernel forks: the child goes on with the mistake, along the slice
that the claim depends on, and the parent without it. So a mistake in what is measured on a
trained model costs the measurement, and not another training. Beside each mistake's branch runs
a control, the same slice from the same place without the mistake: there the claim must hold.
As long as a control runs what the chapter itself runs, it is the chapter's own run; its fork
stands where it first leaves out a statement that might have been missed (``effects.py``).
"""

import ast
import runpy
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from branches import Names
from effects import harmless, pictures_of
from slices import Statement, kept_cells, slice_for, statements

PLANTED = Path(__file__).resolve().parent / "planted"


@dataclass
class Plan:
    """What a kernel needs to know of a chapter's claims, and what to expect of it.

    Attributes:
        branches: by the name of a cell, the branches in it: the place of the statement before
            which to fork, and the parts that the child runs one after the other, each a key and
            the source that ends in the claim which the key stands for.
        controls: by the claim, the keys of its controls.
        faults: by the key, why a branch cannot be planted.
    """

    branches: dict[str, list[tuple[int, list[tuple[str, str]]]]] = field(default_factory=dict)
    controls: dict[str, list[str]] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Change:
    """A change of the chapter's text, and the claims that must fall to it.

    Attributes:
        planted: the statements of the changed chapter.
        fork: the place of the first that differs.
        claims: by the place of its statement in the changed chapter, the claim and the mistake.
    """

    planted: list[Statement]
    fork: int
    claims: dict[int, tuple[str, str]]


def planted_in(chapter):
    """The mistakes that the chapter's bank plants: claim, what is wrong, old text, new text."""
    path = PLANTED / f"chapter_{chapter.id.partition('_')[0]}.py"
    return runpy.run_path(str(path))["PLANTED"] if path.exists() else []


def first_difference(found, planted):
    """The place of the first statement that the mistake changes."""
    for place, (one, other) in enumerate(zip(found, planted, strict=False)):
        # A cell that is as it was has been read once.
        if one is not other and ast.dump(one.node) != ast.dump(other.node):
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

    def branch(where, source_of, rest, keys):
        parts, nodes = [], []
        for each in sorted(rest):
            nodes.append(source_of[each].node)
            if each in keys:
                parts.append((keys[each], ast.unparse(ast.Module(nodes, type_ignores=[]))))
                nodes = []
        plan.branches[where.cell].append((where.place, parts))

    for change in changes_of(chapter, found, mistakes, plan.faults):
        keys = {place: key for place, (_, key) in change.claims.items()}
        slices = [slice_for(change.planted, claim_id) for claim_id, _ in change.claims.values()]
        rest = {each for places in slices for each in places if each >= change.fork}
        branch(run[at[change.fork]], change.planted, rest, keys)

        slices = {claim_id: slice_for(found, claim_id) for claim_id, _ in change.claims.values()}
        together = set().union(*slices.values())
        for claim_id, (*_, stated) in slices.items():
            # The claim itself is stated in the fork, where its failure can be seen.
            kept = {each for each in together if each < stated}
            leaves = next(
                place
                for place in range(at[change.fork], len(run))
                if run[place].number == stated
                or not (run[place].number in kept or run[place].harmless)
            )
            control = f"control {claim_id} beside {len(slices) - 1} of {len(kept)} from {leaves}"
            if control not in plan.controls[claim_id]:
                plan.controls[claim_id].append(control)
                rest = {each for each in kept | {stated} if at[each] >= leaves}
                branch(run[leaves], found, rest, {stated: control})
    return plan


def changes_of(chapter, found, mistakes, faults):
    """The changes that the mistakes make; what is planted for several claims is made once."""
    made = defaultdict(list)
    for number, (claim_id, _, old, new) in enumerate(mistakes):
        key = f"mistake {number}"
        try:
            planted = statements(chapter, (old, new))
            fork = first_difference(found, planted)
            stated = slice_for(planted, claim_id)[-1]
        except ValueError as error:
            faults[key] = f"it cannot be planted: {error}"
            continue
        # A statement ends where its first claim falls, so the next one needs another run.
        free = [each for each in made[old, new] if stated not in each.claims]
        if not free:
            free = [Change(planted, fork, {})]
            made[old, new] += free
        free[0].claims[stated] = (claim_id, key)
    return [change for alike in made.values() for change in alike]


@dataclass(frozen=True)
class Step:
    """A statement of the chapter's run, whether a claim may depend on it or not.

    Attributes:
        cell: what its cell is known by in the kernel.
        place: its place there.
        number: which of the statements that a claim may depend on it is; None if it is none.
        harmless: whether nobody can tell if it is left out.
    """

    cell: str
    place: int
    number: int | None
    harmless: bool


def run_of(chapter):
    """All statements that the kernel runs, in order."""
    kept = [id(cell) for cell in kept_cells(chapter)]
    numbers, names = count(), Names()
    trees = [ast.parse(cell.source) for cell in chapter.code]
    pictures = pictures_of(node for tree in trees for node in tree.body)
    return [
        Step(name, place, next(numbers) if id(cell) in kept else None, harmless(node, pictures))
        for cell, tree in zip(chapter.code, trees, strict=True)
        for name in [names.of(tree)]
        for place, node in enumerate(tree.body)
    ]
