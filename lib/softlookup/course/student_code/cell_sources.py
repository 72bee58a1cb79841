"""Reads a notebook's cell as IPython would run it: its statements, and those under its magics.

Students' code is read, and never run. A cell that is not Python has no statements.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import groupby
from typing import Any
from unicodedata import combining

# What Python raises over source that is not Python, is nested too deeply, or cannot be unparsed.
PARSE_ERRORS = (SyntaxError, ValueError, RecursionError, MemoryError)
# Magics whose text is Python that runs here, some of it behind options.
TIMES = {"time", "timeit", "prun", "memit"}
RUNS_ITS_CELL = TIMES | {"capture"}
OPTIONS = re.compile(r"(?:(?:-[slT]\s*\S+|--?[\w-]+(?:[ =]?\d+)?)(?:\s+|$))*")
# Such a magic's name, without its sign: of a single line IPython does not ask for it.
UNSIGNED = re.compile(rf"\s*(?:{'|'.join(sorted(TIMES))}|run)\s")
# Looking for a magic takes the square of a statement's length, and putting calls in their places
# that of a cell's; Python's own reader takes that of a text with gaps. No honest cell comes near.
LONGEST_MAGIC, MOST_MAGICS, LONGEST_CELL = 2_000, 200, 200_000
# Python sorts the marks on a letter, which takes the square of their number, each time that its
# parser tries another rule. Whoever writes in any language has a few.
MOST_MARKS = 30
# Magics that show what is known of an object.
ASKS = {"pinfo", "pinfo2", "pdoc", "pdef", "pfile", "psource", "psearch"}


def parsed(source: str) -> list[ast.stmt]:
    """A cell's statements, with those under IPython's magics; none, if it would not run.

    Of what is longer than any cell, none is read either.
    """
    for text in _readings(source) if can_be_read(source) else ():
        try:
            body = ast.parse(text).body
        except PARSE_ERRORS:
            continue
        # What is nested too deeply to be rewritten keeps its magics, whose texts count.
        with suppress(RecursionError):
            return _WithoutMagics().visit(ast.parse(text)).body
        return body
    return []


def can_be_read(source: str) -> bool:
    """Whether Python reads a text in a time that an honest one takes."""
    if source.isascii():
        return len(source) <= LONGEST_CELL
    if len(source.encode(errors="surrogatepass")) > LONGEST_CELL:
        return False
    return not any(
        marks and sum(1 for _ in run) > MOST_MARKS
        for marks, run in groupby(source, lambda letter: combining(letter) > 0)
    )


def _readings(source: str) -> Iterator[str]:
    """What a cell may mean: Python as it stands, or what IPython makes of it."""
    yield source
    # IPython's reader fails with many errors over what is half typed.
    with suppress(Exception):
        yield rewritten(source)
    if len(source.splitlines()) == 1 and UNSIGNED.match(source):
        with suppress(Exception):
            yield rewritten(f"%{source.lstrip()}")


def rewritten(source: str) -> str:
    """A cell as IPython rewrites it: each magic, escape and question mark becomes a call.

    IPython reads a cell anew for each of them, which takes the square of their number. Here it is
    read once, and its lines are rewritten from the last to the first, so that none moves another.
    """
    # Here, because few cells need it, and it takes longer than all the rest.
    from IPython.core import inputtransformer2 as ipython

    manager: Any = ipython.TransformerManager()
    lines = (source if source.endswith("\n") else f"{source}\n").splitlines(keepends=True)
    for transform in (*manager.cleanup_transforms, *manager.line_transforms):
        lines = transform(lines)
    found = [
        one
        for line in ipython.make_tokens_by_line(lines)
        if line and sum(map(len, dict(_lines(line)).values())) <= LONGEST_MAGIC
        for one in sorted(
            filter(None, (kind.find([line]) for kind in manager.token_transformers)),
            key=lambda one: one.sortby(),
        )[:1]
    ]
    if len(found) > MOST_MAGICS:
        return source
    for one in reversed(found):
        with suppress(SyntaxError):
            lines = one.transform(lines)
    return "".join(lines)


def _lines(statement: Iterable[Any]) -> Iterator[tuple[int, str]]:
    """The lines of a statement, by the numbers of those in which its tokens begin."""
    return ((token.start[0], token.line) for token in statement)


class _WithoutMagics(ast.NodeTransformer):
    """Puts what a magic runs in the place of its call, where that is Python and can be read."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST | list[ast.stmt]:
        return self._instead(node, ast.copy_location(ast.Pass(), node))

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        nothing = ast.copy_location(ast.Constant(None), node.value)
        return self._instead(node, ast.copy_location(ast.Assign(node.targets, nothing), node))

    def _instead(self, node: ast.Expr | ast.Assign, rest: ast.stmt) -> ast.AST | list[ast.stmt]:
        kind, *given = magic(node.value)
        if kind == "run_line_magic" and given[0] in ASKS:
            return rest
        if kind == "run_line_magic" and given[0] in TIMES:
            run = parsed(_code(given[1]))
        elif kind == "run_cell_magic" and given[0] in RUNS_ITS_CELL:
            run = [ast.increment_lineno(each) for each in parsed(given[2])]
            if run and given[0] in TIMES:
                run = [*parsed(_code(given[1])), *run]
        else:
            run = []
        # What cannot be read stays as it is, and its words count.
        return (
            [*(ast.increment_lineno(each, node.lineno - 1) for each in run), rest] if run else node
        )


def magic(node: ast.AST) -> list[str]:
    """The call by which IPython runs a magic, the magic's name and its texts; or one empty text."""
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("run_line_magic", "run_cell_magic")
        and all(isinstance(getattr(each, "value", None), str) for each in node.args)
    ):
        texts = [each.value for each in node.args if isinstance(each, ast.Constant)]
        if len(texts) == (2 if node.func.attr == "run_line_magic" else 3):
            return [node.func.attr, *map(str, texts)]
    return [""]


def _code(line: str) -> str:
    """What stands behind a magic's options."""
    options = OPTIONS.match(line)
    return line[options.end() :] if options else line
