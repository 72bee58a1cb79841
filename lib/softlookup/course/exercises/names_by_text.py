"""Whether a student's statement looks something up by a name that does not stand in it.

Of a module of PyTorch's that leaves a doubt. So it does of an object that nobody can tell, where
the name is put together, or where such a module is handed to somebody who may look things up in it.
"""

import ast
import sys
import types
from collections.abc import Iterable, Mapping, Set

from softlookup.course.exercises.student_imports import called_name, names_listed

PACKAGES = ("torch", "softlookup")
# What looks a name up, and the place of the name among its arguments.
LOOKED_UP_BY = {
    **{"getattr": 1, "attrgetter": 0, "methodcaller": 0, "__getattribute__": -1},
    **{"getattr_static": 1, "get_field": 0, "getattr_migration": 1},
}
LOOKS_ANYWHERE = ("attrgetter", "methodcaller", "get_field")
SHOWS_ALL = {"vars", "getmembers", "getmembers_static"}
BUILT_IN = ("builtins", "__builtins__")
# A text such as f"layer_{i}" says what it names; one that begins otherwise may name anything.
SAYS = 3


def torch_names(trees: Iterable[ast.AST], files: Iterable[str] = ()) -> dict[str, str]:
    """The names that stand for a module of PyTorch's or of the course's, or for a part of one.

    Args:
        trees: the statements.
        files: the names by which files beside the notebook are imported.

    Returns:
        For each name, what it stands for, by its dotted name; empty, if that is not told.
    """
    nodes = [node for tree in trees for node in ast.walk(tree)]
    found = {name: name for name in PACKAGES} | {"F": "torch.nn.functional", "nn": "torch.nn"}
    found |= dict.fromkeys(files, "")
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = getattr(node, "module", None) or ""
            for alias in node.names:
                origin = f"{module}.{alias.name}".strip(".")
                if origin.partition(".")[0] in PACKAGES:
                    whole = origin if alias.asname or module else origin.partition(".")[0]
                    found[alias.asname or alias.name.partition(".")[0]] = whole
    assigned = [node for node in nodes if isinstance(node, ast.Assign)]
    for _ in range(3):
        for node in assigned:
            if root(node.value) in found:
                for each in node.targets:
                    if isinstance(each, ast.Name) and each.id not in found:
                        found[each.id] = _stands_for(node.value, found)
    return found


def puts_a_name_together(tree: ast.AST, torch: Mapping[str, str], handed: bool = False) -> bool:
    """Whether a statement looks something up in PyTorch by a name that does not stand in it.

    Args:
        tree: the statement.
        torch: the names that stand for a part of PyTorch.
        handed: whether a module of PyTorch's is handed on, so that any object may be one.
    """
    nodes, listed = [*ast.walk(tree)], names_listed(tree)
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    plain = {id(node.value) for node in nodes if isinstance(node, ast.Subscript) and is_plain(node)}
    local = _local(tree)
    for node in nodes:
        if _hands_it_on(node, called):
            return True
        if isinstance(node, ast.Attribute) and node.attr == "__dict__":
            if root(node.value) in torch and id(node) not in plain:
                return True
        elif isinstance(node, ast.Call) and node.args:
            name = called_name(node)
            if name in SHOWS_ALL and root(node.args[0]) in torch and id(node) not in plain:
                return True
            if name not in LOOKED_UP_BY or len(node.args) <= LOOKED_UP_BY[name]:
                continue
            text = node.args[LOOKED_UP_BY[name]]
            if is_written(text, listed):
                continue
            of = node.args[:1] if name != "__getattribute__" else [node.func, *node.args[:-1]]
            inner = any(root(each) in torch for place in of for each in ast.walk(place))
            if inner or name in LOOKS_ANYWHERE:
                return True
            own = "self" in {root(each) for each in of if isinstance(each, ast.Name)}
            if not own and (handed or _is_put_together(text, local)):
                return True
    return False


def hands_a_module_on(tree: ast.stmt, torch: Mapping[str, str]) -> bool:
    """Whether a statement hands a module of PyTorch's on, as in `pick(F, name)` and `[torch]`."""
    nodes = [*ast.walk(tree)]
    within = {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}
    if isinstance(tree, ast.Assign) and all(isinstance(each, ast.Name) for each in tree.targets):
        within.add(id(tree.value))
    for node in nodes:
        if isinstance(node, ast.Match):
            within.add(id(node.subject))
        elif isinstance(node, ast.Call) and called_name(node) in (*LOOKED_UP_BY, "hasattr"):
            within |= {id(each) for each in node.args}
        elif isinstance(node, ast.Call) and called_name(node) in ("import_module", "__import__"):
            names = [str(each.value) for each in node.args if isinstance(each, ast.Constant)]
            if any(name.partition(".")[0] in PACKAGES for name in names):
                return True
    return any(
        isinstance(node, ast.Name | ast.Attribute)
        and isinstance(node.ctx, ast.Load)
        and id(node) not in within
        and root(node) in torch
        and _is_module(_stands_for(node, torch))
        for node in nodes
    )


def root(node: ast.AST) -> str:
    """The name of which something is an attribute or an item; empty, if there is none."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def is_plain(node: ast.Subscript) -> bool:
    """Whether an item is taken by what stands there."""
    return isinstance(node.slice, ast.Constant)


def is_written(node: ast.AST, listed: Mapping[str, list[str]] | None = None) -> bool:
    """Whether a text stands where it is used, or is one of several that do."""
    if isinstance(node, ast.IfExp):
        return is_written(node.body) and is_written(node.orelse)
    return isinstance(node, ast.Constant) or getattr(node, "id", "") in (listed or {})


def _hands_it_on(node: ast.AST, called: Set[int]) -> bool:
    """Whether `getattr` is handed on, or given another name."""
    if isinstance(node, ast.ImportFrom):
        names = {alias.name for alias in node.names}
        return node.module in BUILT_IN and bool(names & {"getattr", "vars", "*"})
    if isinstance(node, ast.Attribute) and id(node) not in called:
        return node.attr in ("getattr", "vars") and root(node) in BUILT_IN
    return isinstance(node, ast.Name) and node.id == "getattr" and id(node) not in called


def _is_put_together(node: ast.AST, local: Set[str]) -> bool:
    """Whether a name is put together where it is used, or is none that a function was given."""
    if isinstance(node, ast.JoinedStr):
        first = node.values[0] if node.values else node
        text = str(first.value) if isinstance(first, ast.Constant) else ""
        return len(text) < SAYS or text.startswith("_")
    if isinstance(node, ast.Name):
        return node.id not in local
    return not isinstance(node, ast.Attribute | ast.Subscript)


def _local(tree: ast.AST) -> set[str]:
    """The arguments and variables of a statement's functions and comprehensions."""
    found = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    if isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return found | _names_bound(tree)
    comprehensions = (node for node in ast.walk(tree) if isinstance(node, ast.comprehension))
    return found.union(*(_names_bound(node.target) for node in comprehensions))


def _names_bound(tree: ast.AST) -> set[str]:
    return {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def _stands_for(node: ast.AST, torch: Mapping[str, str]) -> str:
    """The dotted name of what is reached from a name by attributes; empty, if it is not told."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.insert(0, node.attr)
        node = node.value
    of = torch.get(node.id, "") if isinstance(node, ast.Name) else ""
    return ".".join([of, *names]) if of else ""


def _is_module(dotted: str) -> bool:
    """Whether a dotted name is that of a module, as far as it was imported here; if not, maybe."""
    first, *names = dotted.split(".")
    found: object = sys.modules.get(first)
    if not dotted or found is None:
        return bool(dotted) and names[-1:] in ([], ["nn"], ["functional"], ["_C"], ["ops"])
    for name in names:
        found = vars(found).get(name) if isinstance(found, types.ModuleType) else None
    return isinstance(found, types.ModuleType)
