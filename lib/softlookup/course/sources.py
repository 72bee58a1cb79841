"""Show a chapter the library's own code, so that the book cannot drift from it."""

import ast
import inspect
import textwrap
from collections.abc import Callable
from typing import Any


class Source:
    """A piece of the library's source, which a notebook and the site set as code."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text

    def _repr_markdown_(self) -> str:
        return f"```python\n{self.text}\n```"


def show_source(thing: Callable[..., Any] | type) -> Source:
    """The source of a function or class as it stands in the library, without docstrings.

    The chapter says at more length what a docstring says, and the reference holds it.

    Raises:
        TypeError: if the thing was not defined in Python.
    """
    text = textwrap.dedent(inspect.getsource(thing))
    lines = text.splitlines()
    documented = (ast.FunctionDef, ast.ClassDef)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, documented) and ast.get_docstring(node) is not None:
            docstring = node.body[0]
            for number in range(docstring.lineno - 1, docstring.end_lineno or docstring.lineno):
                lines[number] = "\0"
    return Source("\n".join(line for line in lines if line != "\0"))
