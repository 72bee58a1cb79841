"""What a piece of code takes from outside itself, what it binds, and what it may change in place.

All is read off the names; a chapter's loops are taken to run at least once.
"""

import ast
import builtins

from effects import SPECTATORS, called, changes_nothing, root

FUNCTIONS = (ast.FunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def bound_by(node):
    """The names that a statement binds anew."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).split(".")[0] for alias in node.names}
    if isinstance(node, ast.Assign):
        return set().union(*(names(target, ast.Store) for target in node.targets))
    if isinstance(node, ast.For):
        return names(node.target, ast.Store).union(*map(bound_by, node.body))
    if isinstance(node, ast.With):
        given = [item.optional_vars for item in node.items if item.optional_vars]
        bound = (names(each, ast.Store) for each in given)
        return set().union(*bound, *map(bound_by, node.body))
    return set()


def stored(node):
    """The names that a piece of code binds, under a condition or not."""
    if isinstance(node, (*FUNCTIONS, ast.ClassDef, *COMPREHENSIONS)):
        return set()
    inside = set().union(*map(stored, ast.iter_child_nodes(node)))
    return inside | names(node, ast.Store) if isinstance(node, ast.Name) else inside


def changed(node, pictures):
    """The names of what a piece of code may change in place, outside itself."""
    found = set().union(*(changed(child, pictures) for child in ast.iter_child_nodes(node)))
    if isinstance(node, ast.AugAssign):
        found |= names(node.target)
    elif isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
        found.add(root(node))
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        found |= changed_by(node.value, pictures)
    elif isinstance(node, ast.Call) and called(node).endswith("_"):
        found |= changed_by(node, pictures)
    elif isinstance(node, ast.For) and names(node.target) & (found | handed_on(node, pictures)):
        # The loop's variable is a part of what it runs over.
        found |= names(node.iter) - vars(builtins).keys()
    elif isinstance(node, FUNCTIONS):
        found -= own_names(node)
    elif isinstance(node, COMPREHENSIONS):
        found -= names(node, ast.Store)
    return found - {""}


def looked_up(node):
    """The names that a piece of code takes from outside itself."""
    if isinstance(node, ast.Name):
        return {node.id} if isinstance(node.ctx, ast.Load) else set()
    if isinstance(node, ast.For):
        outside = map(looked_up, (node.target, node.iter, *node.orelse))
        return set().union(*outside, in_order(node.body, names(node.target, ast.Store)))
    if isinstance(node, ast.With):
        given = [item.optional_vars for item in node.items if item.optional_vars]
        bound = set().union(*(names(each, ast.Store) for each in given))
        return set().union(*map(looked_up, node.items), in_order(node.body, bound))
    inside = set().union(*(looked_up(child) for child in ast.iter_child_nodes(node)))
    if isinstance(node, FUNCTIONS):
        # Defaults belong to the outside: in ``lambda x=x: x`` the second x does.
        arguments = node.args
        given = [each for each in (*arguments.defaults, *arguments.kw_defaults) if each]
        return (inside - own_names(node)).union(*map(looked_up, given))
    if isinstance(node, COMPREHENSIONS):
        return inside - names(node, ast.Store)
    return inside


def in_order(body, bound):
    """What a block takes from outside, of which some names are bound before it."""
    found, bound = set(), set(bound)
    for statement in body:
        found |= looked_up(statement) - bound
        bound |= bound_by(statement)
    return found


def own_names(function):
    """The names of a function's own: its arguments, and what it binds."""
    arguments = {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}
    return arguments | names(function, ast.Store)


def looked_up_later(node):
    """What the functions in a piece of code take from outside when they are called."""
    if isinstance(node, FUNCTIONS):
        return looked_up(node)
    return set().union(*(looked_up_later(child) for child in ast.iter_child_nodes(node)))


def names(node, context=ast.expr_context):
    """The names that a piece of code mentions, or those that it mentions so."""
    return {
        each.id
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and isinstance(each.ctx, context)
    }


def handed_on(node, pictures):
    """The names of what a piece of code gives to calls that might change it, kept or not."""
    calls = (each for each in ast.walk(node) if isinstance(each, ast.Call))
    return set().union(*(names(call) for call in calls if not changes_nothing(call, pictures)))


def changed_by(call, pictures):
    """What a call whose result nobody keeps may change: its object, and its arguments."""
    if called(call) in SPECTATORS:
        return set()
    if called(call) in pictures:
        return {root(argument) for argument in call.args[:1]}
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
    return {root(call.func), *(root(argument) for argument in arguments)}
