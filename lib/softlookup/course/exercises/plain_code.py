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

from softlookup.course.exercises import plain_words
from softlookup.course.exercises.cell_sources import magic, parsed
from softlookup.course.exercises.plain_book import Book, first, foreign, module_of, shape_of
from softlookup.course.exercises.student_imports import called_name, installed, names_listed

# What IPython keeps of what a cell has shown.
SHOWN = re.compile(r"In|Out|_{1,3}|_i{1,3}|_i?\d+|_[iod]h")
SHELL = "get_ipython"
RUNS_A_TEXT = {"exec", "eval", "compile"}
LOOKS_UP = {"getattr", "setattr", "delattr", "hasattr"}
NOTHING = ast.Constant("")
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
    asked = {id(each) for node in nodes for each in _only_asked_for_a_name(node)}
    exempt = {id(each) for node in nodes for each in _not_handed_on(node)}
    for node in nodes:
        if id(node) in commands | asked:
            continue
        if isinstance(node, ast.Attribute):
            if not _knows(node.value, node.attr, book, tools):
                yield _dotted(node, book)
        elif isinstance(node, ast.Name):
            yield from _of_a_name(node, book)
            if node.id in LOOKS_UP - {"hasattr"} and id(node) not in called:
                yield f"{node.id} as a value"
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from _of_an_import(node, book, tools)
        elif isinstance(node, ast.MatchClass):
            yield from (each for each in node.kwd_attrs if not _knows(node.cls, each, book, tools))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if _special(node.name) and node.name not in plain_words.SPECIAL:
                yield node.name
        elif isinstance(node, ast.Call):
            if (command := _command(node)) and not _is_known(command):
                yield command.split()[0]
            yield from _of_a_call(node, book, tools, listed, versions)
            for each in _run_by_a_text(node):
                yield from _strange(each, book, tools)
                if any(isinstance(n, ast.Import | ast.ImportFrom) for n in ast.walk(each)):
                    yield f"{called_name(node)} of an import"
        module = "" if id(node) in exempt else module_of(node, book.roots)
        if module and installed(first(module)):
            yield HANDED_ON


def _of_a_name(node: ast.Name, book: Book) -> Iterator[str]:
    if not isinstance(node.ctx, ast.Load) or node.id in book.bound | {*book.roots, *book.files}:
        return
    built_in = getattr(builtins, node.id, None)
    is_error = isinstance(built_in, type) and issubclass(built_in, BaseException)
    if node.id in plain_words.BUILT_IN or is_error:
        return
    known = book.starred and any(node.id in words for words in plain_words.MODULES.values())
    # What nothing binds is an error where it stands, unless IPython or Python has it.
    hidden = hasattr(builtins, node.id) or SHOWN.fullmatch(node.id) or node.id == SHELL
    if not known and (hidden or book.starred):
        yield node.id


def _of_an_import(node: ast.Import | ast.ImportFrom, book: Book, tools: bool) -> Iterator[str]:
    """What an import brings that is not known; of what is not installed, it brings nothing."""
    for alias in node.names:
        module = node.module or "" if isinstance(node, ast.ImportFrom) else alias.name
        root, *parts = module.split(".")
        if root in book.files or (isinstance(node, ast.ImportFrom) and node.level):
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
            elif not inside and alias.name not in _words_of(root, tools):
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
    name = called_name(node)
    if name == "getattr" and isinstance(node.func, ast.Name):
        of_a_module = bool(module_of(node.args[0], book.roots)) if node.args else True
        for text in _texts(node.args[1:2], listed, shapes=not of_a_module):
            if text is None:
                yield "getattr by a name that is computed"
            elif not _knows(node.args[0], text, book, tools):
                yield f"{module_of(node.args[0], book.roots)}.{text}".strip(".")
    elif name == "eval" and isinstance(node.func, ast.Attribute) and node.args:
        # A table evaluates a text; a layer is only told that it is no longer trained.
        yield "eval of a text"
    elif node.args and (name in ("timeit", "Timer") or _of_timeit(node, book)):
        if isinstance(node.args[0], ast.Constant | ast.Name | ast.JoinedStr | ast.BinOp):
            yield f"{name} of a text"
    elif name in ("import_module", "__import__"):
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


def _dotted(node: ast.Attribute, book: Book) -> str:
    """An attribute's name, behind that of the module of which it is taken."""
    return f"{module_of(node.value, book.roots)}.{node.attr}".strip(".")


def _run_by_a_text(node: ast.Call) -> list[ast.stmt]:
    """The statements of a text that a call runs, if the text stands there."""
    if isinstance(node.func, ast.Name) and node.func.id in RUNS_A_TEXT and node.args:
        text = getattr(node.args[0], "value", None)
        return parsed(text) if isinstance(text, str) else []
    return []


def _only_asked_for_a_name(node: ast.AST) -> Iterator[ast.AST]:
    """Where what finds or runs code is asked for what stands there, and for nothing else.

    `"np" in globals()`, `globals()["np"]`, `sys.modules.pop("mine")` and `exec("x = 3")`.
    """
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        if isinstance(node.value, ast.Call) and called_name(node.value) in ("globals", "locals"):
            yield node.value.func
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
        return f"%%{given[0]}\n{given[2]}"
    if not isinstance(node.func, ast.Attribute) or not isinstance(node.func.value, ast.Call):
        return ""
    text = getattr(node.args[0], "value", None) if len(node.args) == 1 else None
    starts = called_name(node.func.value) == SHELL and node.func.attr in ("system", "getoutput")
    return f"!{text}" if starts and isinstance(text, str) else ""


def _is_known(command: str) -> bool:
    if command.startswith("!"):
        return bool(plain_words.PROGRAM.fullmatch(command[1:].strip()))
    if command.startswith("%%"):
        name, _, body = command[2:].partition("\n")
        lines = [line.strip() for line in body.splitlines() if line.strip()]
        programs = name in ("bash", "sh") and all(map(plain_words.PROGRAM.fullmatch, lines))
        return programs or name in plain_words.CELL_MAGICS
    name, _, line = command[1:].partition(" ")
    says = plain_words.MAGICS.get(name)
    return says is not None and bool(says.fullmatch(line.strip()))


def _of_timeit(node: ast.Call, book: Book) -> bool:
    of = node.func.value if isinstance(node.func, ast.Attribute) else node.func
    return module_of(of, book.roots) == "timeit"


def _of_a_file(node: ast.Call) -> Iterator[str]:
    path, mode = (getattr(each, "value", None) for each in [*node.args, NOTHING, NOTHING][:2])
    mode = next((getattr(k.value, "value", None) for k in node.keywords if k.arg == "mode"), mode)
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


def _knows(of: ast.expr, name: str, book: Book, tools: bool) -> bool:
    """Whether a word is known as a part of what it is asked of."""
    if module := module_of(of, book.roots):
        root = first(module)
        return not installed(root) or name in _words_of(root, tools)
    if (module := book.roots.get(_root(of), "")) and not installed(first(module)):
        return True
    if any(name in defined for defined in book.files.values()) and name not in foreign():
        return True
    shaped = any(re.fullmatch(shape, name) for shape in book.shapes) and name not in foreign()
    known = name in plain_words.OBJECTS or name in book.own or shaped
    return known or (tools and name in plain_words.OBJECTS_OF_TOOLS)


def _root(node: ast.AST) -> str:
    """The name from which an expression begins."""
    while isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _words_of(root: str, tools: bool) -> Set[str]:
    found = plain_words.MODULES.get(root, frozenset[str]())
    return found | plain_words.TOOLS.get(root, frozenset()) if tools else found


def _not_handed_on(node: ast.AST) -> Iterator[ast.AST]:
    """Where a module stands and is not handed on: before a dot, under a new name, for a look."""
    if isinstance(node, ast.Attribute):
        yield node.value
    elif isinstance(node, ast.Assign) and all(isinstance(t, ast.Name) for t in node.targets):
        yield from (node.value, *node.targets)
    elif isinstance(node, ast.Call) and called_name(node) in LOOKS_UP | {"dir", "help", "print"}:
        yield from node.args
    elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node
    elif isinstance(node, ast.Match):
        yield node.subject


def _special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")
