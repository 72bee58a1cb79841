"""Whether a student's statement is written in words that the check knows.

Checks that look for what is forbidden are never complete. This one turns it round: it knows what
answers are written with (``plain_words``), and whatever else stands in a statement is not run where
the answers count, but shown to a person. A student's own names are plain, as long as no module is
handed on as a value, so that nobody can tell of which object an attribute is taken.
"""

import ast
import builtins
import re
from collections.abc import Iterator

from softlookup.course.exercises import plain_words
from softlookup.course.exercises.plain_book import Book, bound_by, module_of
from softlookup.course.exercises.plain_calls import (
    BASES,
    BY_ITS_OWN_NAME,
    looked_at,
    of_a_call,
    of_axes,
    taken_from,
)
from softlookup.course.exercises.plain_known import knows, special, words_of
from softlookup.course.exercises.student_imports import names_listed

# What IPython keeps of what a cell has shown.
SHOWN = re.compile(r"In|Out|_{2,3}|_i{1,3}|_i?\d+|_[iod]h")
LOOKS_UP = {"getattr", "setattr", "delattr", "hasattr"}
LOOKS_AT = {"isinstance", "issubclass", "print", "repr", "str", "id", "hash"}
HANDED_ON = "a module as a value"


def strange_words(tree: ast.stmt, book: Book) -> list[str]:
    """What of a statement is written in other words, parts of modules before others.

    Args:
        tree: the statement.
        book: what is known of all statements that run with it.
    """
    return sorted(_strange(tree, book), key=lambda word: "." not in word)


def _strange(tree: ast.stmt, book: Book) -> Iterator[str]:
    nodes, listed = [*ast.walk(tree)], names_listed(tree)
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    exempt = {id(each) for node in nodes for each in _not_handed_on(node, book)}
    exempt -= {id(each) for node in nodes for each in _in_a_class(node)}
    decorators = {id(each) for node in nodes for each in getattr(node, "decorator_list", ())}
    asked_after = {id(each) for node in nodes for each in _only_looked_at(node)}
    bases = {id(each) for node in nodes if isinstance(node, ast.ClassDef) for each in node.bases}
    told = {id(n.value) for n in nodes if isinstance(n, ast.Subscript | ast.Attribute)}
    for node in nodes:
        if isinstance(node, ast.Attribute):
            # `net.eval()` is known, and what evaluates a text is not.
            handed = node.attr == "eval" and id(node) not in called
            if handed or not knows(node.value, node.attr, book):
                yield _dotted(node, book)
            sets = not isinstance(node.ctx, ast.Load)
            if sets and taken_from(node.value) in {*book.roots, *book.lent}:
                yield f"{_dotted(node, book)}, to set it"
        elif isinstance(node, ast.Name):
            yield from _of_a_name(node, book)
        elif isinstance(node, ast.ClassDef) and (
            node.keywords or any(isinstance(each, ast.Starred) for each in node.bases)
        ):
            yield "a class that is told how to be made"
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from _of_an_import(node, book)
        elif isinstance(node, ast.MatchClass):
            yield from (each for each in node.kwd_attrs if not knows(node.cls, each, book))
        elif isinstance(node, ast.Call):
            yield from of_a_call(node, book, listed)
        yield from (
            name for name in bound_by(node) if special(name) and name not in plain_words.SPECIAL
        )
        if _is_a_class(node) and id(node) not in asked_after:
            yield "a class as a value"
        if (name := looked_at(node, book)) and id(node) not in called | asked_after:
            decorates = name in ("dataclass", "compile")
            free = decorators if decorates else bases if name in BASES else set()
            if id(node) not in free:
                yield f"{name} as a value"
        yield from of_axes(node, book, told)
        if id(node) not in exempt and module_of(node, book.roots):
            yield HANDED_ON


def _of_a_name(node: ast.Name, book: Book) -> Iterator[str]:
    """A name to which Python or IPython gives a meaning that is not known, whoever binds it."""
    built_in = getattr(builtins, node.id, None)
    is_error = isinstance(built_in, type) and issubclass(built_in, BaseException)
    if node.id in plain_words.BUILT_IN or is_error or not isinstance(node.ctx, ast.Load):
        return
    if built_in is not None or node.id in plain_words.OF_IPYTHON or SHOWN.fullmatch(node.id):
        yield node.id
        return
    if node.id in book.bound | {*book.roots, *book.files}:
        return
    known = book.starred and any(node.id in words for words in plain_words.MODULES.values())
    # What nothing binds is an error where it stands, unless IPython has it.
    if not known and (node.id.startswith("_") or book.starred):
        yield node.id


def _of_an_import(node: ast.Import | ast.ImportFrom, book: Book) -> Iterator[str]:
    """What an import brings that is not known."""
    for alias in node.names:
        module = node.module or "" if isinstance(node, ast.ImportFrom) else alias.name
        root, *parts = module.split(".")
        if alias.name in BY_ITS_OWN_NAME and alias.asname not in (None, alias.name):
            yield f"{alias.name} under another name"
        if root in book.files or (isinstance(node, ast.ImportFrom) and node.level):
            if isinstance(node, ast.ImportFrom) and alias.name in book.roots:
                yield HANDED_ON
            continue
        if root not in plain_words.MODULES:
            yield f"{module}.{alias.name}" if isinstance(node, ast.ImportFrom) else module
            continue
        known = plain_words.PARTS.get(root, frozenset())
        if isinstance(node, ast.ImportFrom):
            inside = alias.name in known - {*parts} and not set(parts) - known
            if alias.name == "*":
                yield from [f"{module}.*"] if set(parts) - known else []
            elif not inside and alias.name not in words_of(module):
                used = (alias.asname or alias.name) in book.loaded
                yield from [f"{module}.{alias.name}"] if used else []
        unknown = [place for place, part in enumerate(parts, start=1) if part not in known]
        yield from (".".join([root, *parts[:place]]) for place in unknown)


def _dotted(node: ast.Attribute, book: Book) -> str:
    """An attribute's name, behind that of the module of which it is taken."""
    return f"{module_of(node.value, book.roots)}.{node.attr}".strip(".")


def _not_handed_on(node: ast.AST, book: Book) -> Iterator[ast.AST]:
    """Where a module stands and is not handed on: before a dot, under a new name, for a look."""
    if isinstance(node, ast.Attribute):
        yield node.value
    elif isinstance(node, ast.Assign) and all(isinstance(t, ast.Name) for t in node.targets):
        yield from (node.value, *node.targets)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        looks = node.func.id in LOOKS_UP
        yield from node.args if looks and node.func.id not in book.bound else []
    if isinstance(node, ast.Name | ast.Attribute) and not isinstance(node.ctx, ast.Load):
        yield node


def _in_a_class(node: ast.AST) -> Iterator[ast.AST]:
    """What a class assigns is its attribute, and no name."""
    if isinstance(node, ast.ClassDef):
        yield from (each.value for each in ast.walk(node) if isinstance(each, ast.Assign))


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
