"""What a call looks up or makes by what it is told.

A few functions do what is said by their arguments: they take an attribute by a text, or make a
class. So where one of them stands, it is called, by its own name, and what it is given is written
out.
"""

import ast
import builtins
import re
from collections.abc import Iterator, Mapping, Set
from functools import lru_cache
from typing import TypeGuard

from softlookup.course.student_code import plain_words
from softlookup.course.student_code.imports import called_name, fields_of
from softlookup.course.student_code.plain_book import (
    REGISTERS,
    Book,
    looked_up,
    module_of,
    of_others,
    shape_of,
)
from softlookup.course.student_code.plain_known import knows, special

ENUMS = {"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"}
BASES = {*ENUMS, "NamedTuple"}
LOOKED_AT = {
    *("getattr", "setattr", "delattr", "type", "dataclass", "wraps", "namedtuple", "compile"),
    "SimpleNamespace",
    *BASES,
}
# What evaluates a text, and the texts that name axes and nothing else.
ANNOTATIONS = {"Float", "Int", "Bool", "Shaped"}
AXES = re.compile(r"[\w\s.*#?=-]*")
# What an import may not give another name.
BY_ITS_OWN_NAME = LOOKED_AT | ANNOTATIONS | {"ndarray"}


def of_a_call(node: ast.Call, book: Book, listed: Mapping[str, list[str]]) -> Iterator[str]:
    """What a call looks up or makes by what it is told."""
    name, words = called_name(node), {each.arg: each.value for each in node.keywords}
    spread = None in words or any(isinstance(each, ast.Starred) for each in node.args)
    if spread and looked_at(node.func, book):
        yield f"{name} of what is spread out"
    if name in ("setattr", "delattr") and isinstance(node.func, ast.Name):
        of = node.args[0] if node.args else node
        if taken_from(of) in book.made_elsewhere:
            yield f"{name} of what is imported"
        own = is_their_own(of, book)
        for text in _texts(node.args[1:2], listed, shapes=own):
            if text is None:
                yield f"{name} by a name that is computed"
            elif special(text) or text.startswith("_") or not knows(of, text, book):
                yield text
            elif not own and not may_be_set(text, book):
                yield f"{name} of {text}"
    elif name == "format" and isinstance(node.func, ast.Attribute):
        for text in _texts([node.func.value], {**book.texts, **listed}):
            if text is None:
                yield "format of a text that is computed"
            else:
                yield from (each for each in fields_of(text) if not knows(node, each, book))
    elif name == "classmethod":
        # What it is made of takes a class for its first argument.
        yield f"{name}, as a function"
    elif "extra" in words:
        # Logging gives a record attributes by any name that it is told.
        yield f"{name} of extra names"
    elif name == "SimpleNamespace" and (node.args or None in words):
        yield f"{name} of what is spread out"
    elif name in REGISTERS:
        if spread or not (node.args or "name" in words):
            yield f"{name} of what is spread out"
        told = [*node.args[:1], *(value for word, value in words.items() if word == "name")]
        for text in _texts(told, listed):
            if text is None and not all(map(_has_an_end, told)):
                yield f"{name} by a name that is computed"
    elif name in ENUMS and (len(node.args) > 1 or words):
        yield f"{name}, to make a class"
    elif name == "compile" and (len(node.args) != 1 or words):
        yield "compile, by what is told"
    elif name == "dataclass" and node.args:
        yield "dataclass, as a function"
    elif name == "wraps" and (len(node.args) != 1 or words):
        yield f"{name} of names that are told"
    elif name == "getattr" and isinstance(node.func, ast.Name):
        # Of another object nobody can tell what a name with gaps leads to.
        own = bool(node.args) and is_their_own(node.args[0], book)
        for text in _texts(node.args[1:2], listed, shapes=own):
            if not text:
                yield "getattr by a name that is computed"
            elif text in BY_ITS_OWN_NAME:
                yield f"{text} as a value"
            elif not knows(node.args[0], text, book):
                yield f"{module_of(node.args[0], book.roots)}.{text}".strip(".")
    elif name == "eval" and isinstance(node.func, ast.Attribute) and node.args:
        # A table evaluates a text; a layer is only told that it is no longer trained.
        yield "eval of a text"
    elif name == "type" and isinstance(node.func, ast.Name) and len(node.args) != 1:
        yield "type, to make a class"
    elif name == "super" and not _of_itself(node):
        yield "super of what is told"


def is_their_own(node: ast.AST, book: Book) -> bool:
    """Whether an expression stands for a method's own object, or one of the student's making."""
    name = getattr(node, "id", "")
    made = isinstance(node, ast.Call) and getattr(node.func, "id", "") in book.makes_own
    return made or (book.selves and name == "self") or name in book.objects


def may_be_set(name: str, book: Book) -> bool:
    """Whether an attribute may be set on anything: data, or what no library looks up."""
    own = name in book.own and name not in plain_words.OBJECTS and name not in looked_up()
    return own or name in plain_words.DATA


def _of_itself(node: ast.Call) -> bool:
    """Whether `super` is asked of a method's own object."""
    given = [getattr(each, "id", "") for each in node.args]
    return not node.keywords and (not given or given[1:] == ["self"])


def looked_at(node: ast.AST, book: Book) -> str:
    """The name of what is looked at where it is called, if a node stands for such a thing."""
    if isinstance(node, ast.Attribute):
        of_a_module = isinstance(node.ctx, ast.Load) and bool(module_of(node.value, book.roots))
        return node.attr if of_a_module and node.attr in LOOKED_AT else ""
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
        return ""
    theirs = not (hasattr(builtins, node.id) or node.id in book.lent)
    return "" if theirs or node.id in book.roots or node.id not in LOOKED_AT else node.id


def taken_from(node: ast.AST) -> str:
    """The name of which an expression is a part, by dots alone."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def of_axes(node: ast.AST, book: Book, told: Set[int]) -> Iterator[str]:
    """Annotations of arrays whose axes are computed: they are evaluated."""
    name = getattr(node, "attr", getattr(node, "id", ""))
    if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
        if name in ANNOTATIONS and _is_of_jaxtyping(node, book) and id(node) not in told:
            yield f"{name} as a value"
    elif isinstance(node, ast.Subscript):
        of = getattr(node.value, "attr", getattr(node.value, "id", ""))
        if of in ANNOTATIONS and _is_of_jaxtyping(node.value, book):
            axes = getattr([None, *getattr(node.slice, "elts", [])][-1], "value", None)
            if not (isinstance(axes, str) and AXES.fullmatch(axes)):
                yield f"{of} of axes that are computed"


def _is_of_jaxtyping(node: ast.AST, book: Book) -> bool:
    if isinstance(node, ast.Attribute):
        return module_of(node.value, book.roots) == "jaxtyping"
    return getattr(node, "id", "") in book.lent


def _texts(
    nodes: list[ast.expr], listed: Mapping[str, list[str]], shapes: bool = False
) -> Iterator[str | None]:
    """The texts that a node may stand for; None, if that cannot be told.

    Where ``shapes`` is set, one that has gaps may be told by what is written around them.
    """
    for node in nodes:
        if isinstance(node, ast.Constant):
            yield node.value if isinstance(node.value, str) else None
        elif isinstance(node, ast.IfExp):
            yield from _texts([node.body, node.orelse], listed, shapes)
        elif isinstance(node, ast.Name) and node.id in listed:
            yield from listed[node.id]
        elif shapes and isinstance(node, ast.JoinedStr) and _says_enough(node):
            continue
        else:
            yield None


def _says_enough(node: ast.JoinedStr) -> bool:
    """Whether nothing but a name of the student's own can be what a text with gaps says."""
    shape = shape_of(node)
    return bool(shape) and not _fits_foreign(shape)


@lru_cache(maxsize=4096)
def _fits_foreign(shape: str) -> bool:
    pattern = re.compile(shape)
    return any(pattern.fullmatch(name) for name in of_others())


def _has_an_end(node: ast.expr) -> bool:
    """Whether a text with gaps cannot be the name of a special method, whatever fills them."""
    ends = [getattr(node.values[n], "value", "") for n in (0, -1)] if _has_gaps(node) else ["", ""]
    first_part, last = (end if isinstance(end, str) else "" for end in ends)
    begins = bool(first_part) and not first_part.startswith("_")
    return begins or (bool(last) and not last.endswith("_"))


def _has_gaps(node: ast.expr) -> TypeGuard[ast.JoinedStr]:
    return isinstance(node, ast.JoinedStr) and bool(node.values)
