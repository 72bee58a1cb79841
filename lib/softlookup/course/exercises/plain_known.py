"""Whether a word is known as a part of what it is asked of."""

import ast
import re
from collections.abc import Set

from softlookup.course.exercises import plain_words
from softlookup.course.exercises.plain_book import Book, first, foreign, module_of
from softlookup.course.exercises.student_imports import installed

# A longer name fits no pattern with gaps, as it would take too long to see.
LONGEST_SHAPED = 60


def knows(of: ast.expr, name: str, book: Book, tools: bool) -> bool:
    """Whether a word is known as a part of what it is asked of."""
    if module := module_of(of, book.roots):
        absent = not installed(first(module)) and not special(name)
        return absent or name in words_of(module, tools)
    if (module := book.roots.get(_root(of), "")) and not installed(first(module)):
        return not special(name)
    told = any(name in defined for defined in book.files.values()) and name not in foreign()
    if told and not name.startswith("_"):
        return True
    short = len(name) <= LONGEST_SHAPED and name not in foreign()
    shaped = short and any(re.fullmatch(shape, name) for shape in book.shapes)
    # What begins so is an object's own affair.
    of_itself = book.selves and getattr(of, "id", "") in ("self", "cls")
    own = name in book.own and (not name.startswith("_") or of_itself)
    known = name in plain_words.OBJECTS or own or shaped
    return known or (tools and name in plain_words.OBJECTS_OF_TOOLS)


def _root(node: ast.AST) -> str:
    """The name from which an expression begins."""
    while isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def words_of(module: str, tools: bool) -> Set[str]:
    """The words that are known as parts of a module, of a tool only where it is one."""
    root, known = first(module), plain_words.MODULES
    found = known.get(module, known.get(root, frozenset[str]()))
    return found | plain_words.TOOLS.get(root, frozenset()) if tools else found


def special(name: str) -> bool:
    """Whether a name is of the kind that Python gives a meaning of its own."""
    return name.startswith("__") and name.endswith("__")
