"""Looks into a student's code for what would defeat the exercise, such as a ready-made attention.

It follows the names: a test takes an answer, the answer uses other names, and only what lies on
that way counts. A cell that compares the answer with torch's own function is no offence. What a
student hides with effort is not found here, and need not be: the assignment asks for a variant
that nothing ready-made computes. This check spares the honest a misunderstanding.
"""

import ast
import re
import symtable
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from IPython.core.inputtransformer2 import TransformerManager

# Calls whose string may be code, and whose effect no reading of names can follow.
OPAQUE = {"exec", "eval", "compile", "globals", "vars", "locals", "run_cell_magic", "run_cell"}
DOTTED = re.compile(r"[\w.]*\w")


@dataclass(frozen=True)
class Step:
    """A statement of a student's: the cell's number, the names it binds and uses, and its tree."""

    cell: int
    binds: frozenset[str]
    uses: frozenset[str]
    opaque: bool
    tree: ast.stmt


class StudentCode:
    """The statements of a student's cells.

    Args:
        cells: number and source of each code cell that the student wrote. One that is no Python
            never runs, and is left out.
    """

    def __init__(self, cells: Iterable[tuple[int, str]]) -> None:
        self.steps = [step for number, source in cells for step in _steps(number, source)]
        self.own = {
            step.tree.name
            for step in self.steps
            if isinstance(step.tree, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        }

    def forbidden(self, names: Iterable[str], forbids: Iterable[str]) -> str:
        """Say which forbidden name some answers lead to.

        Args:
            names: the answers'.
            forbids: what must not be used.

        Returns:
            A sentence for the student; empty if there is none.
        """
        wanted, seen, waiting = set(forbids), set[int](), set(names)
        while wanted and (
            found := [
                (index, step)
                for index, step in enumerate(self.steps)
                if index not in seen and (step.opaque or step.binds & waiting)
            ]
        ):
            for index, step in found:
                seen.add(index)
                waiting |= step.uses
        for index in sorted(seen):
            for name in _mentioned(self.steps[index].tree, self.own):
                if guilty := wanted & set(name.split(".")):
                    return (
                        f"your answer uses {guilty.pop()} (cell {self.steps[index].cell}), which "
                        "does for you what this exercise asks you to write; write it out"
                    )
        return ""


def _parsed(source: str) -> list[ast.stmt]:
    """A cell's statements; magics are turned into calls first, as IPython does."""
    try:
        return ast.parse(source).body
    except (SyntaxError, ValueError):
        pass
    try:
        return ast.parse(TransformerManager().transform_cell(source)).body
    except (SyntaxError, ValueError):
        return []


def _steps(number: int, source: str) -> Iterator[Step]:
    for tree in _parsed(source):
        calls = {
            getattr(node.func, "id", getattr(node.func, "attr", ""))
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
        }
        try:
            binds, uses = _names(symtable.symtable(ast.unparse(tree), "cell", "exec"), True)
        except (SyntaxError, RecursionError):
            binds = uses = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        binds = binds | {root for node in ast.walk(tree) for root in _changed(node)}
        yield Step(number, frozenset(binds), frozenset(uses), bool(calls & OPAQUE), tree)


def _names(table: symtable.SymbolTable, top: bool = False) -> tuple[set[str], set[str]]:
    """The global names that a scope, and the scopes in it, bind and use."""
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
    """The name of an object that a statement changes from within: ``name.attribute = …``."""
    target: ast.AST | None = None
    if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
        target = node
    elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "setattr" and node.args:
        target = node.args[0]
    while isinstance(target, ast.Attribute | ast.Subscript):
        target = target.value
    if isinstance(target, ast.Name):
        yield target.id


def _mentioned(tree: ast.AST, own: set[str]) -> Iterator[str]:
    """The names that a statement mentions, but for those that the student defined."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in own:
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.alias):
            yield node.name
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif isinstance(node, ast.Call):
            # getattr(F, "name"), exec("code"), and the body of a cell's magic.
            opaque = getattr(node.func, "id", getattr(node.func, "attr", "")) in OPAQUE
            for text in (a.value for a in node.args if isinstance(a, ast.Constant)):
                if isinstance(text, str) and opaque:
                    for inner in _parsed(text):
                        yield from _mentioned(inner, own)
                elif isinstance(text, str) and DOTTED.fullmatch(text):
                    yield text
