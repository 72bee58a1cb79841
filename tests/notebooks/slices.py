"""The part of a chapter that one of its claims depends on, found by reading the names.

A claim must be able to fail. To plant a mistake and see the claim fall, the chapter need not be
run whole: the statements that define what the claim reads are enough, and what those read, and
so on to the setup cell. The slice errs on the side of too much: a statement that might change a
needed thing in place (a call of its method, a call that gets it as an argument and whose result
nobody keeps, an assignment to a part of it) belongs to the slice.
"""

import ast
import builtins
from dataclasses import dataclass
from functools import cache

from chapters import tags

# Calls that only tell or show: they change nothing that a claim could read.
STATE = {"law", "finding"}
SPECTATORS = STATE | {"print", "display", "show_source", "compare", "show", "use_style"}
FUNCTIONS = (ast.FunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
LEFT_OUT = ("exercise:", "solution:", "predict")


@dataclass(frozen=True)
class Statement:
    """A top-level statement: its names by what it does with them.

    Attributes:
        node: its syntax tree.
        setup: whether it stands in the setup cell.
        reads: what it looks up, in the bodies of functions too.
        defines: what it binds anew, whatever stood there before.
        changes: what it may change in place, or binds only under a condition.
        later: what the bodies of its functions look up, when they are called.
    """

    node: ast.stmt
    setup: bool
    reads: frozenset[str]
    defines: frozenset[str]
    changes: frozenset[str]
    later: frozenset[str]


def statements(chapter, replace=None):
    """The chapter's statements in order, after a replacement of source text.

    Raises:
        ValueError: if the text to be replaced does not stand in the chapter exactly once.
    """
    old, new = replace or ("", "")
    cells = kept_cells(chapter)
    if replace and (count := sum(cell.source.count(old) for cell in cells)) != 1:
        raise ValueError(f"{old!r} stands {count} times in {chapter.id}; expected once")
    return [
        statement
        for cell in cells
        for statement in statements_of(
            cell.source.replace(old, new) if replace else cell.source, "setup" in tags(cell)
        )
    ]


@cache
def statements_of(source, setup):
    """The statements of a cell, read once: most mistakes leave most cells as they are."""
    return [read(node, setup) for node in ast.parse(source).body]


def kept_cells(chapter):
    """The code cells that a claim may depend on: not those of exercises and predictions."""
    return [
        cell for cell in chapter.code if not any(tag.startswith(LEFT_OUT) for tag in tags(cell))
    ]


def read(node, setup=False):
    """Tell what a statement reads, defines and changes."""
    defines, changes = set(), set()
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        defines.add(node.name)
    elif isinstance(node, ast.Import | ast.ImportFrom):
        defines = {(alias.asname or alias.name).split(".")[0] for alias in node.names}
    elif isinstance(node, ast.Assign):
        defines = set().union(*(names(target, ast.Store) for target in node.targets))
    elif not isinstance(node, ast.Expr):
        changes = names(node, ast.Store)
    for each in ast.walk(node):
        if isinstance(each, ast.AugAssign):
            changes |= names(each.target)
        elif isinstance(each, ast.Attribute | ast.Subscript) and isinstance(each.ctx, ast.Store):
            changes.add(root(each))
        elif isinstance(each, ast.Expr) and isinstance(each.value, ast.Call):
            changes |= changed_by(each.value)
        elif isinstance(each, ast.For):
            # The loop's variable is a part of what it runs over, and may be changed as such.
            changes |= names(each.iter) - vars(builtins).keys()
        elif isinstance(each, ast.Call) and called(each).endswith("_"):
            changes |= changed_by(each)
    changes.discard("")
    return Statement(
        node,
        setup,
        frozenset(looked_up(node) | changes),
        frozenset(defines),
        frozenset(changes - defines),
        frozenset(looked_up_later(node)),
    )


def looked_up(node):
    """The names that a piece of code takes from outside itself."""
    if isinstance(node, ast.Name):
        return {node.id} if isinstance(node.ctx, ast.Load) else set()
    inside = set().union(*(looked_up(child) for child in ast.iter_child_nodes(node)))
    if isinstance(node, FUNCTIONS):
        # Defaults belong to the outside: in ``lambda x=x: x`` the second x does.
        arguments = node.args
        given = [each for each in (*arguments.defaults, *arguments.kw_defaults) if each]
        own = {each.arg for each in ast.walk(arguments) if isinstance(each, ast.arg)}
        inside -= own | names(node, ast.Store)
        return inside.union(*map(looked_up, given))
    if isinstance(node, COMPREHENSIONS):
        return inside - names(node, ast.Store)
    return inside


def looked_up_later(node):
    """What the functions in a piece of code take from outside when they are called."""
    if isinstance(node, FUNCTIONS):
        return looked_up(node)
    return set().union(*(looked_up_later(child) for child in ast.iter_child_nodes(node)))


def names(node, context=ast.expr_context):
    return {
        each.id
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and isinstance(each.ctx, context)
    }


def root(node):
    """The name at the bottom of ``a.b[c].d``."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def called(call):
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else root(function)


def changed_by(call):
    """What a call whose result nobody keeps may change: its object, and its arguments."""
    if called(call) in SPECTATORS:
        return set()
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
    return {root(call.func), *(root(argument) for argument in arguments)}


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
        if any(states(call, claim_id) for call in claims_in(statement.node))
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
            if statement.setup:
                chosen.add(place)
            elif (statement.defines | statement.changes) & (needed | at_any_time):
                chosen.add(place)
                needed -= statement.defines
                needed |= statement.reads
                at_any_time |= statement.later
        if chosen == before:
            return [*sorted(chosen), end]
