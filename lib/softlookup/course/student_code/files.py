"""What of a file of code beside the notebook counts: what is reached from the names it is used by.

A function that stands in a file, and that no answer uses, is what it would be in a cell. What
stands under ``if __name__ == "__main__"`` does not run where the file is imported.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping

from softlookup.course.student_code.imports import (
    Known,
    modules_of,
    named_in_calls,
    names_listed,
)

# What stands for the names of a file that are not told, and for the whole of it.
ANY, WHOLE = "*", "**"


def member(module: str, name: str) -> str:
    """How a name of a file is called among all that a statement binds and uses."""
    return f"{module}:{name}"


def import_aliases(trees: Iterable[ast.AST], known: Known) -> dict[str, str]:
    """The names by which files beside the notebook are imported, and the files."""
    found = {}
    for node in (each for tree in trees for each in ast.walk(tree)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                module = alias.name.partition(".")[0]
                if module in known.beside:
                    found[alias.asname or module] = module
    return found


def names_from_files(trees: Iterable[ast.AST], known: Known) -> frozenset[str]:
    """The names that are imported from files beside the notebook."""
    nodes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return frozenset(
        alias.asname or alias.name
        for node in nodes
        for alias in node.names
        if (node.module or "").partition(".")[0] in known.beside
    )


def members_used(tree: ast.AST, aliases: Mapping[str, str], known: Known) -> Iterator[str]:
    """The names of files that a statement uses, or ``ANY`` of a file where it does not tell."""
    nodes, listed = [*ast.walk(tree)], names_listed(tree)
    of = {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            module = (node.module or "").partition(".")[0]
            for alias in node.names if module in known.beside else ():
                yield member(module, alias.name)
            # Within a package: the name is one of a file beside, whichever it is.
            yield from (alias.name for alias in node.names if node.level)
        elif isinstance(node, ast.Attribute):
            names, at = [node.attr], node.value
            while isinstance(at, ast.Attribute):
                names, at = [*names, at.attr], at.value
            if isinstance(at, ast.Name) and at.id in aliases:
                yield from (member(aliases[at.id], name) for name in names)
        elif isinstance(node, ast.Name) and node.id in aliases and id(node) not in of:
            yield member(aliases[node.id], ANY)
        elif isinstance(node, ast.Call):
            yield from (member(module, ANY) for module in modules_of(node, listed) if module)


def run_alone(trees: Iterable[ast.stmt], known: Known) -> frozenset[str]:
    """The files that may be run by themselves, and not only imported, as what uses them says."""
    return frozenset(name for tree in trees for name in named_in_calls(tree, known))


def when_imported(tree: ast.stmt) -> list[ast.stmt]:
    """What of a file's statement runs where the file is imported."""
    return tree.orelse if isinstance(tree, ast.If) and _is_main(tree.test) else [tree]


def one_by_one(tree: ast.stmt) -> list[ast.stmt]:
    """A statement that imports several names, as one for each of them."""
    if not isinstance(tree, ast.Import | ast.ImportFrom):
        return [tree]
    alone = [
        ast.ImportFrom(tree.module, [alias], tree.level)
        if isinstance(tree, ast.ImportFrom)
        else ast.Import([alias])
        for alias in tree.names
    ]
    return [ast.copy_location(each, tree) for each in alone]


def made_by_import(tree: ast.stmt) -> bool:
    """Whether a definition in a file answers for names that do not stand there."""
    name = getattr(tree, "name", "")
    return name.startswith("__") and name.endswith("__")


def _is_main(test: ast.expr) -> bool:
    """Whether a condition is that the file runs by itself."""
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.Eq):
        return False
    sides = [test.left, *test.comparators]
    return {getattr(each, "id", getattr(each, "value", "")) for each in sides} == {
        "__name__",
        "__main__",
    }
