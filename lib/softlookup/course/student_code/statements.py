"""What is known of a student's statement without running it.

Which names it binds and uses, and what it may change.
"""

import ast
import symtable
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import cast

from softlookup.course.student_code.cell_sources import PARSE_ERRORS, magic, parsed
from softlookup.course.student_code.files import WHOLE, made_by_import, member, members_used
from softlookup.course.student_code.imports import (
    Known,
    called_name,
    import_of,
    imports_in,
    module_name,
    named_in_calls,
)

# Where the notebook's names can be had as attributes and items.
NAMESPACES = {"__main__", "__globals__", "f_globals", "user_ns", "push"}


@dataclass(frozen=True)
class Step:
    """A student's statement: where it stands, the names that it binds and uses, and its tree.

    ``module`` is the name of the file in which it stands, if it is none of the notebook, and
    ``changes`` are the objects of which it may set an attribute or an item, when it runs. What it
    ``may_use`` counts the files of code that it names in a text.
    """

    place: str
    module: str
    binds: frozenset[str]
    changes: frozenset[str]
    uses: frozenset[str]
    may_use: frozenset[str]
    tree: ast.stmt


def written_modules(tree: ast.stmt) -> Iterator[tuple[ast.stmt, str]]:
    """The statements that a cell magic writes into a file of code, and the module they make."""
    for node in ast.walk(tree):
        kind, *given = magic(node)
        if kind == "run_cell_magic" and given[0] in ("writefile", "file"):
            path = given[1].split()[-1:] or [""]
            if path[0].endswith(".py"):
                yield from (
                    (each, module_name(path[0].removeprefix("./"))) for each in parsed(given[2])
                )


def step_of(
    place: str,
    tree: ast.stmt,
    module: str,
    known: Known,
    aliases: Mapping[str, str] = MappingProxyType({}),
) -> Step:
    """What is known of a statement, and of one in a file, by which names it counts.

    Args:
        place: where it stands, in words.
        tree: the statement.
        module: the file in which it stands; empty in a cell.
        known: the modules that may be imported.
        aliases: the names by which files are imported.
    """
    binds, uses = bound_and_used(tree)
    changes = {root for node in ast.walk(tree) for root in _changed(node)}
    nodes = [*ast.walk(tree)]
    # A module has a name of another kind than a variable, which may be called alike.
    uses |= {*imports_in(tree), *members_used(tree, aliases, known), *_looked_up(nodes)}
    may_use = uses | {
        name
        for each in named_in_calls(tree, known)
        for name in (each, member(each.removeprefix("import "), WHOLE))
    }
    if module:
        # What a name in a file leads to counts.
        binds = binds | {member(module, name) for name in (*binds, WHOLE)}
        binds |= {import_of(module)} if made_by_import(tree) else set()
    sets = frozenset(binds), frozenset(changes), frozenset(uses), frozenset(may_use)
    return Step(place, module, *sets, tree)


def bound_and_used(tree: ast.stmt) -> tuple[set[str], set[str]]:
    """The global names that a statement binds, and those that it uses."""
    try:
        return names_of(symtable.symtable(ast.unparse(tree), "cell", "exec"), True)
    except PARSE_ERRORS:
        # Python cannot write it down again, and so not tell which names are whose.
        uses = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        kinds = ast.FunctionDef | ast.ClassDef
        return uses | {node.name for node in ast.walk(tree) if isinstance(node, kinds)}, uses


def stops(tree: ast.stmt) -> bool:
    """Whether a cell ends at a statement for sure, so that nothing behind it runs."""
    if isinstance(tree, ast.Raise):
        return True
    if isinstance(tree, ast.Assert):
        return isinstance(tree.test, ast.Constant) and not tree.test.value
    value = tree.value if isinstance(tree, ast.Expr) else None
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Div):
        return isinstance(value.right, ast.Constant) and value.right.value == 0
    return isinstance(value, ast.Call) and called_name(value) in ("exit", "quit")


def too_deep(tree: ast.AST, most: int) -> bool:
    """Whether the nodes of a tree stand within one another more often than so many times."""
    waiting = [(tree, 0)]
    while waiting:
        node, depth = waiting.pop()
        if depth > most:
            return True
        waiting += ((each, depth + 1) for each in ast.iter_child_nodes(node))
    return False


def part_of(step: Step, tree: ast.AST, uses: frozenset[str]) -> Step:
    """A part of a statement that counts by itself; it binds nothing."""
    part = tree if isinstance(tree, ast.stmt) else ast.Expr(cast(ast.expr, tree))
    none = frozenset[str]()
    return replace(step, binds=none, changes=none, uses=uses, may_use=uses, tree=part)


def _looked_up(nodes: list[ast.AST]) -> set[str]:
    """The names that a statement may look up in a namespace of the notebook's; mostly none."""
    words = {getattr(node, "attr", getattr(node, "id", "")) for node in nodes}
    words |= {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    if not words & NAMESPACES:
        return set()
    constants = (node.value for node in nodes if isinstance(node, ast.Constant))
    return words | {each for each in constants if isinstance(each, str)}


def names_of(table: symtable.SymbolTable, top: bool = False) -> tuple[set[str], set[str]]:
    """The global names that a scope and its inner scopes bind and use."""
    binds, uses = set[str](), set[str]()
    for symbol in table.get_symbols():
        if top or symbol.is_global():
            if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace():
                binds.add(symbol.get_name())
            if symbol.is_referenced():
                uses.add(symbol.get_name())
    for child in table.get_children():
        more_binds, more_uses = names_of(child)
        binds, uses = binds | more_binds, uses | more_uses
    return binds, uses


def _changed(node: ast.AST) -> Iterator[str]:
    """The name of an object that a statement modifies: ``name.attribute = …``."""
    target: ast.AST | None = None
    if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
        target = node
    elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "setattr" and node.args:
        target = node.args[0]
    while isinstance(target, ast.Attribute | ast.Subscript):
        target = target.value
    if isinstance(target, ast.Name):
        yield target.id
