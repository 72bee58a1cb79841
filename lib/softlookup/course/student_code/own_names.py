"""Which names in a student's code are the student's own, and which stand for a module."""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from softlookup.course.student_code.imports import called_name
from softlookup.course.student_code.mentions import DEFINITIONS, MODULES, assigned


@dataclass(frozen=True)
class OwnNames:
    """The names that a student gave.

    Attributes:
        own: functions, classes and variables at the top of a cell or a file.
        methods: methods and fields of the student's own classes, and of named tuples and the like.
        modules: names of modules where they are imported.
        renamed: what else a name stands for, such as a module imported under another name.
    """

    own: frozenset[str]
    methods: frozenset[str]
    modules: frozenset[str]
    renamed: dict[str, str]


def own_names(trees: Iterable[ast.stmt]) -> OwnNames:
    """The names that a student gave in some statements."""
    trees = [*trees]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    own = {tree.name for tree in trees if isinstance(tree, DEFINITIONS)}
    imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    aliases = [alias for node in imports for alias in node.names]
    # A variable of the student's may have any name, where no `import *` may have bound it.
    if not any(alias.name == "*" for alias in aliases):
        imported = {alias.asname or alias.name for alias in aliases}
        variables = {name for tree in trees for name in assigned([tree])}
        own |= variables - imported - MODULES
    return OwnNames(
        frozenset(own),
        frozenset(name for each in classes for name in _members(each)) | {*_fields(nodes)},
        frozenset((alias.asname or alias.name).partition(".")[0] for alias in aliases),
        {alias.asname: alias.name.rpartition(".")[2] for alias in aliases if alias.asname}
        | dict(_module_assigned(nodes)),
    )


def defined_by(tree: ast.stmt) -> list[str]:
    """What a statement defines: a function, a class, or the variables that it assigns alone."""
    if isinstance(tree, DEFINITIONS):
        return [tree.name]
    targets = tree.targets if isinstance(tree, ast.Assign) else []
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    return names if len(names) == len(targets) else []


def _members(defined: ast.ClassDef) -> Iterator[str]:
    """The methods of a class, and its fields, which are told by where they are set."""
    for each in defined.body:
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
            yield each.name
        elif isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            yield each.target.id
    for node in ast.walk(defined):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def _fields(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The fields of named tuples, and of objects that are made of names and values."""
    for node in nodes:
        if isinstance(node, ast.Call) and called_name(node) == "SimpleNamespace":
            yield from (each.arg for each in node.keywords if each.arg)
        elif isinstance(node, ast.Call) and called_name(node) == "namedtuple":
            for each in (inner for given in node.args[1:2] for inner in ast.walk(given)):
                if isinstance(each, ast.Constant) and isinstance(each.value, str):
                    yield from each.value.replace(",", " ").split()


def _module_assigned(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, str]]:
    """Names that are assigned a module, as in `lib = torch.nn.functional`, and the module."""
    for node in nodes:
        if isinstance(node, ast.Assign):
            module = getattr(node.value, "attr", getattr(node.value, "id", ""))
            for target in node.targets:
                if isinstance(target, ast.Name) and module in MODULES:
                    yield target.id, module
