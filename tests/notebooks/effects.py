"""Which statements can be left out of a run and nobody could tell, whatever their names stand for.

The slice of a claim is found by reading names (``slices.py``). A statement can do what its names do
not show: draw from the global generator, or change an object that has another name too. So a
control runs a slice alone, from where it first leaves out a statement that might. Those that only
define, print, draw a picture or compute with calls that change nothing are no reason to.
"""

import ast

# Calls that only tell or show: they change nothing that a claim could read.
STATE = {"law", "finding"}
SPECTATORS = STATE | {"print", "display", "show_source", "compare", "show", "use_style"}
# Calls that only read what they are given: Python's own, its containers', and the tensors'.
READERS = """
    abs all any bool dict divmod enumerate float int isinstance len list max min range repr
    reversed round set slice sorted str sum tuple type zip
    count endswith format get index items join keys split startswith values
    allclose amax amin arange argmax argmin argsort array cat ceil clamp clone cos cumsum detach
    diagonal diff double exp expand eye flatten flip floor full gather isclose isfinite isnan item
    linspace log log10 log2 long masked_fill mean median no_grad norm numel numpy ones ones_like
    permute quantile relu repeat reshape roll sigmoid sin size softmax sqrt square squeeze stack
    std tanh tensor tolist topk transpose tril triu unbind unflatten unsqueeze var view where zeros
    zeros_like
"""
SAFE = SPECTATORS.union(READERS.split())
PICTURES = "softlookup.figures"
# Where pictures come from, and what chapters call what they draw on.
CANVASES = {"style", "plt", "figure", "axes", "panels"}


def harmless(node, pictures):
    """Whether a statement leaves everything as it was, but for the names that it binds.

    Args:
        node: the statement.
        pictures: the names of functions that draw, as ``pictures_of`` finds them.
    """
    if isinstance(node, ast.FunctionDef):
        made = [*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)]
        return all(harmless(each, pictures) for each in made)
    if isinstance(node, ast.AugAssign | ast.Delete | ast.Await | ast.Yield | ast.YieldFrom):
        return False
    if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
        return False
    if isinstance(node, ast.Call) and not changes_nothing(node, pictures):
        return False
    return all(harmless(child, pictures) for child in ast.iter_child_nodes(node))


def changes_nothing(call, pictures):
    """Whether a call is one of those that only read, tell or draw."""
    name = called(call)
    known = name in SAFE | pictures
    return known or (root(call.func) in CANVASES and root(call.func) != name)


def pictures_of(nodes):
    """The names under which statements import what draws."""
    return frozenset(
        alias.asname or alias.name
        for node in nodes
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PICTURES)
        for alias in node.names
    )


def root(node):
    """The name at the bottom of ``a.b[c].d``."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def called(call):
    """The name of the function or method that is called; empty if it has none."""
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""
