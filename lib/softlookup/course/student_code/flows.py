"""Into which objects a student's statement puts something, and what.

A method may keep what it is given (``tools.append(f)``), and so may a function or a decorator that
a student wrote. What an object holds then counts for whoever reads it. It cannot be told from the
code whether it is kept, so this only ever leads to a doubt; and an object into which an answer
merely puts something, such as a list of losses, brings nothing.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass

from softlookup.course.student_code.imports import called_name

# Methods that keep what they are given, by what their names begin with, and a module's functions.
KEEPS = re.compile(
    r"_*(?:append|extend|insert|update|setdefault|put|push|send|register|subscribe|connect|enqueue"
    r"|setattr|setitem|add[A-Z_]|set[A-Z_]|i?add_*$|set_*$|load_|copy_)"
)
MODULE_KEEPS = re.compile(r"register|custom_op|define|impl|pickle|patch|set[A-Z]|add[A-Z]")
# What keeps something in the object that it is given first: `type.__setattr__(Own, "f", f)`.
IN_THE_FIRST = re.compile(r"setattr|__set\w+__|setitem|heappush|insort\w*|patch\w*")
BUILT_IN_TYPES = {"list", "dict", "set", "object", "type", "deque", "operator", "OrderedDict"}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Flow:
    """That an object, known by its name, may hold what a tree mentions.

    Where a function of the student's puts it there, the object is ``elsewhere``.
    """

    into: str
    tree: ast.AST
    elsewhere: bool = False


@dataclass(frozen=True)
class Keeping:
    """What a function of the student's does with its arguments.

    ``into`` are the names outside into which it may put them, and ``filled`` the arguments into
    which it puts something, by their places and names.
    """

    into: frozenset[str]
    filled: frozenset[int | str]


def roots(node: ast.AST) -> Iterator[str]:
    """The name of the object of which something is an attribute, an item or what a method gave."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call | ast.Starred):
        if isinstance(node, ast.Call):
            # `attend(q).add(r)` keeps nothing in `attend`; `box.get().append(f)` may, in `box`.
            if called_name(node) in ("vars", "getattr", "iter", "next") and node.args:
                node = node.args[0]
            elif isinstance(node.func, ast.Attribute):
                node = node.func
            else:
                return
        else:
            node = node.value
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.List | ast.Tuple | ast.BoolOp | ast.IfExp | ast.NamedExpr):
        for child in ast.iter_child_nodes(node):
            yield from roots(child)


def read(tree: ast.AST, uses: Set[str]) -> frozenset[str]:
    """The names of which a statement reads something, and into which it does not only put it."""
    put = set[int]()
    for node in ast.walk(tree):
        at: ast.AST | None = None
        if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            at = node.value
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            method = node.value.func
            if isinstance(method, ast.Attribute) and KEEPS.match(method.attr):
                at = method.value
        elif isinstance(node, ast.ClassDef):
            put |= {id(base) for base in node.bases}
        while isinstance(at, ast.Attribute | ast.Subscript):
            at = at.value
        put.add(id(at))
    loaded = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in put)
    return frozenset({node.id for node in loaded} & uses)


def keepings(trees: Iterable[ast.stmt], modules: Set[str]) -> dict[str, Keeping]:
    """What each function that a student defined at the top does with its arguments.

    A class that is told of its subclasses keeps them in itself.
    """
    trees = [*trees]
    told = {tree.name for tree in trees if isinstance(tree, ast.ClassDef) and _is_told(tree)}
    classes = {name: Keeping(frozenset({name}), frozenset()) for name in told}
    defined = {tree.name: tree for tree in trees if isinstance(tree, FUNCTIONS)}
    found = classes
    for _ in range(4):
        found = classes | {name: _keeping(tree, found, modules) for name, tree in defined.items()}
    return found


def _is_told(tree: ast.ClassDef) -> bool:
    names = {getattr(each, "name", "") for each in tree.body}
    return "__init_subclass__" in names or any(each.arg == "metaclass" for each in tree.keywords)


def _keeping(
    tree: ast.FunctionDef | ast.AsyncFunctionDef, known: Mapping[str, Keeping], modules: Set[str]
) -> Keeping:
    arguments = [*tree.args.posonlyargs, *tree.args.args]
    names = [each.arg for each in arguments]
    # What is derived from an argument is one, too.
    given = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    bound = {
        node.id for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }  # fmt: skip
    outside = {
        name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names
    }
    assigned = [node for node in ast.walk(tree) if isinstance(node, ast.Assign)]
    for _ in range(3):
        for each in assigned:
            if _names(each.value) & given:
                for target in each.targets:
                    given |= {n for n in _stored(target) if n not in outside}
    local = (given | bound) - outside
    into, filled = set[str](), set[int | str]()
    for node in ast.walk(tree):
        found = [*_kept(node, known, modules - local, only=True), *_bound(node, outside)]
        trees = {id(flow.tree): flow.tree for flow in found if flow.into not in names}
        handed = {number for number, each in trees.items() if _names(each) & given}
        for flow in found:
            if flow.into in names:
                filled |= {names.index(flow.into), flow.into}
            elif flow.into not in local and id(flow.tree) in handed:
                into.add(flow.into)
    return Keeping(frozenset(into), frozenset(filled))


def flows(
    tree: ast.stmt,
    uses: Set[str],
    modules: Set[str],
    known: Mapping[str, Keeping],
    aliases: Mapping[str, str],
    methods: Set[str],
) -> Iterator[Flow]:
    """What a statement may put into which objects.

    Args:
        tree: the statement.
        uses: the names outside of its own functions that it uses.
        modules: the names of modules where they are imported.
        known: the student's own functions.
        aliases: names that were assigned an object, or a part of one, of another name.
        methods: those of them that were assigned a method that keeps what it is given.
    """
    for node in ast.walk(tree):
        found = [*_kept(node, known, modules, methods)]
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            found += [each for at in node.decorator_list for each in _decorated(at, node, known)]
        if isinstance(node, ast.ClassDef):
            bases = [getattr(base, "id", "") for base in node.bases]
            found += [
                Flow(into, node) for base in bases if base in known for into in known[base].into
            ]
        # Several flows may be of one tree.
        trees = {id(flow.tree): flow.tree for flow in found}
        inside = {number: _names(each) <= uses for number, each in trees.items()}
        for flow in found:
            # What a name within a function stands for is told by the whole of it.
            inner = inside[id(flow.tree)] and not isinstance(tree, FUNCTIONS)
            into, named = flow.into, flow.into in uses or isinstance(tree, FUNCTIONS)
            named |= flow.elsewhere
            for turn in range(3):
                # What an alias stands for need not be named there.
                if into in uses or (into and named and (turn or flow.elsewhere)):
                    yield Flow(into, flow.tree if inner else tree)
                into = aliases.get(into, "")


def assigned_from(trees: Iterable[ast.AST]) -> tuple[dict[str, str], frozenset[str]]:
    """Names that were assigned what another name stands for, or a part of it; and such methods."""
    found, methods = dict[str, str](), set[str]()
    for node in (each for tree in trees for each in ast.walk(tree)):
        if isinstance(node, ast.Assign | ast.NamedExpr) and isinstance(
            node.value, ast.Name | ast.Attribute | ast.Subscript
        ):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for name in (each.id for each in targets if isinstance(each, ast.Name)):
                for root in roots(node.value):
                    found |= {name: root} if root != name else {}
                    if KEEPS.match(getattr(node.value, "attr", "")):
                        methods.add(name)
    return found, frozenset(methods)


def _kept(
    node: ast.AST,
    known: Mapping[str, Keeping],
    modules: Set[str],
    methods: Set[str] = frozenset(),
    only: bool = False,
) -> Iterator[Flow]:
    """What a node may put into which object, by a call or by an assignment to a part of it.

    Where ``only`` is set, methods count that keep what they are given by their names.
    """
    if isinstance(node, ast.Assign) and not isinstance(node.value, ast.Constant):
        for target in node.targets:
            if isinstance(target, ast.Attribute | ast.Subscript):
                yield from (Flow(root, node.value) for root in roots(target))
    elif isinstance(node, ast.AugAssign):
        yield from (Flow(root, node.value) for root in roots(node.target))
    elif isinstance(node, ast.Call) and (node.args or node.keywords):
        yield from _kept_by_a_call(node, known, modules, methods, only)


def _kept_by_a_call(
    node: ast.Call,
    known: Mapping[str, Keeping],
    modules: Set[str],
    methods: Set[str],
    only: bool,
) -> Iterator[Flow]:
    given = [*node.args, *(each.value for each in node.keywords)]
    handed, name = ast.Tuple([*given], ast.Load()), called_name(node)
    first = [*roots(node.args[0])] if node.args else []
    # Handed on, as in `map(tools.append, all)`.
    for each in given:
        if isinstance(each, ast.Attribute) and KEEPS.match(each.attr):
            yield from (Flow(root, handed) for root in roots(each))
    if isinstance(node.func, ast.Attribute):
        of = node.func.value
        for root in roots(of):
            if root in BUILT_IN_TYPES:
                yield from (Flow(each, handed) for each in first if KEEPS.match(name))
            elif root not in modules:
                if KEEPS.match(name) or not (only or isinstance(of, ast.Call)):
                    yield Flow(root, handed)
            elif (KEEPS.match(name) and not isinstance(of, ast.Name)) or MODULE_KEEPS.match(name):
                yield from (Flow(each, handed) for each in [root, *first])
    elif isinstance(node.func, ast.Name):
        if node.func.id in methods:
            yield Flow(node.func.id, handed)
        if keeping := known.get(node.func.id):
            yield from (Flow(root, handed, elsewhere=True) for root in keeping.into)
            filled = [each for place, each in enumerate(node.args) if place in keeping.filled]
            filled += [each.value for each in node.keywords if each.arg in keeping.filled]
            yield from (Flow(root, node) for each in filled for root in roots(each))
    if IN_THE_FIRST.fullmatch(name) or "patch" in _words(node.func):
        yield from (Flow(root, handed) for root in first)
        named = getattr(node.args[0], "value", None) if node.args else None
        if isinstance(named, str):
            yield Flow(named.partition(".")[0], handed)


def _words(node: ast.AST) -> set[str]:
    """The names of a function that is called, one by one."""
    return {getattr(each, "attr", getattr(each, "id", "")) for each in ast.walk(node)}


def _bound(node: ast.AST, outside: Set[str]) -> Iterator[Flow]:
    """What a function assigns to a name outside of it."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from (Flow(name, node.value) for name in _stored(target) if name in outside)


def _decorated(at: ast.expr, node: ast.AST, known: Mapping[str, Keeping]) -> Iterator[Flow]:
    """Into what a decorator may put the function or the class that it decorates."""
    called = at.func if isinstance(at, ast.Call) else at
    if isinstance(called, ast.Name) and called.id in known:
        yield from (Flow(root, node, elsewhere=True) for root in known[called.id].into)
    elif isinstance(called, ast.Attribute) and (
        KEEPS.match(called.attr) or MODULE_KEEPS.match(called.attr)
    ):
        yield from (Flow(root, node) for root in roots(called))


def _names(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _stored(target: ast.AST) -> set[str]:
    return {
        node.id
        for node in ast.walk(target)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
