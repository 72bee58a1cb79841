"""Whether a command of IPython's, or of a shell, is one that is known."""

import ast

from softlookup.course.exercises import plain_words
from softlookup.course.exercises.cell_sources import magic
from softlookup.course.exercises.student_imports import called_name

SHELL = "get_ipython"


def command_of(node: ast.Call) -> str:
    """The command of IPython's that a call gives, as it stands in a line; empty, if it is none."""
    kind, *given = magic(node)
    if kind == "run_line_magic":
        return f"%{given[0]} {given[1]}"
    if kind:
        return f"%%{given[0]} {given[1]}\n{given[2]}"
    if not isinstance(node.func, ast.Attribute) or not isinstance(node.func.value, ast.Call):
        return ""
    text = getattr(node.args[0], "value", None) if len(node.args) == 1 else None
    starts = called_name(node.func.value) == SHELL and node.func.attr in (
        "system",
        "getoutput",
    )
    return f"!{text}" if starts and isinstance(text, str) else ""


def is_known(command: str) -> bool:
    """Whether a command, as ``command_of`` gives it, is one that is known."""
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
