"""Finds names in a student's code that would defeat the exercise, such as a ready-made attention.

It follows dependencies: a test takes an answer, the answer uses other names, and only statements
that it depends on count. A cell that compares the answer with torch's own function is allowed.
This check saves honest students from a misunderstanding. A use that somebody hides on purpose is
not always found, but code that nobody can read off the notebook, such as ``exec`` of a text that is
computed, or a module that is neither installed nor beside the notebook, counts as forbidden. A name
with a dot, such as ``torch.func``, is forbidden in that place alone, and a method that a student
wrote may have any name. A cell is read as IPython would run it (``cell_sources``), and a file of
code beside the notebook counts where it is imported or run.
"""

import ast
import importlib.util
import itertools
import re
import symtable
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath

from softlookup.course.exercises.cell_sources import PARSE_ERRORS, may_run_unread, parsed

__all__ = ["PARSE_ERRORS", "StudentCode", "parsed"]
# Calls whose string argument may be code, so that their effect on names is unknown.
OPAQUE = {
    *("exec", "eval", "compile", "globals", "vars", "locals"),
    *("run_cell_magic", "run_line_magic", "run_cell"),
}
# Of these, what runs a text whatever it is called through.
RUNS_TEXT = {"exec", "eval", "compile"}
# Methods that do, of IPython and of the library's consoles.
RUNS_TEXT_AS_METHOD = {
    *("run_cell", "run_cell_async", "run_code", "ex", "runsource", "runcode", "define_macro"),
}
# What runs a file or a module whose name it is given.
RUNS_FILE = {
    *("run_path", "run_module", "import_module", "__import__", "spec_from_file_location"),
    *("safe_execfile", "safe_execfile_ipy", "SourceFileLoader", "SourcelessFileLoader"),
    *("ExtensionFileLoader", "zipimporter"),
}
DOTTED, WORD = re.compile(r"[\w.]*\w"), re.compile(r"\w+")
# What a method of the student's can be told from: a call through a module is not one of theirs.
MODULES = {"torch", "F", "nn", "functional", "softlookup"}
# This runs in the grader's own process, so it is bounded. No honest answer comes near.
MOST_CHARACTERS, MOST_STATEMENTS, MOST_DOTS = 1_000_000, 20_000, 20


@dataclass(frozen=True)
class Step:
    """A student's statement: where it stands, the names that it binds and uses, and its tree.

    ``opaque`` says that it may run code from a text, and ``unread`` what it runs that cannot be
    read here, in words; empty, if there is nothing.
    """

    place: str
    binds: frozenset[str]
    uses: frozenset[str]
    opaque: bool
    unread: str
    tree: ast.stmt


class StudentCode:
    """The statements of a student's cells.

    Args:
        cells: number and source of each code cell that the student wrote. Of one that may run
            though it cannot be read as Python nothing is known, so the mere words count.
        modules: the sources of the files of code beside the notebook, by their paths.
    """

    def __init__(
        self, cells: Iterable[tuple[int, str]], modules: Mapping[str, str] | None = None
    ) -> None:
        self.steps: list[Step] = []
        sources = [(f"cell {number}", source, "") for number, source in cells]
        for path, source in (modules or {}).items():
            sources.append((path, source, _root(path)))
        beside = frozenset(_root(path) for path in modules or {})
        self.too_long = sum(len(source) for _, source, _ in sources) > MOST_CHARACTERS
        for place, source, module in sources if not self.too_long else []:
            self.steps += itertools.islice(
                _steps(place, source, module, beside), MOST_STATEMENTS + 1 - len(self.steps)
            )
        self.too_long |= len(self.steps) > MOST_STATEMENTS
        self._unread = [
            (place, source)
            for place, source, _ in sources
            if not self.too_long and may_run_unread(source)
        ]
        self.own = {
            step.tree.name
            for step in self.steps
            if isinstance(step.tree, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        }
        trees = [node for step in self.steps for node in ast.walk(step.tree)]
        # Whoever reads .grad has let PyTorch go backward, whatever methods are called.
        reads_gradients = any(isinstance(n, ast.Attribute) and n.attr == "grad" for n in trees)
        self.methods = {
            method.name
            for node in trees
            if isinstance(node, ast.ClassDef) and not reads_gradients
            for method in node.body
            if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef)
        }
        self._renamed = {
            alias.asname: alias.name.rpartition(".")[2]
            for node in trees
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
            if alias.asname
        }
        self._opaque = {index for index, step in enumerate(self.steps) if step.opaque}
        self._binding = defaultdict[str, set[int]](set)
        for index, step in enumerate(self.steps):
            for name in step.binds:
                self._binding[name].add(index)
        self._mentions: dict[int, frozenset[str]] = {}

    def forbidden(self, names: Iterable[str], forbids: Iterable[str]) -> str:
        """Find a forbidden name that some answers depend on.

        Args:
            names: of the answers.
            forbids: the names that must not be used.

        Returns:
            A sentence for the student; empty if there is none.
        """
        wanted = set(forbids)
        if not wanted:
            return ""
        if self.too_long:
            return "your code is too long to be checked for what this exercise forbids; shorten it"
        waiting, seen = set(names), set(self._opaque)
        known = set(waiting)
        for index in self._opaque:
            waiting |= self.steps[index].uses
        known |= waiting
        while waiting:
            for index in self._binding.get(waiting.pop(), set()) - seen:
                seen.add(index)
                waiting |= self.steps[index].uses - known
                known |= self.steps[index].uses
        for index in sorted(seen):
            if found := wanted & self._mentioned(index):
                return _uses(min(found), self.steps[index].place)
            if unread := self.steps[index].unread:
                return (
                    f"{self.steps[index].place} runs {unread}, so that nobody can read what it "
                    "uses; write the code itself, here or in a .py file beside the notebook"
                )
        for place, source in self._unread:
            if found := wanted & {*WORD.findall(source)}:
                return _uses(min(found), place)
        return ""

    def _mentioned(self, index: int) -> frozenset[str]:
        """The parts of the dotted names that a statement mentions."""
        if index not in self._mentions:
            tree = self.steps[index].tree
            names = {*_mentioned(tree, self.own, self.methods, self._renamed)}
            parts = [name.split(".") for name in names]
            pairs = {".".join(pair) for each in parts for pair in itertools.pairwise(each)}
            self._mentions[index] = frozenset(itertools.chain(pairs, *parts))
        return self._mentions[index]


def _uses(name: str, place: str) -> str:
    return (
        f"your answer uses {name} ({place}), which does for you what this exercise asks you to "
        "write; write it out"
    )


def _root(path: str) -> str:
    """The name by which a file beside the notebook is imported, the first of several."""
    first = PurePosixPath(path).parts[0]
    return first.removesuffix(".py").removesuffix(".ipynb")


@cache
def _installed(module: str) -> bool:
    """Whether a module of this name can be imported here, which does not run it."""
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError, AttributeError):
        return False


def _steps(place: str, source: str, module: str, beside: frozenset[str]) -> Iterator[Step]:
    """A source's statements; those of a module run when it is imported, so they bind its name."""
    for tree in parsed(source):
        calls = {
            getattr(node.func, "id", getattr(node.func, "attr", ""))
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
        }
        try:
            binds, uses = _names(symtable.symtable(ast.unparse(tree), "cell", "exec"), True)
        except PARSE_ERRORS:
            binds = uses = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        binds = binds | {root for node in ast.walk(tree) for root in _changed(node)}
        binds, uses = binds | ({module} - {""}), uses | {*_imported(tree)}
        files = bool(calls & (RUNS_FILE | {"run_line_magic"}))
        unread = next(filter(None, (_unread(node, beside) for node in ast.walk(tree))), "")
        opaque = files or bool(calls & OPAQUE) or bool(unread and calls)
        yield Step(place, frozenset(binds), frozenset(uses), opaque, unread, tree)


def _unread(node: ast.AST, beside: frozenset[str]) -> str:
    """What a call or an import runs that does not stand in the sources, in words."""
    if isinstance(node, ast.Call) and _runs_computed_text(node):
        return "code from a text that is computed"
    for module in _modules_of(node):
        if module is None:
            return "a file whose name is computed"
        if module and module not in beside and not _installed(module):
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
        return _root(name.removeprefix("./"))
    return name.partition(".")[0] if _installed(name.partition(".")[0]) else name


def _imported(tree: ast.stmt) -> Iterator[str]:
    """The modules that a statement imports or runs, by the first parts of their names."""
    for node in ast.walk(tree):
        yield from filter(None, _modules_of(node))


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


def _mentioned(
    tree: ast.AST, own: set[str], methods: set[str], renamed: Mapping[str, str]
) -> Iterator[str]:
    """The names that a statement mentions, except those that the student defined.

    A module that was imported as something else is given its own name again.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in own:
            yield node.id
        elif isinstance(node, ast.Attribute):
            root, *rest = _dotted(node)
            root = renamed.get(root, root)
            if node.attr not in methods or root in MODULES:
                yield ".".join(rest if root in own else [root, *rest])
        elif isinstance(node, ast.Constant) and isinstance(node.value, complex):
            yield "complex"
        elif isinstance(node, ast.alias):
            yield node.name
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call):
            # getattr(F, "name"), exec("code"), and the body of a cell magic.
            opaque = getattr(node.func, "id", getattr(node.func, "attr", "")) in OPAQUE
            for text in (a.value for a in node.args if isinstance(a, ast.Constant)):
                if isinstance(text, str) and opaque:
                    for inner in parsed(text):
                        yield from _mentioned(inner, own, methods, renamed)
                elif isinstance(text, str) and DOTTED.fullmatch(text):
                    yield text


def _dotted(node: ast.Attribute) -> list[str]:
    """An attribute's name behind the names of what it is an attribute of, a few at most."""
    names, at = [node.attr], node.value
    while isinstance(at, ast.Attribute) and len(names) < MOST_DOTS:
        names.append(at.attr)
        at = at.value
    if isinstance(at, ast.Name):
        names.append(at.id)
    return names[::-1]
