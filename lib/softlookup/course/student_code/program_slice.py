"""The part of a notebook that answers need: a program slice (Weiser 1981).

Statements are written down again from their trees, so that what runs is what was read. What a
student's class keeps to itself, by a name with an underscore before it, gets another name on the
way: nothing that somebody else has made has a part of that name.
"""

import ast
from collections import defaultdict
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import TypeGuard

from softlookup.course.student_code.cell_sources import PARSE_ERRORS, rewritten
from softlookup.course.student_code.plain_book import LOOKS_UP, REGISTERS
from softlookup.course.student_code.plain_words import OBJECTS
from softlookup.course.student_code.statements import Step

OWN = "kept_to_itself"
# What a method asks before all else. Where `self` may be anything, no reading tells what is set on
# it. `__class__` is the class in which the method stands, whatever its name stands for by then.
OF_ITS_CLASS = "__class__ in type({self}).__mro__"
# Where another class is made of that one, it stands where the student's others do.
MADE_HERE = "type({self}).__module__ == __name__"
ASKS = """
if not {holds}:
    raise TypeError("a method of {kind} was called with an object of another kind")
"""


@dataclass(frozen=True)
class Slice:
    """What has to run of a student's code so that answers can be asked.

    Attributes:
        cells: the sources of cells, by where they stand, as in ``Step``.
        files: the sources of the files of code beside the notebook, by their paths.
    """

    cells: Mapping[str, str]
    files: Mapping[str, str]


def slice_of(steps: Iterable[Step], beside: Iterable[str], sources: Mapping[str, str]) -> Slice:
    """Statements as sources again.

    Args:
        steps: the statements, in their order.
        beside: the paths of the files of code beside the notebook; each can be imported, though
            nothing of it may be needed.
        sources: the texts in which they stand, by where they stand.
    """
    cells = defaultdict[str, list[str]](list)
    files = {path: dict[tuple[int, str], None]() for path in beside if path.endswith(".py")}
    for step in steps:
        text = _written_again(step.tree, sources.get(step.place, ""))
        if text is None:
            continue
        if not step.module:
            cells[step.place].append(text)
            continue
        # A file in a folder is read under several names, and stands there once. What a cell writes
        # into a file stands under the cell's name.
        path = step.place if step.place in files else f"{step.module}.py"
        if path in files or step.module.isidentifier():
            files.setdefault(path, {})[getattr(step.tree, "lineno", 0), text] = None
    return Slice(
        {place: "\n".join(texts) for place, texts in cells.items()},
        {path: "\n".join(text for _, text in lines) for path, lines in files.items()},
    )


def _written_again(tree: ast.stmt, source: str) -> str | None:
    """A statement as source; None, if that cannot be had, or would mean something to IPython."""
    renamed = _Renamed().visit(deepcopy(tree))
    # Python cannot write down every text with gaps; then it stays as it stands.
    asking = _Asking().visit(deepcopy(renamed))
    for written, write in (
        (asking, ast.unparse),
        (renamed, ast.unparse),
        (renamed, lambda each: _lines_of(each, source)),
    ):
        try:
            text = write(written)
            read = ast.dump(ast.Module([written], []))
            if all(ast.dump(ast.parse(each)) == read for each in (text, rewritten(text))):
                text.encode()
                return text
        except (*PARSE_ERRORS, UnicodeEncodeError):
            continue
    return None


def _lines_of(tree: ast.stmt, source: str) -> str:
    first = min([tree, *getattr(tree, "decorator_list", ())], key=lambda each: each.lineno)
    return "\n".join(source.splitlines()[first.lineno - 1 : tree.end_lineno])


class _Renamed(ast.NodeTransformer):
    """Gives what a class keeps to itself another name."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        node.attr = _of_its_own(node.attr)
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if getattr(node.func, "attr", "") in REGISTERS:
            _rename_text(node.args[:1])
        elif getattr(node.func, "id", "") in LOOKS_UP:
            _rename_text(node.args[1:2])
        return self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        own = {
            inner.id
            for each in node.body
            if isinstance(each, ast.Assign | ast.AnnAssign)
            for inner in ast.walk(each)
            if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load)
        }
        own |= {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
        for each in node.body:
            if isinstance(each, ast.FunctionDef):
                each.name = _of_its_own(each.name)
            elif isinstance(each, ast.Assign | ast.AnnAssign):
                for inner in ast.walk(each):
                    if isinstance(inner, ast.Name) and inner.id in own:
                        inner.id = _of_its_own(inner.id)
        return self.generic_visit(node)


class _Asking(ast.NodeTransformer):
    """Has each method ask whether what it is called with is an object of its class."""

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        holds = MADE_HERE if _is_made_anew(node) else OF_ITS_CLASS
        for method in filter(_is_a_method, node.body):
            for first in [*method.args.posonlyargs, *method.args.args][:1]:
                asks = ASKS.format(holds=holds.format(self=first.arg), kind=node.name)
                at = 0 if ast.get_docstring(method, clean=False) is None else 1
                method.body[at:at] = ast.parse(asks).body
        return self.generic_visit(node)


def _is_a_method(node: ast.stmt) -> TypeGuard[ast.FunctionDef]:
    """Whether a statement in a class is a method that is called with one of its objects."""
    if not isinstance(node, ast.FunctionDef):
        return False
    kinds = {getattr(each, "id", "") for each in node.decorator_list}
    return not kinds & {"staticmethod", "classmethod"}


def _is_made_anew(node: ast.ClassDef) -> bool:
    """Whether what makes a class makes another one of it, which its methods do not know."""
    told = {word.arg for e in node.decorator_list if isinstance(e, ast.Call) for word in e.keywords}
    bases = {getattr(base, "id", getattr(base, "attr", "")) for base in node.bases}
    return "slots" in told or "NamedTuple" in bases


def _rename_text(written: Iterable[ast.expr]) -> None:
    """Give a name that is written as a text its other name."""
    for text in written:
        if isinstance(text, ast.Constant) and isinstance(text.value, str) and text.value:
            text.value = _of_its_own(text.value)


def _of_its_own(name: str) -> str:
    special = name.startswith("__") and name.endswith("__")
    return f"{OWN}{name}" if name[0] == "_" and not special and name not in OBJECTS else name
