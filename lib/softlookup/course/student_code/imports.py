"""Which modules and files a student's statement imports or runs, without running it."""

import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.machinery import PathFinder
from pathlib import PurePosixPath
from string import Formatter

# A file of such a kind is no module.
NO_CODE = {".txt", ".csv", ".json", ".md", ".png", ".pdf", ".svg", ".jpg", ".pt", ".pth", ".npy"}
# What runs a file or a module whose name it is given.
RUNS_FILE = {
    *("run_path", "run_module", "import_module", "__import__", "spec_from_file_location"),
    *("safe_execfile", "safe_execfile_ipy", "SourceFileLoader", "SourcelessFileLoader"),
    *("ExtensionFileLoader", "zipimporter"),
}
IMPORTS = {"import_module", "__import__"}

# A text that is the name of a module or of a file, or names one for a command.
NAMES_ONE, FIRST_PART = re.compile(r"[\w./*:-]+"), re.compile(r"[^\w]|_?\*")
NAMED_WITHIN = re.compile(r"([\w./-]+\.(?:py|ipynb))\b|\b(?:import|from|run)\s+(\w+)")
LONGEST_COMMAND = 1_000
OF_A_FIELD = re.compile(r"\.([^.\[\]]+)")


@dataclass(frozen=True)
class Known:
    """What is known of the modules that may be imported.

    ``beside`` are those whose code lies beside the notebook, and is read.
    """

    beside: frozenset[str]


def called_name(node: ast.Call) -> str:
    """The last name of what is called."""
    return getattr(node.func, "id", getattr(node.func, "attr", ""))


def fields_of(text: str, within: int = 2) -> Iterator[str]:
    """The attributes that a text takes of what it is formatted with, as in ``"{0.shape}"``.

    Args:
        text: the text.
        within: how deep fields may stand in fields; Python formats no deeper.
    """
    try:
        parts = [*Formatter().parse(text)]
    except ValueError:
        return
    for _, field, spec, _ in parts:
        yield from OF_A_FIELD.findall(field or "")
        if within > 1:
            yield from fields_of(spec or "", within - 1)


def names_listed(tree: ast.AST) -> dict[str, list[str]]:
    """The texts that the variable of a loop stands for, where the loop is over a list of them.

    Such a variable is bound nowhere else, and used in its loop alone.
    """
    nodes, found = [*ast.walk(tree)], dict[str, list[str]]()
    bindings: Counter[str] | None = None
    named = defaultdict[str, list[int]](list)
    for node in nodes:
        inner = getattr(node, "generators", [node] if isinstance(node, ast.For) else [])
        within: set[int] | None = None
        for loop in inner:
            name, items = getattr(loop.target, "id", ""), getattr(loop.iter, "elts", [])
            texts = [each.value for each in items if isinstance(each, ast.Constant)]
            if not name or not texts:
                continue
            if bindings is None:  # once, and only where it is needed: most statements have no list
                bindings = Counter(bound for each in nodes for bound in _bound(each))
                for each in nodes:
                    named[getattr(each, "id", "")].append(id(each))
            within = {id(each) for each in ast.walk(node)} if within is None else within
            alone = bindings[name] == 1 and within.issuperset(named[name])
            if len(texts) == len(items) and alone:
                found[name] = [text for text in texts if isinstance(text, str)]
    return {name: texts for name, texts in found.items() if texts}


def _bound(node: ast.AST) -> Iterator[str]:
    """The names that a node binds, by whatever means."""
    if isinstance(node, ast.Name):
        if not isinstance(node.ctx, ast.Load):
            yield node.id
    elif not isinstance(node, ast.keyword):
        fields = (getattr(node, field, None) for field in ("arg", "name", "asname", "rest"))
        yield from {each for each in fields if isinstance(each, str)}
        yield from (each for each in getattr(node, "names", ()) if isinstance(each, str))


def modules_of(node: ast.AST, listed: Mapping[str, list[str]]) -> Iterator[str | None]:
    """The modules that a node imports or runs, by their first names; None for a computed name.

    Args:
        node: of a statement.
        listed: the texts that a name may stand for, as ``names_listed`` finds them.
    """
    if isinstance(node, ast.Import):
        yield from (alias.name.partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield "" if node.level else (node.module or "").partition(".")[0]
    elif isinstance(node, ast.Call):
        called = getattr(node.func, "id", getattr(node.func, "attr", ""))
        given = [each.value if isinstance(each, ast.Constant) else None for each in node.args]
        if called == "run_line_magic" and given[:1] == ["run"]:
            words = [word for word in str(*given[1:2]).split() if not word.startswith("-")]
            yield _run(words[0].strip("'\"")) if words else None
        elif called in RUNS_FILE and given:
            place = -1 if called.endswith(("location", "Loader")) else 0
            several = listed.get(getattr(node.args[place], "id", ""), [given[place]])
            yield from map(_run, several)


def _run(name: object) -> str | None:
    """The first name of a module or a file of code that is run; of another file, its whole name."""
    if not isinstance(name, str):
        return None
    path = PurePosixPath(name)
    if path.suffix in (".py", ".ipynb"):
        return module_name(name.removeprefix("./"))
    return name.partition(".")[0] if installed(name.partition(".")[0]) else name


def import_of(module: str) -> str:
    """What a statement uses that imports or runs a module."""
    return f"import {module}"


def imports_in(tree: ast.stmt) -> Iterator[str]:
    """The modules that a statement imports or runs, by the first parts of their names."""
    listed = names_listed(tree)
    for node in ast.walk(tree):
        yield from (import_of(module) for module in modules_of(node, listed) if module)


def named_in_calls(tree: ast.AST, known: Known) -> Iterator[str]:
    """The files of code beside the notebook that a statement may run, as their names are given.

    There are more ways to run a file than anybody lists. So whatever is called with a text that
    names one may run it. What only imports it is told by ``modules_of``.
    """
    for node in ast.walk(tree) if known.beside else ():
        if isinstance(node, ast.Call) and called_name(node) not in IMPORTS:
            given = [*node.args, *(each.value for each in node.keywords)]
            for each in (inner for outer in given for inner in ast.walk(outer)):
                if isinstance(each, ast.Constant) and isinstance(each.value, str):
                    yield from map(import_of, known.beside & {*_named_in(each.value)})


def _named_in(text: str) -> Iterator[str]:
    """The modules that a text names: as a whole, as a file, or as what it imports."""
    if NAMES_ONE.fullmatch(text) and PurePosixPath(text).suffix not in NO_CODE:
        yield FIRST_PART.split(text.removeprefix("./"))[0]
    if len(text) <= LONGEST_COMMAND:
        for path, module in NAMED_WITHIN.findall(text):
            yield module or module_name(path.removeprefix("./"))


@cache
def installed(module: str) -> bool:
    """Whether a module of this name can be imported here, which does not run it.

    The notebook itself is one, `__main__`, and so is whatever else has been imported already. Of a
    name with dots the first part decides: to look for the others, Python would import what they are
    parts of.
    """
    name = module.partition(".")[0]
    if name in sys.modules or name in sys.stdlib_module_names or name.startswith("__"):
        return True
    try:
        return bool(name) and PathFinder.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def module_name(path: str) -> str:
    """The name by which a file beside the notebook is imported, the first of several.

    A notebook is run, and cannot be imported: it is known by its whole name.
    """
    return PurePosixPath(path).parts[0].removesuffix(".py")
