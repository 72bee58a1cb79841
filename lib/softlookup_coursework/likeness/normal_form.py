"""A student's code in a form in which names, layout and comments make no difference.

A submission is cut into parts: functions, methods, and what stands between them in a cell. Of each
part Python's own parser keeps the structure. What the student named is called ``v``, texts are
``s``, and docstrings and annotations are gone. What the library named stays, and so do numbers.
A text that is itself Python, as for ``exec``, is cut into parts as a cell is. Of a written answer
the words stay.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from softlookup.course.student_code.cell_sources import PARSE_ERRORS, can_be_read, parsed

# A submission of more characters, parts or tokens, or a part of more tokens, is cut, and the report
# says whose it is: no honest one comes near.
MOST_CHARACTERS, MOST_PARTS, MOST_TOKENS, MOST_TOKENS_OF_ALL = 200_000, 300, 3000, 30_000
# So many functions are looked at, most of which may be too short to be compared.
MOST_TRIED = 1500
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


class Parts(list[Part]):
    """Parts, and whether there was more than is compared.

    Args:
        cells: the sources of which they are the parts.
        cut: whether there was more than these.
    """

    def __init__(self, cells: Iterable[str], cut: bool = False) -> None:
        super().__init__()
        self.cells: list[str] = []
        left = MOST_CHARACTERS
        cells = list(cells)
        # The shortest first: whoever puts a wall of text around an answer has the wall left out.
        for cell in sorted(cells, key=len):
            left -= len(cell)
            if left >= 0:
                self.cells.append(cell)
        self.cut = cut or len(self.cells) < len(cells)
        self._left = MOST_TOKENS_OF_ALL

    def add(self, source: str, tokens: Sequence[str]) -> None:
        """Add a part, if it is long enough to be compared and there is room."""
        if len(tokens) < FEWEST_TOKENS:
            return
        kept = tuple(tokens[: min(MOST_TOKENS, self._left)]) if len(self) < MOST_PARTS else ()
        self.cut |= len(kept) < len(tokens)
        self._left -= len(kept)
        if kept:
            self.append(Part(source, kept))


def parts(cells: Iterable[str]) -> Parts:
    """The parts of some cells that are long enough to be compared.

    Args:
        cells: their sources. A cell that is not Python, or that is nested too deeply, has none.
    """
    found = Parts(cells)
    sources = [*_read(found.cells)]
    tried = 0
    own = {name for _, trees in sources for tree in trees for name in _own_names(tree)}
    for lines, trees in sources:
        for pieces in _pieces(trees):
            tried += 1
            if len(found) == MOST_PARTS or tried > MOST_TRIED:
                found.cut = True
                return found
            try:
                found.add(_source(lines, pieces), _tokens(pieces, own))
            except (*PARSE_ERRORS, tokenize.TokenError):
                found.cut = True
    return found


def prose(cells: Iterable[str]) -> Parts:
    """The texts of some Markdown cells, each as its words, without case and punctuation."""
    found = Parts(cells)
    for cell in found.cells:
        found.add(cell, re.findall(r"\w+", cell.casefold()))
    return found


def _read(cells: Iterable[str]) -> Iterator[tuple[list[str], list[ast.stmt]]]:
    """The lines and statements of cells, and of the code that stands in them as a text."""
    for cell in cells:
        new = [(cell, parsed(cell))]
        while new:
            source, trees = new.pop()
            yield source.split("\n"), trees
            texts = (text for tree in trees for text in _texts(tree))
            new += [(text, body) for text in texts if (body := _code(text))]


def _texts(tree: ast.AST) -> Iterator[str]:
    """The texts in a statement that are long enough to be a part."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            text = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
            if len(text) > FEWEST_TOKENS:
                yield text


def _code(text: str) -> list[ast.stmt]:
    """The statements that a text holds; none, if it is not Python."""
    try:
        return ast.parse(text).body if can_be_read(text) else []
    except PARSE_ERRORS:
        return []


def _source(lines: list[str], pieces: list[ast.stmt]) -> str:
    """Some pieces as they were written; as Python writes them, where a magic has moved the lines.

    A line on which several of them stand is shown once.
    """
    shown: list[str] = []
    last = 0
    for piece in pieces:
        first = min([piece.lineno, *(d.lineno for d in getattr(piece, "decorator_list", []))])
        end = piece.end_lineno or first
        own = lines[max(first - 1, last) : end]
        if end > len(lines) or (end > last and not "".join(own).strip()):
            return "\n".join(map(ast.unparse, pieces))
        shown += own
        last = max(last, end)
    return "\n".join(shown)


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
    """The tokens of some statements in normal form; of very many statements, the first."""
    found: list[str] = []
    for piece in pieces:
        text = ast.unparse(_Renamed(own).visit(ast.parse(ast.unparse(piece))))
        read = tokenize.generate_tokens(io.StringIO(text).readline)
        found += [token.string for token in read if token.type not in LAYOUT]
        if len(found) > MOST_TOKENS:
            break
    return tuple(found)
