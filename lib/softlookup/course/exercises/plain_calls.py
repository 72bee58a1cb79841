"""What a call looks up, runs, imports or starts, by what it is told.

A few functions do what is said by their arguments: they take an attribute by a text, make a class,
open a file, import a module. So where one of them stands, it is called, by its own name, and what
it is given is written out.
"""

import ast
import builtins
import re
from collections.abc import Iterator, Mapping, Set
from typing import TypeGuard

from softlookup.course.exercises.plain_book import (
    Book,
    first,
    foreign,
    module_of,
    shape_of,
)
from softlookup.course.exercises.plain_known import knows, special
from softlookup.course.exercises.student_imports import called_name, installed

ENUMS = {"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"}
BASES = {*ENUMS, "NamedTuple"}
LOOKED_AT = {
    *(
        "getattr",
        "setattr",
        "delattr",
        "type",
        "open",
        "exit",
        "quit",
        "dataclass",
        "wraps",
    ),
    *(
        "update_wrapper",
        "import_module",
        "__import__",
        "load",
        "timeit",
        "Timer",
        "namedtuple",
    ),
    *BASES,
}
# What may be told where else to look for code, or to start processes.
TOLD = {
    "savefig",
    "use",
    "rc",
    "figure",
    "subplots",
    "basicConfig",
    "DataLoader",
    "main",
}
# Matplotlib's options, of which one names a module to be imported; and what evaluates a text.
OPTIONS, BACKEND, NAMED = {"rcParams"}, "backend", re.compile(r"[\w.-]+")
ANNOTATIONS = {"Float", "Int", "Bool", "Shaped"}
AXES = re.compile(r"[\w\s.*#?=-]*")
# What an import may not give another name.
BY_ITS_OWN_NAME = LOOKED_AT | OPTIONS | ANNOTATIONS
NOTHING = ast.Constant("")


def of_a_call(
    node: ast.Call,
    book: Book,
    tools: bool,
    listed: Mapping[str, list[str]],
    versions: Set[int],
) -> Iterator[str]:
    """What a call looks up, runs or starts by a text."""
    name, words = called_name(node), {each.arg: each.value for each in node.keywords}
    spread = None in words or any(isinstance(each, ast.Starred) for each in node.args)
    if spread and (name in TOLD or looked_at(node.func, book)):
        yield f"{name} of what is spread out"
    if name in ("setattr", "delattr") and isinstance(node.func, ast.Name):
        for text in _texts(node.args[1:2], listed):
            if text is None and not all(map(_has_an_end, node.args[1:2])):
                yield f"{name} by a name that is computed"
            elif text and special(text):
                yield text
        if taken_from(node.args[0] if node.args else node) in {*book.roots, *book.lent}:
            yield f"{name} of what is imported"
    elif name in ENUMS and (len(node.args) > 1 or words):
        yield f"{name}, to make a class"
    elif name == "dataclass" and node.args:
        yield "dataclass, as a function"
    elif name in ("wraps", "update_wrapper") and (len(node.args) != 1 or words):
        yield f"{name} of names that are told"
    elif name == "load" and (len(node.args) != 1 or not _loads_numbers(words)):
        yield "load of what may be code"
    elif name == "getattr" and isinstance(node.func, ast.Name):
        of_a_module = bool(module_of(node.args[0], book.roots)) if node.args else True
        for text in _texts(node.args[1:2], listed, shapes=not of_a_module):
            if text is None:
                yield "getattr by a name that is computed"
            elif text in BY_ITS_OWN_NAME:
                yield f"{text} as a value"
            elif not knows(node.args[0], text, book, tools):
                yield f"{module_of(node.args[0], book.roots)}.{text}".strip(".")
    elif name == "eval" and isinstance(node.func, ast.Attribute) and node.args:
        # A table evaluates a text; a layer is only told that it is no longer trained.
        yield "eval of a text"
    elif name in ("timeit", "Timer") or _of_timeit(node, book):
        ran = [
            *node.args[:2],
            *(words[each] for each in ("stmt", "setup") if each in words),
        ]
        if not all(isinstance(each, ast.Lambda) or _is_a_number(each) for each in ran):
            yield f"{name} of a text"
    elif name in ("import_module", "__import__"):
        yield from [f"{name} of what is named"] if words else []
        for text in _texts(node.args[:1], listed):
            beside = text in book.files or not (
                text is None or installed(first(text)) or book.makes
            )
            if not beside and (text is None or "." in text or id(node) not in versions):
                yield f"{name} of {text or 'a name that is computed'}"
    elif name == "type" and isinstance(node.func, ast.Name):
        if len(node.args) > 1 or any(isinstance(each, ast.Starred) for each in node.args):
            yield "type, to make a class"
    elif name == "open" and isinstance(node.func, ast.Name):
        yield from _of_a_file(node)


def looked_at(node: ast.AST, book: Book) -> str:
    """The name of what is looked at where it is called, if a node stands for such a thing."""
    if isinstance(node, ast.Attribute):
        of_a_module = isinstance(node.ctx, ast.Load) and bool(module_of(node.value, book.roots))
        return node.attr if of_a_module and node.attr in LOOKED_AT else ""
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
        return ""
    theirs = not (hasattr(builtins, node.id) or node.id in book.lent or book.starred)
    return "" if theirs or node.id in book.roots or node.id not in LOOKED_AT else node.id


def taken_from(node: ast.AST) -> str:
    """The name of which an expression is a part, by dots alone."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def of_what_is_told(node: ast.AST, book: Book, told: Set[int]) -> Iterator[str]:
    """What may import a module, evaluate a text or start a process, by what it is told."""
    name = getattr(node, "attr", getattr(node, "id", ""))
    if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
        annotates = name in ANNOTATIONS and _is_of(node, "jaxtyping", book)
        if (name in OPTIONS or annotates) and id(node) not in told:
            yield f"{name} as a value"
    elif isinstance(node, ast.Subscript):
        of = getattr(node.value, "attr", getattr(node.value, "id", ""))
        if of in OPTIONS and not _is_an_option(node.slice):
            yield f"{of}, by what is computed"
        elif of in ANNOTATIONS and _is_of(node.value, "jaxtyping", book):
            axes = getattr(getattr(node.slice, "elts", [None])[-1], "value", None)
            if not (isinstance(axes, str) and AXES.fullmatch(axes)):
                yield f"{of} of axes that are computed"
    elif isinstance(node, ast.Call):
        yield from _of_options(node)


def _is_of(node: ast.AST, module: str, book: Book) -> bool:
    if isinstance(node, ast.Attribute):
        return module_of(node.value, book.roots) == module
    return getattr(node, "id", "") in book.lent


def _is_an_option(node: ast.AST | None) -> bool:
    """Whether a text that stands there names an option, and not where to look for code."""
    name = getattr(node, "value", None)
    return isinstance(name, str) and not name.startswith(BACKEND)


def _of_options(node: ast.Call) -> Iterator[str]:
    """What a call is told that may import a module or start a process."""
    name = called_name(node)
    of = getattr(node.func, "value", None)
    if name == "update" and getattr(of, "attr", getattr(of, "id", "")) in OPTIONS:
        keys = [each for given in node.args for each in getattr(given, "keys", [None])]
        if node.keywords or not all(map(_is_an_option, keys)):
            yield "rcParams, by what is computed"
    elif name == "use" and not all(_says(each, NAMED) for each in node.args):
        yield "use of what is computed"
    elif name == "rc" and not all(map(_is_an_option, node.args[:1])):
        yield "rc of what is computed"
    elif name == "DataLoader" and len(node.args) > 5:
        yield "DataLoader in several processes"
    for each in node.keywords:
        if each.arg == BACKEND and not _says(each.value, NAMED):
            yield "a backend that is computed"
        elif each.arg in ("num_workers", "multiprocessing_context") and not _is_nothing(each.value):
            yield "DataLoader in several processes"
        elif name == "main" and each.arg == "argv":
            if len(getattr(each.value, "elts", [])) != 1:
                yield "main of what is told"
        elif name == "main" and each.arg not in ("exit", "verbosity"):
            yield f"main with {each.arg}"


def _says(node: ast.AST, pattern: re.Pattern[str]) -> bool:
    text = getattr(node, "value", None)
    return isinstance(text, str) and bool(pattern.fullmatch(text))


def _is_nothing(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and not node.value


def _is_a_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def _loads_numbers(words: Mapping[str | None, ast.expr]) -> bool:
    """Whether what loads is told nothing, but where to put numbers."""
    safe = {"weights_only": True, "allow_pickle": False}
    return all(
        name == "map_location" or (name in safe and getattr(each, "value", None) is safe[name])
        for name, each in words.items()
    )


def _of_timeit(node: ast.Call, book: Book) -> bool:
    of = node.func.value if isinstance(node.func, ast.Attribute) else node.func
    return module_of(of, book.roots) == "timeit"


def _of_a_file(node: ast.Call) -> Iterator[str]:
    path, mode = (getattr(each, "value", None) for each in [*node.args, NOTHING, NOTHING][:2])
    mode = next(
        (getattr(k.value, "value", None) for k in node.keywords if k.arg == "mode"),
        mode,
    )
    if not {each.arg for each in node.keywords} <= {
        "mode",
        "encoding",
        "newline",
        "errors",
    }:
        yield "open, by what is named"
    reads = mode == "" or (isinstance(mode, str) and set(mode) <= set("rbt"))
    here = isinstance(path, str) and not path.startswith(("/", "~")) and ".." not in path
    if not (reads or here):
        yield "open, to write"


def _texts(
    nodes: list[ast.expr], listed: Mapping[str, list[str]], shapes: bool = False
) -> Iterator[str | None]:
    """The texts that a node may stand for; None, if that cannot be told.

    Where ``shapes`` is set, one that has gaps may be told by what is written around them.
    """
    for node in nodes:
        if isinstance(node, ast.Constant):
            yield str(node.value)
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
    return bool(shape) and not any(re.fullmatch(shape, name) for name in foreign())


def _has_an_end(node: ast.expr) -> bool:
    """Whether a text with gaps cannot be the name of a special method, whatever fills them."""
    ends = [getattr(node.values[n], "value", "") for n in (0, -1)] if _has_gaps(node) else ["", ""]
    first_part, last = (end if isinstance(end, str) else "" for end in ends)
    begins = bool(first_part) and not first_part.startswith("_")
    return begins or (bool(last) and not last.endswith("_"))


def _has_gaps(node: ast.expr) -> TypeGuard[ast.JoinedStr]:
    return isinstance(node, ast.JoinedStr)
