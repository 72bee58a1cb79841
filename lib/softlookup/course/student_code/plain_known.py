"""Whether a word is known as a part of what it is asked of."""

import ast
import re
from collections.abc import Set

from softlookup.course.student_code import plain_words
from softlookup.course.student_code.plain_book import Book, first, foreign, module_of

# A longer name fits no pattern with gaps, as it would take too long to see.
LONGEST_SHAPED = 60


def knows(of: ast.expr, name: str, book: Book) -> bool:
    """Whether a word is known as a part of what it is asked of."""
    if module := module_of(of, book.roots):
        return name in words_of(module)
    if isinstance(of, ast.Name) and of.id in book.files:
        return name in book.files[of.id] and not name.startswith("_")
    short = 0 < len(name) <= LONGEST_SHAPED and name not in foreign() and name[0] != "_"
    shaped = short and any(re.fullmatch(shape, name) for shape in book.shapes)
    # What begins so is an object's own affair.
    of_itself = book.selves and getattr(of, "id", "") in ("self", "cls")
    own = name in book.own and (not name.startswith("_") or of_itself)
    return name in plain_words.OBJECTS or own or shaped


def words_of(module: str) -> Set[str]:
    """The words that are known as parts of a module."""
    known = plain_words.MODULES
    return known.get(module, known.get(first(module), frozenset[str]()))


def special(name: str) -> bool:
    """Whether a name is of the kind that Python gives a meaning of its own."""
    return name.startswith("__") and name.endswith("__")
