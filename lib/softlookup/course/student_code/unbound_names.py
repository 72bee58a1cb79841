"""Global names that a student's statement uses and nobody binds."""

import ast
import builtins
import symtable
import sys
from collections.abc import Iterator, Set

from softlookup.course.student_code.cell_sources import PARSE_ERRORS
from softlookup.course.student_code.imports import Known
from softlookup.course.student_code.statements import Step, names_of

# Names that are there in every cell; what a cell has shown (`_`, `Out`) was made elsewhere.
ALWAYS = {
    *dir(builtins),
    *("get_ipython", "display", "exit", "quit", "__name__", "__doc__", "__file__", "__builtins__"),
    *("__module__", "__qualname__", "__annotations__", "__class__", "__spec__", "__package__"),
}


def unbound(step: Step, bound: Set[str]) -> list[str]:
    """The global names that a statement uses and nobody binds: at home they would be an error."""
    missing = step.uses - bound - ALWAYS
    if not {name for name in missing if name.isidentifier()}:
        return []
    # What stands in an annotation may be evaluated by nobody.
    try:
        tree = _WithoutAnnotations().visit(ast.parse(ast.unparse(step.tree)))
        _, uses = names_of(symtable.symtable(ast.unparse(tree), "cell", "exec"), True)
    except PARSE_ERRORS:
        return []
    return sorted(missing & uses)


def starred(tree: ast.AST, known: Known) -> Iterator[str | None]:
    """What `import *` binds in a statement; None, where nobody can tell without running it.

    What lies beside the notebook is read, and binds its names by itself.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
            module = node.module or ""
            if module.partition(".")[0] in known.beside:
                continue
            found = sys.modules.get(module)
            yield from dir(found) if found else [None]


class _WithoutAnnotations(ast.NodeTransformer):
    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant("")
        return self.generic_visit(node)
