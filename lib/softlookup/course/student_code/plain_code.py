"""Whether a student's statement is written in words that the check knows.

Checks that look for what is forbidden are never complete. This one turns it round: it knows what
answers are written with (``plain_words``), and whatever else stands in a statement is not run where
the answers count, but shown to a person. A student's own names are plain, as long as no module is
handed on as a value, so that nobody can tell of which object an attribute is taken.
"""

import ast
import builtins
import re
from collections.abc import Iterator

from softlookup.course.student_code import plain_words
from softlookup.course.student_code.imports import called_name, names_listed
from softlookup.course.student_code.plain_book import LOOKS_UP, Book, bound_by, first, module_of
from softlookup.course.student_code.plain_calls import (
    BASES,
    BY_ITS_OWN_NAME,
    is_their_own,
    looked_at,
    may_be_set,
    of_a_call,
    of_axes,
    taken_from,
)
from softlookup.course.student_code.plain_known import knows, special, words_of

# What gives numbers that are no tensor's.
UNWATCHED = {"numpy", "tolist", "conjugate", "conj", "angle", "astype", "asnumpy"}
# What gives NumPy's numbers.
ARRAYS = {"numpy": "NumPy", "scipy": "SciPy", "einops": "einops"}
# What IPython keeps of what a cell has shown.
SHOWN = re.compile(r"In|Out|_{2,3}|_i{1,3}|_i?\d+|_[iod]h")
# The names that Python and libraries look up in every object.
MEANT = re.compile(r"__(?!_)\w*(?<!_)__")
# Of these a class of one's own would be a tensor with other attributes.
TENSORS = {"Parameter"}
LOOKS_AT = {"isinstance", "issubclass", "print", "repr", "str", "id", "hash"}
HANDED_ON = "a module as a value"
# What tells of a module or a class, and is no method.
TELLS = {"__all__", "__version__", "__author__", "__doc__", "__name__"}
# Names that keep the meaning that Python gives them, since others are trusted by it.
KEPT = (
    LOOKS_UP
    | LOOKS_AT
    | {"super", "type", "staticmethod", "classmethod", "property", "dataclass", "cached_property"}
)


def strange_words(tree: ast.stmt, book: Book) -> list[str]:
    """What of a statement is written in other words, parts of modules before others.

    Args:
        tree: the statement.
        book: what is known of all statements that run with it.
    """
    return sorted(_strange(tree, book), key=lambda word: "." not in word)


def numbers_unwatched(tree: ast.stmt, book: Book) -> str:
    """By which name a statement has numbers that nobody watches; empty, if by none."""
    for node in ast.walk(tree):
        if of := ARRAYS.get(first(module_of(node, book.roots))):
            return f"{of}, whose numbers may be complex or longer"
        if isinstance(node, ast.Attribute) and node.attr in UNWATCHED:
            return f"{node.attr}, whose numbers may be complex or longer"
    return ""


# Statements with which no answer is written, and which hide what a name or an attribute stands for.
UNUSUAL = {
    ast.AsyncFunctionDef: "async",
    ast.AsyncFor: "async",
    ast.AsyncWith: "async",
    ast.Await: "await",
}


def _strange(tree: ast.stmt, book: Book) -> Iterator[str]:
    nodes = [*ast.walk(tree)]
    listed = {n: texts for n, texts in names_listed(tree).items() if n not in book.exchanged}
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    # What is named in a class can be had of it.
    of_classes = {id(e) for node in nodes if isinstance(node, ast.ClassDef) for e in node.body}
    exempt = {
        id(each)
        for node in nodes
        if id(node) not in of_classes
        for each in _not_handed_on(node, book)
    }
    decorators = {id(each) for node in nodes for each in getattr(node, "decorator_list", ())}
    asked_after = {id(each) for node in nodes for each in _only_looked_at(node)}
    bases = {id(each) for node in nodes if isinstance(node, ast.ClassDef) for each in node.bases}
    told = {id(n.value) for n in nodes if isinstance(n, ast.Subscript | ast.Attribute)}
    looked_up = {id(a) for n in nodes if isinstance(n, ast.Call) for a in _looked_up(n, book)}
    of_themselves = {id(each) for node in nodes for each in _with_itself(node, book)}
    only_named = {id(each) for node in nodes for each in _named_as_a_class(node)}
    as_classes = called | bases | only_named
    named, asked, parts = as_classes | told, called | asked_after, told | looked_up
    for node in nodes:
        if isinstance(node, ast.Attribute):
            # `net.eval()` is known, and what evaluates a text is not.
            handed = node.attr == "eval" and id(node) not in called
            if handed or not knows(node.value, node.attr, book):
                yield _dotted(node, book)
            sets = not isinstance(node.ctx, ast.Load)
            elsewhere = taken_from(node.value) in book.made_elsewhere
            its_own = is_their_own(node.value, book) or may_be_set(node.attr, book)
            if sets and (elsewhere or not its_own):
                yield f"{_dotted(node, book)}, to set it"
            # A method that is taken of its class would take anything for its own object.
            is_method = _is_own_class(node.value, book) and node.attr in book.methods
            if is_method and id(node) not in of_themselves:
                yield f"{node.attr} without its own object"
            if _is_own_class(node, book) and id(node) not in named:
                yield "a class as a value"
        elif isinstance(node, ast.Name):
            yield from _of_a_name(node, book)
            if _is_own_class(node, book) and id(node) not in named:
                yield "a class as a value"
        elif isinstance(node, ast.ClassDef):
            yield from _of_a_class(node, book)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from _of_an_import(node, book)
            if node is not tree and node.names[0].name == "*":
                yield "an import of all names within a statement"
        elif isinstance(node, ast.ExceptHandler) and _keeps_its_error(node):
            yield "an error that is kept"
        elif type(node) in UNUSUAL:
            yield UNUSUAL[type(node)]
        elif isinstance(node, ast.Try | ast.With) and _waits_within(node):
            yield "a generator that has something to do at its end"
        elif isinstance(node, ast.YieldFrom) and book.ends:
            # What a generator yields from is closed with it.
            yield "a generator that has something to do at its end"
        elif isinstance(node, ast.pattern) and not _is_a_value(node):
            yield "a pattern"
        elif isinstance(node, ast.Call):
            yield from of_a_call(node, book, listed)
            if called_name(node) == "wraps" and id(node) not in decorators:
                yield "wraps, but to decorate"
        elif isinstance(node, ast.keyword) and special(node.arg or ""):
            yield node.arg or ""
        elif isinstance(node, ast.Constant) and _names_a_meaning(node.value):
            yield f"the text {node.value!s}"
        is_method = id(node) in of_classes
        yield from (n for n in bound_by(node) if _has_a_meaning(n, node, is_method))
        for said in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if said is not None and any(isinstance(each, ast.Call) for each in ast.walk(said)):
                yield "an annotation that calls something"
        if _is_an_array(node) and id(node) not in only_named:
            yield "ndarray, but to name it"
        if _is_a_class(node) and id(node) not in asked_after:
            yield "a class as a value"
        if (name := looked_at(node, book)) and id(node) not in asked:
            decorates = name in ("dataclass", "compile")
            free = decorators if decorates else bases if name in BASES else set()
            if id(node) not in free:
                yield f"{name} as a value"
        yield from of_axes(node, book, told)
        if id(node) not in exempt and module_of(node, book.roots):
            yield HANDED_ON
        if _is_a_file(node, book) and id(node) not in parts:
            yield HANDED_ON


def _is_own_class(node: ast.AST, book: Book) -> bool:
    """Whether a node stands for a class of the student's, in a class or a file of theirs, too."""
    if isinstance(node, ast.Attribute):
        own = node.attr in book.classes and not module_of(node.value, book.roots)
    else:
        own = getattr(node, "id", "") in {"cls", *book.classes}
    return own and isinstance(getattr(node, "ctx", None), ast.Load)


def _has_a_meaning(name: str, node: ast.AST, is_method: bool) -> bool:
    """Whether Python gives a name that is bound a meaning of its own; methods may be special."""
    if isinstance(node, ast.FunctionDef) and is_method:
        return (special(name) and name not in plain_words.SPECIAL - TELLS) or name in KEPT
    if isinstance(node, ast.Import | ast.ImportFrom):
        return special(name) or name in {each.asname for each in node.names} & KEPT
    return special(name) or name in KEPT


def _of_a_name(node: ast.Name, book: Book) -> Iterator[str]:
    """A name to which Python, IPython or nobody gives a meaning that is known, whoever binds it."""
    built_in = getattr(builtins, node.id, None)
    is_error = isinstance(built_in, type) and issubclass(built_in, BaseException)
    if node.id in plain_words.BUILT_IN or is_error or not isinstance(node.ctx, ast.Load):
        return
    theirs = node.id in book.theirs and not special(node.id)
    odd = built_in is not None or node.id in plain_words.OF_IPYTHON or SHOWN.fullmatch(node.id)
    # What nothing binds is an error where it stands, unless IPython has it.
    if odd or node.id in book.hidden or not (theirs or node.id[0] != "_"):
        yield node.id


def _of_a_class(node: ast.ClassDef, book: Book) -> Iterator[str]:
    """What of a class is not made of methods and of values that are known, of classes like it."""
    if node.keywords or any(isinstance(each, ast.Starred) for each in node.bases):
        yield "a class that is told how to be made"
    for one in node.decorator_list:
        of = one.func if isinstance(one, ast.Call) else one
        if getattr(of, "id", getattr(of, "attr", "")) != "dataclass":
            yield "a class as a value"
    for base in node.bases:
        name = getattr(base, "id", getattr(base, "attr", ""))
        if name not in book.classes | BASES | plain_words.BASES | plain_words.LAYERS - TENSORS:
            yield f"{name or 'what is computed'} as a base"
    methods = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
    for each in node.body:
        if isinstance(each, ast.Import | ast.ImportFrom):
            yield "an import in a class"
        elif isinstance(each, ast.FunctionDef):
            kinds = {getattr(one, "id", "") for one in each.decorator_list}
            of_the_class = [*each.args.posonlyargs, *each.args.args][:1]
            if "classmethod" in kinds and [one.arg for one in of_the_class] != ["cls"]:
                yield "a class as a value"
            for one in each.decorator_list:
                of = one.func if isinstance(one, ast.Call) else one
                if getattr(of, "id", getattr(of, "attr", "")) not in plain_words.DECORATORS:
                    yield "a method that is decorated"
        elif not isinstance(each, ast.Assign | ast.AnnAssign | ast.Pass | ast.Expr | ast.ClassDef):
            yield "statements in a class"
        elif {getattr(inner, "id", "") for inner in ast.walk(each)} & methods:
            yield "a method without its own object"
        elif isinstance(each, ast.AnnAssign) and getattr(each.target, "id", "_")[0] == "_":
            yield "a field that begins with an underscore"


def _names_a_meaning(value: object) -> bool:
    """Whether a text is a name to which Python or a library gives a meaning in every object."""
    return isinstance(value, str) and bool(MEANT.fullmatch(value)) and value != "__main__"


def _is_a_value(node: ast.pattern) -> bool:
    """Whether a pattern is a value that stands there, several, or whatever is left."""
    if isinstance(node, ast.MatchValue):
        return isinstance(node.value, ast.Constant)
    rest = isinstance(node, ast.MatchAs) and node.name is None
    return rest or isinstance(node, ast.MatchSingleton | ast.MatchOr)


def _waits_within(node: ast.Try | ast.With) -> bool:
    """Whether a generator may be thrown away within a block, whose end then runs at any time."""
    return any(isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(node))


def _keeps_its_error(node: ast.ExceptHandler) -> bool:
    """Whether an error that is caught is used otherwise than to be told or to be raised from."""
    told = set[int]()
    for each in (inner for one in node.body for inner in ast.walk(one)):
        if isinstance(each, ast.Raise):
            told.add(id(each.cause))
        elif isinstance(each, ast.FormattedValue):
            told.add(id(each.value))
        elif isinstance(each, ast.Call) and getattr(each.func, "id", "") in ("str", "print"):
            told |= {id(given) for given in each.args}
    names = (each for one in node.body for each in ast.walk(one) if isinstance(each, ast.Name))
    return bool(node.name) and any(n.id == node.name and id(n) not in told for n in names)


def _with_itself(node: ast.AST, book: Book) -> Iterator[ast.AST]:
    """Where a method of a class is called with the object that calls it."""
    if isinstance(node, ast.Call) and node.args and book.selves:
        yield from [node.func] if getattr(node.args[0], "id", "") == "self" else []


def _named_as_a_class(node: ast.AST) -> Iterator[ast.AST]:
    """Where classes stand to be compared with, or to say what something is."""
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("isinstance", "issubclass"):
        found = [each for given in node.args[1:] for each in _unless_named(given)]
        calls = [each for each in found if isinstance(each, ast.Call)]
        yield from found if {*map(ast.unparse, calls)} <= {"type(None)"} else []
    elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "super":
        yield from node.args
    elif isinstance(node, ast.Compare) and all(isinstance(o, ast.Is | ast.IsNot) for o in node.ops):
        yield from (node.left, *node.comparators)
    for said in (getattr(node, "annotation", None), getattr(node, "returns", None)):
        yield from _unless_named(said) if isinstance(said, ast.AST) else ()


def _unless_named(node: ast.AST) -> list[ast.AST]:
    """All that an expression is made of; nothing, if a part of it is given a name on the way."""
    found = [*ast.walk(node)]
    return [] if any(isinstance(each, ast.NamedExpr) for each in found) else found


def _of_an_import(node: ast.Import | ast.ImportFrom, book: Book) -> Iterator[str]:
    """What an import brings that is not known."""
    for alias in node.names:
        module = node.module or "" if isinstance(node, ast.ImportFrom) else alias.name
        root, *parts = module.split(".")
        by_its_own_name = alias.name in BY_ITS_OWN_NAME | book.classes
        if by_its_own_name and alias.asname not in (None, alias.name):
            yield f"{alias.name} under another name"
        if isinstance(node, ast.ImportFrom) and node.level:
            yield "an import from where the notebook lies"
            continue
        if {alias.asname or first(alias.name), root} & book.two_things:
            yield "a file's name that stands for something else"
        if root in book.files:
            if isinstance(node, ast.ImportFrom) and alias.name not in book.files[root] | {"*"}:
                yield HANDED_ON
            continue
        if root not in plain_words.MODULES or alias.name == "*":
            yield f"{module}.{alias.name}" if isinstance(node, ast.ImportFrom) else module
            continue
        known = plain_words.PARTS.get(root, frozenset())
        if isinstance(node, ast.ImportFrom):
            inside = alias.name in known - {*parts} and not set(parts) - known
            if not inside and alias.name not in words_of(module):
                yield f"{module}.{alias.name}"
        unknown = [place for place, part in enumerate(parts, start=1) if part not in known]
        yield from (".".join([root, *parts[:place]]) for place in unknown)


def _dotted(node: ast.Attribute, book: Book) -> str:
    """An attribute's name, behind that of the module of which it is taken."""
    return f"{module_of(node.value, book.roots)}.{node.attr}".strip(".")


def _not_handed_on(node: ast.AST, book: Book) -> Iterator[ast.AST]:
    """Where a module stands and is not handed on: before a dot, under a new name, for a look."""
    if isinstance(node, ast.Attribute):
        yield node.value
    elif isinstance(node, ast.Assign) and all(isinstance(t, ast.Name) for t in node.targets):
        yield from (node.value, *node.targets)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        yield from _looked_up(node, book)
    if isinstance(node, ast.Name | ast.Attribute) and not isinstance(node.ctx, ast.Load):
        yield node


def _looked_up(node: ast.Call, book: Book) -> list[ast.expr]:
    """What a call looks something up in."""
    name = getattr(node.func, "id", "")
    return node.args[:1] if name in LOOKS_UP and name not in book.bound else []


def _is_a_file(node: ast.AST, book: Book) -> bool:
    """Whether a node stands for a file beside the notebook, which holds what it imports, too."""
    is_name = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    return is_name and getattr(node, "id", "") in book.files


def _is_a_class(node: ast.AST) -> bool:
    """Whether a node is the class of something, by which others could be made."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "type"
    name = getattr(node, "attr", getattr(node, "id", ""))
    return name == "__class__" and isinstance(node, ast.Attribute | ast.Name)


def _is_an_array(node: ast.AST) -> bool:
    """Whether a node is NumPy's class of arrays, which makes one of any memory."""
    return getattr(node, "attr", getattr(node, "id", "")) == "ndarray" and isinstance(
        getattr(node, "ctx", None), ast.Load
    )


def _only_looked_at(node: ast.AST) -> Iterator[ast.AST]:
    """Where a class is named or compared, and not kept."""
    if isinstance(node, ast.Attribute) and node.attr in ("__name__", "__qualname__", "__doc__"):
        yield node.value
    elif isinstance(node, ast.Compare) and all(isinstance(o, ast.Is | ast.IsNot) for o in node.ops):
        yield from (node.left, *node.comparators)
    elif isinstance(node, ast.FormattedValue | ast.Expr):
        yield node.value
    elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in LOOKS_AT:
        for given in node.args:
            yield from given.elts if isinstance(given, ast.Tuple) else [given]
