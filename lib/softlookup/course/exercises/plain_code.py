"""Whether a student's statement is written in words that the check knows.

Other checks look for what is forbidden, and no list of ways around them is ever complete. This one
turns it round: it knows what answers are written with (``plain_words``), and whatever else stands
in a cell is shown to a person. A student's own names are plain, as long as no module is handed on
as a value, so that nobody can tell of which object an attribute is taken.
"""

import ast
import builtins
import re
from collections.abc import Iterator

from softlookup.course.exercises import plain_words
from softlookup.course.exercises.cell_sources import parsed
from softlookup.course.exercises.plain_book import Book, bound_by, first, module_of
from softlookup.course.exercises.plain_calls import (
    BASES,
    BY_ITS_OWN_NAME,
    looked_at,
    of_a_call,
    of_what_is_told,
    taken_from,
)
from softlookup.course.exercises.plain_commands import SHELL, command_of, is_known
from softlookup.course.exercises.plain_known import knows, special, words_of
from softlookup.course.exercises.student_imports import (
    called_name,
    installed,
    names_listed,
)

# What IPython keeps of what a cell has shown.
SHOWN = re.compile(r"In|Out|_{2,3}|_i{1,3}|_i?\d+|_[iod]h")
RUNS_A_TEXT = {"exec", "eval", "compile"}
LOOKS_UP = {"getattr", "setattr", "delattr", "hasattr"}
LOOKS_AT = {"isinstance", "issubclass", "print", "repr", "str", "id", "hash"}
HANDED_ON = "a module as a value"


def strange_words(tree: ast.stmt, book: Book, tools: bool = False) -> list[str]:
    """What of a statement is written in other words, parts of modules before others.

    Args:
        tree: the statement.
        book: what is known of the notebook.
        tools: whether it may look, time and write down, as a cell may on which no answer depends.
    """
    return sorted(_strange(tree, book, tools), key=lambda word: "." not in word)


def _strange(tree: ast.stmt, book: Book, tools: bool) -> Iterator[str]:
    nodes, listed = [*ast.walk(tree)], names_listed(tree)
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    called = {id(node.func) for node in calls}
    attributes = [node for node in nodes if isinstance(node, ast.Attribute)]
    versions = {id(node.value) for node in attributes if node.attr == "__version__"}
    commands = {id(each) for node in calls if command_of(node) for each in ast.walk(node.func)}
    asked = {id(each) for node in nodes for each in _only_asked_for_a_name(node, book)}
    exempt = {id(each) for node in nodes for each in _not_handed_on(node, book)}
    exempt -= {id(each) for node in nodes for each in _in_a_class(node)}
    decorators = {id(each) for node in nodes for each in getattr(node, "decorator_list", ())}
    asked_after = {id(each) for node in nodes for each in _only_looked_at(node)}
    bases = {id(each) for node in nodes if isinstance(node, ast.ClassDef) for each in node.bases}
    told = {id(n.value) for n in nodes if isinstance(n, ast.Subscript | ast.Attribute)}
    options = {
        id(target)
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
    }
    for node in nodes:
        if id(node) in commands | asked:
            continue
        if isinstance(node, ast.Attribute):
            # `net.eval()` is known, and what evaluates a text is not.
            handed = node.attr in ("eval", "rename") and id(node) not in called
            if handed or not knows(node.value, node.attr, book, tools):
                yield _dotted(node, book)
            sets = not isinstance(node.ctx, ast.Load) and id(node) not in options
            if sets and taken_from(node.value) in {*book.roots, *book.lent}:
                yield f"{_dotted(node, book)}, to set it"
        elif isinstance(node, ast.Name):
            yield from _of_a_name(node, book)
        elif isinstance(node, ast.ClassDef) and (
            node.keywords or any(isinstance(each, ast.Starred) for each in node.bases)
        ):
            yield "a class that is told how to be made"
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from _of_an_import(node, book, tools)
        elif isinstance(node, ast.MatchClass):
            yield from (each for each in node.kwd_attrs if not knows(node.cls, each, book, tools))
        elif isinstance(node, ast.Call):
            if (command := command_of(node)) and not is_known(command):
                yield command.split()[0]
            yield from of_a_call(node, book, tools, listed, versions)
            for each in _run_by_a_text(node):
                yield from _strange(each, book, tools)
                if any(_moves_a_module(inner, book) for inner in ast.walk(each)):
                    yield f"{called_name(node)} of an import"
        yield from (
            name for name in bound_by(node) if special(name) and name not in plain_words.SPECIAL
        )
        if _is_a_class(node) and id(node) not in asked_after:
            yield "a class as a value"
        if (name := looked_at(node, book)) and id(node) not in called | asked_after:
            free = decorators if name == "dataclass" else bases if name in BASES else set()
            if id(node) not in free:
                yield f"{name} as a value"
        yield from of_what_is_told(node, book, told)
        module = "" if id(node) in exempt else module_of(node, book.roots)
        if module and installed(first(module)):
            yield HANDED_ON


def _of_a_name(node: ast.Name, book: Book) -> Iterator[str]:
    """A name to which Python or IPython gives a meaning that is not known, whoever binds it."""
    built_in = getattr(builtins, node.id, None)
    is_error = isinstance(built_in, type) and issubclass(built_in, BaseException)
    if node.id in plain_words.BUILT_IN or is_error:
        return
    if not isinstance(node.ctx, ast.Load):
        return
    if built_in is not None or node.id == SHELL or SHOWN.fullmatch(node.id):
        yield node.id
        return
    if node.id in book.bound | {*book.roots, *book.files}:
        return
    known = book.starred and any(node.id in words for words in plain_words.MODULES.values())
    # What nothing binds is an error where it stands, unless IPython has it.
    if not known and (node.id.startswith("_") or book.starred):
        yield node.id


def _of_an_import(node: ast.Import | ast.ImportFrom, book: Book, tools: bool) -> Iterator[str]:
    """What an import brings that is not known; of what is not installed, it brings nothing."""
    for alias in node.names:
        module = node.module or "" if isinstance(node, ast.ImportFrom) else alias.name
        root, *parts = module.split(".")
        if alias.name in BY_ITS_OWN_NAME and alias.asname not in (
            None,
            alias.name,
        ):
            yield f"{alias.name} under another name"
        if root in book.files or (isinstance(node, ast.ImportFrom) and node.level):
            if isinstance(node, ast.ImportFrom) and alias.name in book.roots:
                yield HANDED_ON
            continue
        if not installed(root):
            yield from [root] if book.makes else []
            continue
        known = plain_words.PARTS.get(root, frozenset())
        if isinstance(node, ast.ImportFrom):
            inside = alias.name in known - {*parts} and not set(parts) - known
            if alias.name == "*":
                if root not in plain_words.MODULES or set(parts) - known:
                    yield f"{module}.*"
            elif not inside and alias.name not in words_of(module, tools):
                used = (alias.asname or alias.name) in book.loaded
                yield from [f"{module}.{alias.name}"] if used else []
        if tools and root in plain_words.TOOLS:
            continue
        unknown = [place for place, part in enumerate(parts, start=1) if part not in known]
        yield from (".".join([root, *parts[:place]]) for place in unknown)


def _dotted(node: ast.Attribute, book: Book) -> str:
    """An attribute's name, behind that of the module of which it is taken."""
    return f"{module_of(node.value, book.roots)}.{node.attr}".strip(".")


def _run_by_a_text(node: ast.Call) -> list[ast.stmt]:
    """The statements of a text that a call runs, if the text stands there."""
    if isinstance(node.func, ast.Name) and node.func.id in RUNS_A_TEXT and node.args:
        text = getattr(node.args[0], "value", None)
        return parsed(text) if isinstance(text, str) else []
    return []


def _only_asked_for_a_name(node: ast.AST, book: Book) -> Iterator[ast.AST]:
    """Where what finds or runs code is asked for what stands there, and for nothing else.

    `"np" in globals()`, `globals()["n"] = 3`, `sys.modules.pop("mine")` and `exec("x = 3")`.
    """
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
        key = getattr(node.slice, "value", None)
        if isinstance(node.value, ast.Call) and called_name(node.value) == "globals":
            free = isinstance(key, str) and not special(key) and not hasattr(builtins, key)
            yield from [node.value.func] if free and key not in book.lent else []
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
        compiled = isinstance(node.args[0], ast.Call) and called_name(node.args[0]) == "compile"
        if node.func.id in RUNS_A_TEXT and (compiled or _run_by_a_text(node)):
            yield node.func
        elif node.func.id == "len":
            yield from (each for each in node.args if getattr(each, "attr", "") == "modules")
        elif node.func.id == "__import__":
            yield node.func
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        # What a statement throws away is not kept.
        func = node.value.func
        if isinstance(func, ast.Attribute) and func.attr == "pop":
            yield from ([func.value] if getattr(func.value, "attr", "") == "modules" else [])
    if isinstance(node, ast.Compare) and all(isinstance(o, ast.In | ast.NotIn) for o in node.ops):
        for each in node.comparators:
            if isinstance(each, ast.Call) and called_name(each) in (
                "globals",
                "locals",
                "dir",
            ):
                yield each.func
            elif isinstance(each, ast.Attribute) and each.attr == "modules":
                yield each


def _not_handed_on(node: ast.AST, book: Book) -> Iterator[ast.AST]:
    """Where a module stands and is not handed on: before a dot, under a new name, for a look."""
    if isinstance(node, ast.Attribute):
        yield node.value
    elif isinstance(node, ast.Assign) and all(isinstance(t, ast.Name) for t in node.targets):
        yield from (node.value, *node.targets)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        looks = node.func.id in LOOKS_UP | {"dir", "help", "print"}
        yield from node.args if looks and node.func.id not in book.bound else []
    if isinstance(node, ast.Name | ast.Attribute) and not isinstance(node.ctx, ast.Load):
        yield node


def _in_a_class(node: ast.AST) -> Iterator[ast.AST]:
    """What a class assigns is its attribute, and no name."""
    if isinstance(node, ast.ClassDef):
        yield from (each.value for each in ast.walk(node) if isinstance(each, ast.Assign))


def _moves_a_module(node: ast.AST, book: Book) -> bool:
    """Whether a node of a text that is run imports, gives a module a name, or takes one away."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        return node.id in book.roots
    assigned = isinstance(node, ast.Assign) and bool(module_of(node.value, book.roots))
    return assigned or isinstance(node, ast.Import | ast.ImportFrom)


def _is_a_class(node: ast.AST) -> bool:
    """Whether a node is the class of something, by which others could be made."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "type"
    name = getattr(node, "attr", getattr(node, "id", ""))
    return name == "__class__" and isinstance(node, ast.Attribute | ast.Name)


def _only_looked_at(node: ast.AST) -> Iterator[ast.AST]:
    """Where a class is named, compared, or asked for one more of its kind, and not kept."""
    if isinstance(node, ast.Attribute) and node.attr in (
        "__name__",
        "__qualname__",
        "__doc__",
    ):
        yield node.value
    elif isinstance(node, ast.Compare):
        yield from (node.left, *node.comparators)
    elif isinstance(node, ast.FormattedValue | ast.Expr):
        yield node.value
    elif isinstance(node, ast.Subscript):
        yield node.slice
    elif isinstance(node, ast.Call):
        if getattr(node.func, "id", "") in LOOKS_AT:
            yield from node.args
        if len(node.args) <= 1 and not node.keywords:
            yield node.func
