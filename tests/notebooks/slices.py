"""The part of a chapter that one of its claims depends on, found by reading the names.

A claim must be able to fail. To plant a mistake and see the claim fall, the chapter need not be
run whole: the statements that define what the claim reads are enough, and what those read, and
so on to the setup cell. The slice errs on the side of too much: a statement that might change a
needed thing in place (a call of its method, a call that gets it as an argument and whose result
nobody keeps, an assignment to a part of it) belongs to the slice.
"""

import ast
from dataclasses import dataclass
from functools import cache

from chapters import tags
from effects import STATE, called, pictures_of, root
from scopes import FUNCTIONS, bound_by, changed, looked_up, looked_up_later, stored

# What decides all chance after it belongs to every slice.
SEEDS = {"seed_everything", "manual_seed"}
LEFT_OUT = ("exercise:", "solution:", "predict")


@dataclass(frozen=True)
class Statement:
    """A top-level statement: its names by what it does with them.

    Attributes:
        node: its syntax tree.
        always: whether every slice holds it: it stands in the setup cell, or seeds the draws.
        reads: what it looks up, in the bodies of functions too.
        defines: what it binds anew, whatever stood there before.
        changes: what it may change in place, or binds only under a condition.
        later: what the bodies of its functions look up, when they are called.
        claims: the calls that state claims.
    """

    node: ast.stmt
    always: bool
    reads: frozenset[str]
    defines: frozenset[str]
    changes: frozenset[str]
    later: frozenset[str]
    claims: tuple[ast.Call, ...]


def statements(chapter, replace=None):
    """The chapter's statements in order, after a replacement of source text.

    Raises:
        ValueError: if the text to be replaced does not stand in the chapter exactly once.
    """
    old, new = replace or ("", "")
    cells, pictures = kept_cells(chapter), pictures_drawn_in(chapter)
    if replace and (count := sum(cell.source.count(old) for cell in cells)) != 1:
        raise ValueError(f"{old!r} stands {count} times in {chapter.id}; expected once")
    return [
        statement
        for cell in cells
        for statement in statements_of(
            cell.source.replace(old, new) if replace else cell.source,
            "setup" in tags(cell),
            pictures,
        )
    ]


@cache
def pictures_drawn_in(chapter):
    """The names of the functions that draw a chapter's pictures."""
    return pictures_of(node for cell in kept_cells(chapter) for node in ast.parse(cell.source).body)


@cache
def statements_of(source, setup, pictures):
    """The statements of a cell, read once: most mistakes leave most cells as they are."""
    return [read(node, setup, pictures) for node in ast.parse(source).body]


def kept_cells(chapter):
    """The code cells that a claim may depend on: not those of exercises and predictions."""
    return [
        cell for cell in chapter.code if not any(tag.startswith(LEFT_OUT) for tag in tags(cell))
    ]


def read(node, setup, pictures):
    """Tell what a statement reads, defines and changes."""
    defines = bound_by(node)
    changes = changed(node, pictures) | (stored(node) - defines)
    return Statement(
        node,
        setup or seeds(node),
        frozenset(looked_up(node) | changes),
        frozenset(defines),
        frozenset(changes - defines),
        frozenset(looked_up_later(node)),
        tuple(claims_in(node)),
    )


def seeds(node):
    """Whether a statement seeds the draws after it."""
    if isinstance(node, FUNCTIONS):
        return False
    calls = isinstance(node, ast.Call) and called(node) in SEEDS
    return calls or any(map(seeds, ast.iter_child_nodes(node)))


def claims_in(node):
    """The calls in a statement that state claims, each with its id or the id's pattern."""
    return [
        each
        for each in ast.walk(node)
        if isinstance(each, ast.Call)
        and isinstance(each.func, ast.Attribute)
        and each.func.attr in STATE
        and root(each.func) == "claims"
    ]


def states(call, claim_id):
    """Whether a call states the claim, its id written out or composed."""
    first = call.args[0]
    if isinstance(first, ast.Constant):
        return first.value == claim_id
    fixed = [part.value for part in getattr(first, "values", []) if isinstance(part, ast.Constant)]
    return bool(fixed) and all(part in claim_id for part in fixed)


def slice_for(found, claim_id):
    """The places of the statements that the claim depends on, and of the one that states it.

    Raises:
        ValueError: if no statement states the claim.
    """
    places = [
        place
        for place, statement in enumerate(found)
        if any(states(call, claim_id) for call in statement.claims)
    ]
    if not places:
        raise ValueError(f"no statement states claim {claim_id}")
    end = places[0]
    chosen, at_any_time = set(), set()
    while True:
        before = set(chosen)
        needed = set(found[end].reads)
        for place in reversed(range(end)):
            statement = found[place]
            touched = statement.defines | statement.changes
            if statement.always or touched & (needed | at_any_time):
                chosen.add(place)
                needed -= statement.defines
                needed |= statement.reads
                at_any_time |= statement.later
        if chosen == before:
            return [*sorted(chosen), end]
