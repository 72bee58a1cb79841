"""Whether an exercise's answer stands in the chapter before it, so that it is only to be copied.

Answer and chapter are compared as syntax trees, expression by expression, with the names of
variables taken away: ``scores = q @ k.T`` and ``return a @ b.T`` say the same.
"""

import ast
import copy
import importlib

from chapters import tags

MODULES = ("torch", "F", "math", "nn")
# Below this many nodes an expression is too common to be anybody's answer.
LEAST_NODES = 9
# An answer of which more than so much, counted in nodes, stood before is copied.
COPIED_AT_MOST = 0.6


def transcribed(chapter):
    """For each exercise, the share of its solution that the chapter has shown before it."""
    shares = {}
    shown, stubs = {}, chapter.tagged("exercise")
    for number, solution in chapter.tagged("solution").items():
        at = chapter.cells.index(solution)
        for source in shown_in(chapter, chapter.cells[:at]):
            if source not in shown:
                shown[source] = {form for _, form in expressions(source)}
        known = set().union(*shown.values())
        given = {form for _, form in expressions(stubs[number].source)}
        own = [(node, form) for node, form in expressions(solution.source) if form not in given]
        seen = set().union(*(parts(node) for node, form in own if form in known))
        whole = set().union(*(parts(node) for node, _ in own))
        shares[number] = len(seen) / max(1, len(whole))
    return shares


def parts(node):
    return {id(each) for each in ast.walk(node)}


def shown_in(chapter, cells):
    """The sources that a reader of these cells has seen, the library's included."""
    imported = names_of_setup(chapter)
    for cell in cells:
        if cell.cell_type != "code" or is_exercise(cell):
            continue
        yield cell.source
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "show_source":
                shown = eval(ast.unparse(node.args[0]), dict(imported))
                yield imported["show_source"](shown).text


def is_exercise(cell):
    return any(tag.startswith(("exercise:", "solution:")) for tag in tags(cell))


def names_of_setup(chapter):
    """What the chapter imports, by the names that it uses."""
    found = {}
    for node in ast.parse(chapter.setup).body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                found[alias.asname or alias.name] = importlib.import_module(alias.name)
        elif isinstance(node, ast.ImportFrom):
            module = importlib.import_module(node.module)
            for alias in node.names:
                if not hasattr(module, alias.name):
                    importlib.import_module(f"{node.module}.{alias.name}")
                found[alias.asname or alias.name] = getattr(module, alias.name)
    return found


def expressions(source):
    """Every expression that computes something, with its form: an answer, or a part of one."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.expr) and size(node) >= LEAST_NODES:
            yield node, form_of(node)


def size(node):
    return sum(
        1 for each in ast.walk(node) if not isinstance(each, ast.expr_context | ast.operator)
    )


def form_of(expression):
    """An expression with its variables numbered, and functions written as methods."""
    return ast.dump(Plain().visit(copy.deepcopy(expression)))


class Plain(ast.NodeTransformer):
    """``F.softmax(scores, dim=-1)`` and ``weights.softmax(-1)`` say the same."""

    def __init__(self):
        self.numbers = {}

    def visit_Call(self, node):
        function = node.func
        of_module = getattr(getattr(function, "value", None), "id", "") in MODULES
        if of_module and node.args:
            first, *rest = node.args
            method = ast.Attribute(first, function.attr, ast.Load())
            node = ast.Call(method, rest, node.keywords)
        node.args, node.keywords = [*node.args, *(each.value for each in node.keywords)], []
        return self.generic_visit(node)

    def visit_Name(self, node):
        return ast.Name(f"name_{self.numbers.setdefault(node.id, len(self.numbers))}", node.ctx)
