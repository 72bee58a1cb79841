"""Whether a student's statement is written in words that the check knows.

Other checks look for what is forbidden, and no list of ways around them is ever complete. This one
turns it round: it knows what answers are written with (``plain_words``), and whatever else stands
in a cell is shown to a person. A student's own names are plain, as long as no module is handed on
as a value, so that nobody can tell of which object an attribute is taken.
"""

import ast
import builtins
import re
from collections.abc import Iterator, Mapping, Set
from typing import TypeGuard

from softlookup.course.exercises import plain_words
from softlookup.course.exercises.cell_sources import magic, parsed
from softlookup.course.exercises.plain_book import (
    Book,
    bound_by,
    first,
    foreign,
    module_of,
    shape_of,
)
from softlookup.course.exercises.student_imports import called_name, installed, names_listed

# What IPython keeps of what a cell has shown.
SHOWN = re.compile(r"In|Out|_{2,3}|_i{1,3}|_i?\d+|_[iod]h")
SHELL = "get_ipython"
RUNS_A_TEXT = {"exec", "eval", "compile"}
LOOKS_UP = {"getattr", "setattr", "delattr", "hasattr"}
ENUMS = {"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"}
BASES = {*ENUMS, "NamedTuple"}
# What a call of these does is told by what they are given. So they are called and not handed on, by
# their own names, and what they are given is written out.
LOOKED_AT = {
    *("getattr", "setattr", "delattr", "type", "open", "exit", "quit", "dataclass", "wraps"),
    *("update_wrapper", "import_module", "__import__", "load", "timeit", "Timer", "namedtuple"),
    *BASES,
}
# What may be told where else to look for code, or to start processes.
TOLD = {"savefig", "use", "rc", "figure", "subplots", "basicConfig", "DataLoader", "main"}
# Matplotlib's options, of which one names a module to be imported; and what evaluates a text.
OPTIONS, BACKEND, NAMED = {"rcParams"}, "backend", re.compile(r"[\w.-]+")
ANNOTATIONS = {"Float", "Int", "Bool", "Shaped"}
AXES = re.compile(r"[\w\s.*#?=-]*")
LOOKS_AT = {"isinstance", "issubclass", "print", "repr", "str", "id", "hash"}
NOTHING = ast.Constant("")
LONGEST_SHAPED = 60
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
    commands = {id(each) for node in calls if _command(node) for each in ast.walk(node.func)}
    asked = {id(each) for node in nodes for each in _only_asked_for_a_name(node, book)}
    exempt = {id(each) for node in nodes for each in _not_handed_on(node, book)}
    exempt -= {id(each) for node in nodes for each in _in_a_class(node)}
    decorators = {id(each) for node in nodes for each in getattr(node, "decorator_list", ())}
    looked_at = {id(each) for node in nodes for each in _only_looked_at(node)}
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
            if handed or not _knows(node.value, node.attr, book, tools):
                yield _dotted(node, book)
            sets = not isinstance(node.ctx, ast.Load) and id(node) not in options
            if sets and _taken_from(node.value) in {*book.roots, *book.lent}:
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
            yield from (each for each in node.kwd_attrs if not _knows(node.cls, each, book, tools))
        elif isinstance(node, ast.Call):
            if (command := _command(node)) and not _is_known(command):
                yield command.split()[0]
            yield from _of_a_call(node, book, tools, listed, versions)
            for each in _run_by_a_text(node):
                yield from _strange(each, book, tools)
                if any(_moves_a_module(inner, book) for inner in ast.walk(each)):
                    yield f"{called_name(node)} of an import"
        yield from (
            name for name in bound_by(node) if _special(name) and name not in plain_words.SPECIAL
        )
        if _is_a_class(node) and id(node) not in looked_at:
            yield "a class as a value"
        if (name := _looked_at(node, book)) and id(node) not in called | looked_at:
            free = decorators if name == "dataclass" else bases if name in BASES else set()
            if id(node) not in free:
                yield f"{name} as a value"
        yield from _of_what_is_told(node, book, told)
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
        if alias.name in LOOKED_AT | OPTIONS | ANNOTATIONS and alias.asname not in (
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
            elif not inside and alias.name not in _words_of(module, tools):
                used = (alias.asname or alias.name) in book.loaded
                yield from [f"{module}.{alias.name}"] if used else []
        if tools and root in plain_words.TOOLS:
            continue
        unknown = [place for place, part in enumerate(parts, start=1) if part not in known]
        yield from (".".join([root, *parts[:place]]) for place in unknown)


def _of_a_call(
    node: ast.Call,
    book: Book,
    tools: bool,
    listed: Mapping[str, list[str]],
    versions: Set[int],
) -> Iterator[str]:
    """What a call looks up, runs or starts by a text."""
    name, words = called_name(node), {each.arg: each.value for each in node.keywords}
    spread = None in words or any(isinstance(each, ast.Starred) for each in node.args)
    if spread and (name in TOLD or _looked_at(node.func, book)):
        yield f"{name} of what is spread out"
    if name in ("setattr", "delattr") and isinstance(node.func, ast.Name):
        for text in _texts(node.args[1:2], listed):
            if text is None and not all(map(_has_an_end, node.args[1:2])):
                yield f"{name} by a name that is computed"
            elif text and _special(text):
                yield text
        if _taken_from(node.args[0] if node.args else node) in {*book.roots, *book.lent}:
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
            elif text in LOOKED_AT | OPTIONS | ANNOTATIONS:
                yield f"{text} as a value"
            elif not _knows(node.args[0], text, book, tools):
                yield f"{module_of(node.args[0], book.roots)}.{text}".strip(".")
    elif name == "eval" and isinstance(node.func, ast.Attribute) and node.args:
        # A table evaluates a text; a layer is only told that it is no longer trained.
        yield "eval of a text"
    elif name in ("timeit", "Timer") or _of_timeit(node, book):
        ran = [*node.args[:2], *(words[each] for each in ("stmt", "setup") if each in words)]
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


def _looked_at(node: ast.AST, book: Book) -> str:
    """The name of what is looked at where it is called, if a node stands for such a thing."""
    if isinstance(node, ast.Attribute):
        of_a_module = isinstance(node.ctx, ast.Load) and bool(module_of(node.value, book.roots))
        return node.attr if of_a_module and node.attr in LOOKED_AT else ""
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
        return ""
    theirs = not (hasattr(builtins, node.id) or node.id in book.lent or book.starred)
    return "" if theirs or node.id in book.roots or node.id not in LOOKED_AT else node.id


def _taken_from(node: ast.AST) -> str:
    """The name of which an expression is a part, by dots alone."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _of_what_is_told(node: ast.AST, book: Book, told: Set[int]) -> Iterator[str]:
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
            free = isinstance(key, str) and not _special(key) and not hasattr(builtins, key)
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
            yield from [func.value] if getattr(func.value, "attr", "") == "modules" else []
    if isinstance(node, ast.Compare) and all(isinstance(o, ast.In | ast.NotIn) for o in node.ops):
        for each in node.comparators:
            if isinstance(each, ast.Call) and called_name(each) in ("globals", "locals", "dir"):
                yield each.func
            elif isinstance(each, ast.Attribute) and each.attr == "modules":
                yield each


def _command(node: ast.Call) -> str:
    """The command of IPython's that a call gives, as it stands in a line; empty, if it is none."""
    kind, *given = magic(node)
    if kind == "run_line_magic":
        return f"%{given[0]} {given[1]}"
    if kind:
        return f"%%{given[0]} {given[1]}\n{given[2]}"
    if not isinstance(node.func, ast.Attribute) or not isinstance(node.func.value, ast.Call):
        return ""
    text = getattr(node.args[0], "value", None) if len(node.args) == 1 else None
    starts = called_name(node.func.value) == SHELL and node.func.attr in ("system", "getoutput")
    return f"!{text}" if starts and isinstance(text, str) else ""


def _is_known(command: str) -> bool:
    if command.startswith("!"):
        return bool(plain_words.PROGRAM.fullmatch(command[1:].strip()))
    if command.startswith("%%"):
        first_line, _, body = command[2:].partition("\n")
        kind, _, told = first_line.partition(" ")
        lines = [line.strip() for line in body.splitlines() if line.strip()]
        if kind in ("bash", "sh"):
            return not told.strip() and all(map(plain_words.PROGRAM.fullmatch, lines))
        known = plain_words.CELL_MAGICS.get(kind)
        return known is not None and bool(known.fullmatch(told.strip()))
    name, _, line = command[1:].partition(" ")
    says = plain_words.MAGICS.get(name)
    return says is not None and bool(says.fullmatch(line.strip()))


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
    mode = next((getattr(k.value, "value", None) for k in node.keywords if k.arg == "mode"), mode)
    if not {each.arg for each in node.keywords} <= {"mode", "encoding", "newline", "errors"}:
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


def _knows(of: ast.expr, name: str, book: Book, tools: bool) -> bool:
    """Whether a word is known as a part of what it is asked of."""
    if module := module_of(of, book.roots):
        absent = not installed(first(module)) and not _special(name)
        return absent or name in _words_of(module, tools)
    if (module := book.roots.get(_root(of), "")) and not installed(first(module)):
        return not _special(name)
    if any(name in defined for defined in book.files.values()) and name not in foreign():
        return True
    short = len(name) <= LONGEST_SHAPED and name not in foreign()
    shaped = short and any(re.fullmatch(shape, name) for shape in book.shapes)
    # What begins so is an object's own affair.
    of_itself = book.selves and getattr(of, "id", "") in ("self", "cls")
    own = name in book.own and (not name.startswith("_") or of_itself)
    known = name in plain_words.OBJECTS or own or shaped
    return known or (tools and name in plain_words.OBJECTS_OF_TOOLS)


def _root(node: ast.AST) -> str:
    """The name from which an expression begins."""
    while isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _words_of(module: str, tools: bool) -> Set[str]:
    root, known = first(module), plain_words.MODULES
    found = known.get(module, known.get(root, frozenset[str]()))
    return found | plain_words.TOOLS.get(root, frozenset()) if tools else found


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
    if isinstance(node, ast.Attribute) and node.attr in ("__name__", "__qualname__", "__doc__"):
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


def _special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")
