"""What is known of a student's statement without running it.

Which names it binds and uses, and whether it may run code that cannot be read here: a text that is
computed, a file of another kind, or a module that is made while the notebook runs.
"""

import ast
import importlib.util
import symtable
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath

from softlookup.course.exercises.cell_sources import PARSE_ERRORS, magic, parsed

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
# What runs a file or a module whose name it is given.
RUNS_FILE = {
    *("run_path", "run_module", "import_module", "__import__", "spec_from_file_location"),
    *("safe_execfile", "safe_execfile_ipy", "SourceFileLoader", "SourcelessFileLoader"),
    *("ExtensionFileLoader", "zipimporter"),
}


@dataclass(frozen=True)
class Step:
    """A student's statement: where it stands, the names that it binds and uses, and its tree.

    ``module`` is the name of the file in which it stands, if it is none of the notebook, and
    ``changes`` are the objects of which it may set an attribute or an item, when it runs.
    ``opaque`` says that it may run code from a text, and ``unread`` what it runs that cannot be
    read here, in words; empty, if there is nothing.
    """

    place: str
    module: str
    binds: frozenset[str]
    changes: frozenset[str]
    uses: frozenset[str]
    opaque: bool
    unread: str
    tree: ast.stmt


@dataclass(frozen=True)
class Known:
    """What is known of the modules that may be imported.

    ``beside`` are those whose code is read, ``compiled`` what may be one that is not, and ``made``
    says that files or modules may be made while the notebook runs.
    """

    beside: frozenset[str]
    compiled: frozenset[str]
    made: bool

    def unread(self, module: str) -> bool:
        """Whether to import a module may run code that is not read here.

        What is neither installed nor handed in cannot be imported, unless it is made on the way.
        """
        found = module in self.beside or _installed(module)
        return not found and (self.made or module in self.compiled)


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


def step_of(place: str, tree: ast.stmt, module: str, known: Known) -> Step:
    """What is known of a statement; one of a module runs when it is imported, so binds its name."""
    try:
        binds, uses = _names(symtable.symtable(ast.unparse(tree), "cell", "exec"), True)
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
    # A module has a name of another kind than a variable, which may be called alike.
    binds, uses = binds | ({import_of(module)} if module else set()), uses | {*_imported(tree)}
    nodes = [*ast.walk(tree)]
    uses |= _looked_up(nodes)
    asked = {
        id(each)
        for node in nodes
        if isinstance(node, ast.Compare)
        and all(isinstance(op, ast.In | ast.NotIn) for op in node.ops)
        for each in node.comparators
    }
    calls = [node for node in nodes if isinstance(node, ast.Call) and id(node) not in asked]
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    unread = next(filter(None, (_unread(node, known, id(node) in called) for node in nodes)), "")
    files = any(called_name(node) in RUNS_FILE | MAGICS for node in calls)
    opaque = files or any(map(runs_text, calls)) or bool(unread and calls)
    if not unread and (any(map(_unpickles, calls)) or any(map(_imports_unpickling, nodes))):
        unread = "what was stored, and may be code"
    return Step(
        place, module, frozenset(binds), frozenset(changes), frozenset(uses), opaque, unread, tree
    )


def called_name(node: ast.Call) -> str:
    """The last name of what is called."""
    return getattr(node.func, "id", getattr(node.func, "attr", ""))


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
    # torch.load and numpy.load do so where they are told to.
    told = {each.arg: getattr(each.value, "value", None) for each in node.keywords}
    return called_name(node) == "load" and (
        told.get("weights_only", True) is not True or told.get("allow_pickle", False) is not False
    )


def _imports_unpickling(node: ast.AST) -> bool:
    """Whether a node imports such a function by its own name."""
    return (
        isinstance(node, ast.ImportFrom)
        and node.module in UNPICKLES
        and any(alias.name in UNPICKLING | {"*"} for alias in node.names)
    )


def _unread(node: ast.AST, known: Known, called: bool) -> str:
    """What a node runs that does not stand in the sources, in words; empty, if nothing."""
    if isinstance(node, ast.Call) and _runs_computed_text(node):
        return "code from a text that is computed"
    # Handed on, as in `map(exec, texts)`, or given another name.
    name = getattr(node, "attr", "") if isinstance(node, ast.Attribute) else ""
    alone = node.id if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) else ""
    if not called and (alone in RUNS_TEXT or name in RUNS_TEXT_AS_METHOD - {"ex"}):
        return "code from a text that is computed"
    for module in _modules_of(node):
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


def _modules_of(node: ast.AST) -> Iterator[str | None]:
    """The modules that a node imports or runs, by their first names; None for a computed name."""
    if isinstance(node, ast.Import):
        yield from (alias.name.partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield "" if node.level else (node.module or "").partition(".")[0]
    elif isinstance(node, ast.Call):
        called = getattr(node.func, "id", getattr(node.func, "attr", ""))
        given = [each.value if isinstance(each, ast.Constant) else None for each in node.args]
        if called == "run_line_magic" and given[:1] == ["run"]:
            words = [word for word in str(given[1]).split() if not word.startswith("-")]
            yield _run(words[0].strip("'\"")) if words else None
        elif called in RUNS_FILE and given:
            yield _run(given[-1 if called.endswith(("location", "Loader")) else 0])


def _run(name: object) -> str | None:
    """The first name of a module or a file of code that is run; of another file, its whole name."""
    if not isinstance(name, str):
        return None
    path = PurePosixPath(name)
    if path.suffix in (".py", ".ipynb"):
        return module_name(name.removeprefix("./"))
    return name.partition(".")[0] if _installed(name.partition(".")[0]) else name


def _looked_up(nodes: list[ast.AST]) -> set[str]:
    """The names that a statement may look up in a namespace of the notebook's; mostly none."""
    words = {getattr(node, "attr", getattr(node, "id", "")) for node in nodes}
    words |= {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    if not words & NAMESPACES:
        return set()
    return words | {str(node.value) for node in nodes if isinstance(node, ast.Constant)}


def import_of(module: str) -> str:
    """What a statement uses that imports or runs a module."""
    return f"import {module}"


def _imported(tree: ast.stmt) -> Iterator[str]:
    """The modules that a statement imports or runs, by the first parts of their names."""
    for node in ast.walk(tree):
        yield from (import_of(module) for module in _modules_of(node) if module)


def _names(table: symtable.SymbolTable, top: bool = False) -> tuple[set[str], set[str]]:
    """The global names that a scope and its inner scopes bind and use."""
    binds, uses = set[str](), set[str]()
    for symbol in table.get_symbols():
        if top or symbol.is_global():
            if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace():
                binds.add(symbol.get_name())
            if symbol.is_referenced():
                uses.add(symbol.get_name())
    for child in table.get_children():
        more_binds, more_uses = _names(child)
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


@cache
def _installed(module: str) -> bool:
    """Whether a module of this name can be imported here, which does not run it."""
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError, AttributeError):
        return False


def module_name(path: str) -> str:
    """The name by which a file beside the notebook is imported, the first of several.

    A notebook is run, and cannot be imported: it is known by its whole name.
    """
    return PurePosixPath(path).parts[0].removesuffix(".py")
