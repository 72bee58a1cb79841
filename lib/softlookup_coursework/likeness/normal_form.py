"""A student's code in a form in which names, layout and comments make no difference.

A submission is cut into parts: functions, methods, and what stands between them in a cell. Of each
part Python's own parser keeps the structure. What the student named is called ``v``, texts are
``s``, and docstrings and annotations are gone. What the library named stays, and so do numbers.
Of a written answer the words stay.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from softlookup.course.exercises.source_checks import MOST_CHARACTERS, PARSE_ERRORS, parsed

# A submission of more parts, or a part of more tokens, is cut: no honest one comes near.
MOST_PARTS, MOST_TOKENS = 300, 3000
# A shorter part is alike in everybody's: `return attend(query, key, value, pattern(n))`.
FEWEST_TOKENS = 20
LAYOUT = {
    tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT,
    tokenize.ENDMARKER,
}  # fmt: skip
Function = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Part:
    """A function, a method, or the statements between them.

    Attributes:
        source: as it was written.
        tokens: in normal form.
    """

    source: str
    tokens: tuple[str, ...]


def parts(cells: Iterable[str]) -> list[Part]:
    """The parts of some cells that are long enough to be compared.

    Args:
        cells: their sources. A cell that is not Python, or that is nested too deeply, has none.
    """
    found: list[Part] = []
    sources, left = [], MOST_CHARACTERS
    for cell in cells:
        left -= len(cell)
        if left >= 0:
            sources.append((cell, parsed(cell)))
    own = {name for _, trees in sources for tree in trees for name in _own_names(tree)}
    for cell, trees in sources:
        for pieces in _pieces(trees):
            try:
                tokens = _tokens(pieces, own)
                text = "\n".join(_source(cell, piece) for piece in pieces)
            except (*PARSE_ERRORS, tokenize.TokenError):
                continue
            if len(tokens) >= FEWEST_TOKENS and len(found) < MOST_PARTS:
                found.append(Part(text, tokens[:MOST_TOKENS]))
    return found


def prose(cells: Iterable[str]) -> list[Part]:
    """The texts of some Markdown cells, each as its words, without case and punctuation."""
    words = [(cell, tuple(re.findall(r"\w+", cell[:MOST_CHARACTERS].casefold()))) for cell in cells]
    long = [Part(cell, found[:MOST_TOKENS]) for cell, found in words if len(found) >= FEWEST_TOKENS]
    return long[:MOST_PARTS]


def _source(cell: str, piece: ast.stmt) -> str:
    """A piece as it was written; as Python writes it, where a magic has moved the lines."""
    first = min([piece.lineno, *(d.lineno for d in getattr(piece, "decorator_list", []))])
    lines = cell.split("\n")[first - 1 : piece.end_lineno]
    text = "\n".join(lines)
    if not text.strip() or len(lines) < (piece.end_lineno or 0) - first + 1:
        return ast.unparse(piece)
    return text


def _pieces(trees: list[ast.stmt]) -> Iterator[list[ast.stmt]]:
    """Functions and methods, each alone, and what stands between them together."""
    rest: list[ast.stmt] = []
    for tree in trees:
        if isinstance(tree, Function):
            yield [tree]
        elif isinstance(tree, ast.ClassDef):
            methods = [node for node in tree.body if isinstance(node, Function)]
            for method in methods:
                yield [method]
            rest += [node for node in tree.body if not isinstance(node, Function)]
        elif not isinstance(tree, ast.Import | ast.ImportFrom):
            rest.append(tree)
    if rest:
        yield rest


def _own_names(tree: ast.AST) -> Iterator[str]:
    """The names that a statement gives: of variables, arguments, functions and attributes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.id if isinstance(node, ast.Name) else node.attr
        elif isinstance(node, (*Function, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg


class _Renamed(ast.NodeTransformer):
    """Calls what the student named ``v``, and every text ``s``."""

    def __init__(self, own: set[str]) -> None:
        self.own = own

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name("v" if node.id in self.own else node.id, node.ctx)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        return ast.Attribute(node.value, "v" if node.attr in self.own else node.attr, node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg("v")

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        self.generic_visit(node)
        return ast.keyword("v" if node.arg in self.own else node.arg, node.value)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Constant("s") if isinstance(node.value, str | bytes) else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return ast.Constant("s")

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        return ast.Assign([node.target], node.value or ast.Constant(None), lineno=0)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.name, node.returns = "v", None
        text = node.body[0]
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
            node.body = node.body[1:] or [ast.Pass()]
        return node


def _tokens(pieces: list[ast.stmt], own: set[str]) -> tuple[str, ...]:
    """The tokens of some statements in normal form."""
    text = "\n".join(ast.unparse(_Renamed(own).visit(ast.parse(ast.unparse(p)))) for p in pieces)
    read = tokenize.generate_tokens(io.StringIO(text).readline)
    return tuple(token.string for token in read if token.type not in LAYOUT)
