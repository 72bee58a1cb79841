"""Reads a notebook's cell as IPython would run it: its statements, without the magics.

Students' code is read, and never run. A cell that is not Python has no statements.
"""

import ast
import re
from collections.abc import Iterator

# What Python raises over source that is not Python, is nested too deeply, or cannot be unparsed.
PARSE_ERRORS = (SyntaxError, ValueError, RecursionError, MemoryError)
# Spaces within a line: over blank lines too, a cell of them would take the square of its length.
MAGIC = re.compile(r"^[^\S\n]*(?:[%!?]|>>>|In \[)|\?[^\S\n]*$", re.MULTILINE)
CELL_MAGIC = re.compile(r"\s*%%[^\n]*")
ASSIGNED = re.compile(r"([^=\n]*[^=!<>\n]=)\s*[%!].*")
# It runs a file, and so stays to be seen.
RUN = re.compile(r"(\s*)%run\b(.*)")
TIMED = re.compile(r"(\s*)%(?:time|timeit|prun|memit)\s+(.*)")


def parsed(source: str) -> list[ast.stmt]:
    """A cell's statements, without IPython's magics; none, if it would not run."""
    for text in _readings(source):
        try:
            return ast.parse(text).body
        except PARSE_ERRORS:
            continue
    return []


def may_run_unread(source: str) -> bool:
    """Whether a cell may run though nothing of it can be read here.

    It has magics that are not understood, or it is nested more deeply than this process can read,
    as another may.
    """
    if parsed(source):
        return False
    try:
        ast.parse(source)
    except (RecursionError, MemoryError):
        return True
    except PARSE_ERRORS:
        pass
    return MAGIC.search(source) is not None


def _readings(source: str) -> Iterator[str]:
    """What a cell may mean: Python as it stands, or without what IPython takes away."""
    yield source
    # Here, because few cells need it, and it takes longer than all the rest.
    from IPython.core import inputtransformer2 as ipython

    lines = source.splitlines(keepends=True)
    for clean in (
        ipython.leading_empty_lines,
        ipython.leading_indent,
        ipython.classic_prompt,
        ipython.ipython_prompt,
    ):
        lines = clean(lines)
    yield (cleaned := "".join(lines))
    yield _without_magics(cleaned)


def _without_magics(source: str) -> str:
    """A cell's Python code: below a cell magic, after ``%time``, without shell commands."""
    lines = []
    body = source[magic.end() :] if (magic := CELL_MAGIC.match(source)) else source
    for line in body.split("\n"):
        if timed := TIMED.fullmatch(line):
            lines.append(timed[1] + timed[2])
        elif run := RUN.fullmatch(line):
            lines.append(f"{run[1]}get_ipython().run_line_magic('run', {run[2].strip()!r})")
        elif line.lstrip().startswith(("%", "!", "?")) or line.rstrip().endswith("?"):
            lines.append(line[: len(line) - len(line.lstrip())] + "pass")
        elif assigned := ASSIGNED.match(line):
            lines.append(assigned[1] + " None")
        else:
            lines.append(line)
    return "\n".join(lines)
