"""Which names a statement mentions that are not the student's own."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Set

from softlookup.course.student_code.imports import called_name

DOTTED = re.compile(r"[\w.]*\w")
# What looks a name up by the text that it is given.
LOOKS_UP = {"getattr", "attrgetter", "methodcaller", "__getattribute__", "import_module"}
# What a method of the student's can be told from: a call through a module is not one of theirs.
MODULES = {"torch", "F", "nn", "functional", "softlookup"}
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
SCOPES = (*DEFINITIONS, ast.Lambda, ast.GeneratorExp)
MOST_DOTS = 20


def assigned(nodes: Iterable[ast.AST]) -> set[str]:
    """The variables that some code binds in its own scope."""
    waiting, bound, elsewhere = [*nodes], set[str](), set[str]()
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
        elif isinstance(node, DEFINITIONS):
            bound.add(node.name)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            elsewhere |= {*node.names}
        if not isinstance(node, SCOPES):
            waiting += ast.iter_child_nodes(node)
    return bound - elsewhere


def mentioned(
    tree: ast.AST,
    own: Set[str],
    methods: Set[str],
    renamed: Mapping[str, str],
    modules: Set[str] = frozenset(),
) -> Iterator[tuple[str, bool]]:
    """The names that a statement mentions, except those that the student defined.

    With each, whether it is used for sure: a text that is handed to some function may be a name,
    or words. A module that was imported as something else is given its own name again, and a method
    of the student's own is none of a module's. What a statement imports is told by ``imported``.
    """
    waiting, theirs, by_text = [(tree, own)], own, any(map(_looks_up, ast.walk(tree)))
    # An import binds a name wherever it stands, whatever else is assigned to it there.
    here = modules & {name for _, name in _bound_by_imports(tree)}
    while waiting:
        node, own = waiting.pop()
        if inside := _locals(node):
            own = own | inside
        waiting += ((child, own) for child in ast.iter_child_nodes(node))
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load) and node.id not in own:
                yield node.id, True
        elif isinstance(node, ast.Attribute):
            root, *rest = _dotted(node)
            of_a_module = root in modules and (root in here or root not in own - theirs)
            root = renamed.get(root, root)
            if node.attr not in methods or root in MODULES or of_a_module:
                yield ".".join(rest if root in own else [root, *rest]), True
        elif isinstance(node, ast.MatchClass):
            # `case ModuleType(name=f)` takes an attribute.
            for name in node.kwd_attrs:
                yield name, name not in methods
                yield f"torch.{name}", False
        elif isinstance(node, ast.Constant) and isinstance(node.value, complex):
            yield "complex", True
        elif by_text and isinstance(node, ast.Constant) and isinstance(node.value, str):
            if DOTTED.fullmatch(node.value):
                yield node.value, False
        elif isinstance(node, ast.Call):
            named = getattr(node.args[1], "value", None) if len(node.args) > 1 else None
            if called_name(node) == "getattr" and isinstance(named, str):
                # `getattr(layers, "attention")` is `layers.attention`.
                waiting.append((ast.Attribute(node.args[0], named, ast.Load()), own))
            for text in (a.value for a in node.args if isinstance(a, ast.Constant)):
                if isinstance(text, str) and DOTTED.fullmatch(text):
                    yield text, called_name(node) in LOOKS_UP


def imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """What a statement imports, by its dotted name, and the name by which it is used.

    Of what is used in the statement itself, or may be all that a module has, the second is empty.
    """
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for brings, name in _bound_by_imports(tree):
        yield brings, "" if name in used | {"*"} else name


def _bound_by_imports(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """What each import in a statement brings, by its dotted name, and the name that it binds."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = getattr(node, "module", None) or ""
            for alias in node.names:
                name = alias.asname or alias.name.partition(".")[0]
                yield f"{module}.{alias.name}".strip("."), name


def _locals(node: ast.AST) -> set[str]:
    """The arguments and variables of a scope; none, if a node is no scope."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        given = {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)}
        return given | assigned(node.body if isinstance(node.body, list) else [node.body])
    if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        return assigned(each.target for each in node.generators)
    return set()


def _looks_up(node: ast.AST) -> bool:
    """Whether a name is looked up by a text, which may stand anywhere around."""
    if isinstance(node, ast.Attribute):
        return node.attr == "__dict__"
    computed = isinstance(node, ast.Call) and [
        each for each in node.args[1:2] if not isinstance(each, ast.Constant)
    ]
    if not isinstance(node, ast.Call) or not computed:
        return isinstance(node, ast.Call) and called_name(node) == "vars" and bool(node.args)
    return called_name(node) == "getattr"


def _dotted(node: ast.Attribute) -> list[str]:
    """An attribute's name behind the names of what it is an attribute of, a few at most."""
    names, at = [node.attr], node.value
    while isinstance(at, ast.Attribute) and len(names) < MOST_DOTS:
        names.append(at.attr)
        at = at.value
    if isinstance(at, ast.Name):
        names.append(at.id)
    return names[::-1]
