"""What is known of a student's statement without running it.

Which names it binds and uses, and whether it may run code that cannot be read here: a text that is
computed, a file of another kind, or a module that is made while the notebook runs.
"""

import ast
import symtable
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import cast

from softlookup.course.exercises.cell_sources import PARSE_ERRORS, magic, parsed
from softlookup.course.exercises.student_files import WHOLE, made_by_import, member, members_used
from softlookup.course.exercises.student_imports import (
    RUNS_FILE,
    Known,
    called_name,
    import_of,
    imports_in,
    module_name,
    modules_of,
    named_in_calls,
    names_listed,
)

# Functions that run a text; a method of such a name, as a model's `eval`, is another thing.
RUNS_TEXT = {"exec", "eval", "compile"}
# With these a name may be read or set by a text, so that what a statement binds is unknown.
OPAQUE = RUNS_TEXT | {"globals", "vars", "locals"}
# Methods that run a text, of IPython and of the library's consoles, and those for its magics.
RUNS_TEXT_AS_METHOD = {
    *("run_cell", "run_cell_async", "run_code", "ex", "runsource", "runcode", "define_macro"),
}
UNPICKLES = {"pickle", "dill", "cloudpickle", "joblib", "marshal", "pandas", "pd"}
UNPICKLING = {"load", "loads", "Unpickler", "read_pickle"}
# Where the notebook's names can be had as attributes and items.
NAMESPACES = {"__main__", "__globals__", "f_globals", "user_ns", "push"}
MAGICS = {"run_line_magic", "run_cell_magic"}


@dataclass(frozen=True)
class Step:
    """A student's statement: where it stands, the names that it binds and uses, and its tree.

    ``module`` is the name of the file in which it stands, if it is none of the notebook, and
    ``changes`` are the objects of which it may set an attribute or an item, when it runs. What it
    ``may_use`` counts the files of code that it names in a text.
    ``opaque`` says that it may run code from a text, and ``unread`` what it runs that cannot be
    read here, in words; empty, if there is nothing.
    """

    place: str
    module: str
    binds: frozenset[str]
    changes: frozenset[str]
    uses: frozenset[str]
    may_use: frozenset[str]
    opaque: bool
    unread: str
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
    try:
        binds, uses = names_of(symtable.symtable(ast.unparse(tree), "cell", "exec"), True)
    except PARSE_ERRORS:
        binds = uses = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    options = {
        id(target)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
    }
    changes = {
        root for node in ast.walk(tree) if id(node) not in options for root in _changed(node)
    }
    nodes = [*ast.walk(tree)]
    # A module has a name of another kind than a variable, which may be called alike.
    uses |= {*imports_in(tree), *members_used(tree, aliases, known), *_looked_up(nodes)}
    asked = {
        id(each)
        for node in nodes
        if isinstance(node, ast.Compare)
        and all(isinstance(op, ast.In | ast.NotIn) for op in node.ops)
        for each in node.comparators
    }
    calls = [node for node in nodes if isinstance(node, ast.Call) and id(node) not in asked]
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    listed = names_listed(tree)
    found = (_unread(node, known, listed, id(node) in called) for node in nodes)
    unread = next(filter(None, found), "")
    files = any(called_name(n) in RUNS_FILE | MAGICS and not _writes_code(n) for n in calls)
    opaque = files or any(map(runs_text, calls)) or bool(unread and calls)
    if not unread and (any(map(_unpickles, calls)) or any(map(_imports_unpickling, nodes))):
        unread = "what was stored, and may be code"
    may_use = uses | {
        name
        for each in named_in_calls(tree, known)
        for name in (each, member(each.removeprefix("import "), WHOLE))
    }
    if module:
        # What a name in a file leads to counts, and what the file runs that cannot be read.
        binds = binds | {member(module, name) for name in (*binds, WHOLE)}
        binds |= {import_of(module)} if opaque or unread or made_by_import(tree) else set()
    sets = frozenset(binds), frozenset(changes), frozenset(uses), frozenset(may_use)
    return Step(place, module, *sets, opaque, unread, tree)


def too_deep(tree: ast.AST, most: int) -> bool:
    """Whether the nodes of a tree stand within one another more often than so many times."""
    waiting = [(tree, 0)]
    while waiting:
        node, depth = waiting.pop()
        if depth > most:
            return True
        waiting += ((each, depth + 1) for each in ast.iter_child_nodes(node))
    return False


def objects_of(tree: ast.AST, files: Set[str]) -> frozenset[str]:
    """The names that a statement reads otherwise than to call what they stand for.

    The names of files, ``files``, count where they stand before no dot.
    """
    nodes = [*ast.walk(tree)]
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    called |= {
        id(node.value)
        for node in nodes
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") in files
    }
    return frozenset(
        node.id
        for node in nodes
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in called
    )


def part_of(step: Step, tree: ast.AST, uses: frozenset[str]) -> Step:
    """A part of a statement that counts by itself; it binds nothing, and runs nothing unread."""
    part = tree if isinstance(tree, ast.stmt) else ast.Expr(cast(ast.expr, tree))
    none = frozenset[str]()
    return replace(
        step, binds=none, changes=none, uses=uses, may_use=uses, opaque=False, unread="", tree=part
    )


def _writes_code(node: ast.AST) -> bool:
    """Whether a cell magic writes a file of code, which is read."""
    kind, *given = magic(node)
    return (
        kind == "run_cell_magic"
        and given[0] in ("writefile", "file")
        and (given[1].endswith(".py"))
    )


def runs_text(node: ast.Call) -> bool:
    """Whether a call may run a text, or read and set names by their texts."""
    if magic(node)[1:2] in (["writefile"], ["file"]):
        return False
    if isinstance(node.func, ast.Attribute):
        if getattr(node.func.value, "id", "") not in ("builtins", "__builtins__"):
            return node.func.attr in RUNS_TEXT_AS_METHOD | MAGICS
        return node.func.attr in OPAQUE
    return called_name(node) in OPAQUE


def _unpickles(node: ast.Call) -> bool:
    """Whether a call makes objects of bytes, of which some may be functions."""
    root = getattr(getattr(node.func, "value", None), "id", "")
    if root == "shelve" or (root in UNPICKLES and called_name(node) in UNPICKLING):
        return True
    # What reads, such as torch.load and numpy.load, does so where it is told to.
    told = {each.arg: getattr(each.value, "value", None) for each in node.keywords}
    return "save" not in called_name(node) and (
        told.get("weights_only", True) is not True or told.get("allow_pickle", False) is not False
    )


def _imports_unpickling(node: ast.AST) -> bool:
    """Whether a node imports such a function by its own name."""
    return (
        isinstance(node, ast.ImportFrom)
        and node.module in UNPICKLES
        and any(alias.name in UNPICKLING | {"*"} for alias in node.names)
    )


def _unread(node: ast.AST, known: Known, listed: Mapping[str, list[str]], called: bool) -> str:
    """What a node runs that does not stand in the sources, in words; empty, if nothing."""
    if isinstance(node, ast.Call) and _runs_computed_text(node):
        return "code from a text that is computed"
    # Handed on, as in `map(exec, texts)`, or given another name.
    name = getattr(node, "attr", "") if isinstance(node, ast.Attribute) else ""
    alone = node.id if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) else ""
    if not called and (alone in RUNS_TEXT or name in RUNS_TEXT_AS_METHOD - {"ex"}):
        return "code from a text that is computed"
    for module in modules_of(node, listed):
        if module is None:
            return "a file whose name is computed"
        named = isinstance(node, ast.Import | ast.ImportFrom) or module.isidentifier()
        if module and (known.unread(module) if named else module not in known.beside):
            return f"{module}, which is no code that is read here"
    return ""


def _runs_computed_text(node: ast.Call) -> bool:
    """Whether a call runs a text that does not stand in the source, such as a ciphered one."""
    if not node.args or isinstance(node.args[0], ast.Constant):
        return False
    called, runs_text = getattr(node.func, "id", ""), RUNS_TEXT
    if isinstance(node.func, ast.Attribute):
        called = node.func.attr
        if getattr(node.func.value, "id", "") not in ("builtins", "__builtins__"):
            runs_text = RUNS_TEXT_AS_METHOD
    # What `compile` is given is looked at by itself.
    compiled = isinstance(node.args[0], ast.Call) and (
        getattr(node.args[0].func, "id", "") == "compile"
    )
    return called in runs_text and not compiled


def _looked_up(nodes: list[ast.AST]) -> set[str]:
    """The names that a statement may look up in a namespace of the notebook's; mostly none."""
    words = {getattr(node, "attr", getattr(node, "id", "")) for node in nodes}
    words |= {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    if not words & NAMESPACES:
        return set()
    return words | {str(node.value) for node in nodes if isinstance(node, ast.Constant)}


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
