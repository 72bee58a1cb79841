"""What is known of a whole notebook, for whether its statements are written in plain words.

Which names stand for modules, and which attributes are of the student's own classes.
"""

import ast
import builtins
import re
import sys
import types
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cache, cached_property, partial
from pathlib import Path

from softlookup.course.student_code import plain_words
from softlookup.course.student_code.imports import called_name

# A module of which no word is known.
UNKNOWN = "builtins"
# To look whether a name fits takes time: of more, none is known.
MOST_GAPS, MOST_SHAPES = 3, 20
MOST_NAMES = 4
# A text with gaps says what it names by how it begins or ends.
SAYS = re.compile(r"(?=\w*[A-Za-z]{3})[A-Za-z]\w+|_[A-Za-z]\w{2,}")
REGISTERS = {"register_buffer", "register_parameter", "add_module"}
# The modules whose classes an answer may be written with.
LIBRARIES = (
    *("abc", "collections", "contextlib", "decimal", "enum", "fractions", "functools", "logging"),
    *("random", "types", "torch", "torch.nn", "torch.optim", "torch.optim.lr_scheduler"),
    *("torch.utils.data", "numpy", "numpy.random"),
)
# By these a property that is kept, and a logger, take and give what they are told.
LEADS_ON = {
    *("attrname", "addFilter", "addHandler", "handlers", "filters", "makeRecord", "manager"),
    *("bit_generator", "capsule"),
}
LOOKS_UP = {"getattr", "setattr", "delattr", "hasattr"}
# A method of tensors that students' own names with gaps may fit, as `f"{kind}_projection"` does.
LIKE_A_STUDENTS = {"_sparse_mask_projection"}


@dataclass(frozen=True)
class Book:
    """What is known of a whole notebook.

    Attributes:
        roots: the names that stand for modules, and these modules by their dotted names.
        files: the names by which files beside the notebook are imported, and what each defines.
        two_things: such names that stand for something else as well.
        bound: every name that the student or the assignment binds.
        loaded: every name that the student uses.
        own: the attributes of the student's own classes and objects.
        shapes: patterns for such attributes whose names have gaps, as in `f"{kind}_projection"`.
        lent: the names that imports bind, but for those of files beside the notebook.
        selves: whether `self` and `cls` are what methods are called with, and nothing else.
        classes: the names of the student's own classes.
        makes_own: those of them that stand for nothing else anywhere.
        methods: the names of their methods that are called with an object.
        hidden: what the assignment imports, and is no word that is known.
        exchanged: the names that a function may bind anew outside of itself.
        objects: the names that are bound to new objects of the student's own classes alone.
        texts: the names that stand for one text that is written out, with this text.
        ends: whether an object of the student's has what a generator has at its end.
    """

    roots: Mapping[str, str]
    files: Mapping[str, Set[str]]
    two_things: Set[str]
    bound: Set[str]
    loaded: Set[str]
    own: Set[str]
    shapes: Set[str]
    lent: Set[str]
    selves: bool
    classes: Set[str]
    makes_own: Set[str]
    methods: Set[str]
    hidden: Set[str]
    exchanged: Set[str]
    objects: Set[str]
    texts: Mapping[str, list[str]]
    ends: bool

    @cached_property
    def modules(self) -> Set[str]:
        """The names that stand for modules, and what imports bind."""
        return self.lent | self.roots.keys()

    @cached_property
    def made_elsewhere(self) -> Set[str]:
        """The names of what no cell makes: modules, their parts, and files beside the notebook."""
        return self.modules | self.files.keys()

    @cached_property
    def theirs(self) -> Set[str]:
        """Every name that stands for something of the notebook's."""
        return self.bound | self.roots.keys() | self.files.keys()


def book_of(
    theirs: Iterable[ast.AST],
    given: Iterable[ast.AST],
    files: Mapping[str, Set[str]],
) -> Book:
    """What is known of a notebook.

    Args:
        theirs: the statements that the student wrote.
        given: the nodes of the assignment's that tell something of a name.
        files: as in ``Book``.
    """
    given = [*given]
    nodes = [node for tree in theirs for node in ast.walk(tree)]
    everything = [*filter(telling, nodes), *given]
    imports = [node for node in everything if isinstance(node, ast.Import | ast.ImportFrom)]
    roots = plain_words.USUAL | _merged(_roots(imports, files))
    # A module may be given another name, and this one another.
    assigned = [node for node in everything if isinstance(node, ast.Assign)]
    for _ in range(MOST_NAMES):
        named = [
            (each.id, module)
            for node in assigned
            if (module := module_of(node.value, roots))
            for each in node.targets
            if isinstance(each, ast.Name)
        ]
        if roots == (roots := _merged([*roots.items(), *named])):
            break
    else:
        # Whoever names it on and on may have named anything.
        roots |= {name: UNKNOWN for node in assigned for name in _names_given(node)}
    owned = {name for node in everything for name in _owned(node)}
    texts = (text for node in everything for text in _set_by_a_text(node))
    shapes = frozenset(filter(None, map(shape_of, texts)))
    # What is bound otherwise may be something else where it stands.
    others = (node for node in everything if not isinstance(node, ast.Import | ast.ImportFrom))
    otherwise = {name for node in others for name in bound_by(node)}
    return Book(
        roots,
        {alias: files[alias] - roots.keys() for alias in {*files} - otherwise},
        frozenset({*files} & otherwise),
        {name for node in everything for name in bound_by(node)},
        {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)},
        frozenset(filter(_may_be_owned, owned)) - (foreign() | roots.keys()),
        shapes if len(shapes) <= MOST_SHAPES else frozenset(),
        {name for name, of in _imported(imports) if first(of) not in files},
        _selves_are_methods_own(everything),
        {node.name for node in nodes if isinstance(node, ast.ClassDef)},
        _makes_own(everything),
        {name for node in nodes for name in _methods(node)},
        frozenset(_hidden(given)),
        {name for n in nodes if isinstance(n, ast.Global | ast.Nonlocal) for name in n.names},
        _objects(everything),
        dict(_texts_named(everything)),
        bool(owned & {"close", "throw", "send"}),
    )


def telling(node: ast.AST) -> bool:
    """Whether a node can tell something of a name: what binds it, or what it stands for."""
    if isinstance(node, ast.expr):
        return isinstance(node, ast.Call) or isinstance(
            getattr(node, "ctx", None), ast.Store | ast.Del
        )
    return isinstance(node, ast.stmt | ast.arg | ast.ExceptHandler | ast.pattern)


def module_of(node: ast.AST, roots: Mapping[str, str]) -> str:
    """The dotted name of the module that an expression stands for; empty, if for none."""
    if isinstance(node, ast.Name):
        return roots.get(node.id, "")
    value, name = _part_of(node)
    if value is not None and name and (of := module_of(value, roots)):
        root = first(of)
        # Of a module that is not known, every part may be one.
        known = plain_words.PARTS.get(root) if root in plain_words.MODULES else None
        part = known is not None and name in known - {*of.split(".")}
        return f"{of}.{name}" if part else ""
    return ""


def _part_of(node: ast.AST) -> tuple[ast.AST | None, str]:
    """Of what a part is taken, and by which name: by a dot, or by a text that stands there."""
    if isinstance(node, ast.Attribute):
        return node.value, node.attr
    if isinstance(node, ast.Call) and called_name(node) == "getattr" and len(node.args) > 1:
        name = getattr(node.args[1], "value", None)
        return node.args[0], name if isinstance(name, str) else ""
    return None, ""


def shape_of(node: ast.JoinedStr) -> str:
    """A pattern for what a text with gaps may say; empty, if that is nearly anything.

    It is empty for what has many gaps, too: to look whether a name fits would take too long.
    """
    said = [getattr(each, "value", None) for each in node.values]
    written = [text if isinstance(text, str) else None for text in said]
    enough = any(SAYS.fullmatch(text or "") for text in (*written[:1], *written[-1:]))
    enough &= written.count(None) <= MOST_GAPS
    return "".join(r"\w*" if t is None else re.escape(t) for t in written) if enough else ""


def first(module: str) -> str:
    """The first part of a module's name."""
    return module.partition(".")[0]


def _merged(roots: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Names and their modules; of one that stands for several, no word is known."""
    found: dict[str, str] = {}
    for name, module in roots:
        same = found.get(name, module) == module
        found[name] = module if same else UNKNOWN
    return found


def _roots(
    imports: Iterable[ast.Import | ast.ImportFrom], files: Mapping[str, Set[str]]
) -> Iterator[tuple[str, str]]:
    for node in imports:
        for alias in node.names:
            if isinstance(node, ast.Import):
                root = first(alias.name)
                if root not in files:
                    yield (alias.asname, alias.name) if alias.asname else (root, root)
                continue
            root, *parts = (node.module or "").split(".")
            known = plain_words.PARTS.get(root, frozenset())
            inside = alias.name in known - {*parts} and not set(parts) - known
            if not node.level and root not in files and inside:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _names_given(node: ast.Assign) -> Iterator[str]:
    """The names that an assignment of one name, or of a part of it, gives."""
    if isinstance(node.value, ast.Name | ast.Attribute):
        yield from (each.id for each in node.targets if isinstance(each, ast.Name))


def _imported(imports: Iterable[ast.Import | ast.ImportFrom]) -> Iterator[tuple[str, str]]:
    """The names that imports bind, and what each stands for, by its dotted name."""
    for node in imports:
        for alias in node.names:
            if isinstance(node, ast.ImportFrom):
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"
            else:
                yield (
                    alias.asname or first(alias.name),
                    (alias.asname and alias.name) or first(alias.name),
                )


def _selves_are_methods_own(nodes: Iterable[ast.AST]) -> bool:
    """Whether nothing is called `self` or `cls` but the first argument of methods in classes."""
    nodes, firsts = [*nodes], set[int]()
    for node in nodes:
        for each in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(each, ast.FunctionDef) and not _is_static(each):
                firsts |= {id(a) for a in (*each.args.posonlyargs, *each.args.args)[:1]}
    binding = (node for node in nodes if {*bound_by(node)} & {"self", "cls"})
    return all(id(node) in firsts for node in binding)


def _makes_own(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """The names that stand for own classes, and for nothing else."""
    nodes = [*nodes]
    bound = {
        name
        for node in nodes
        if not isinstance(node, ast.ClassDef | ast.Import | ast.ImportFrom)
        for name in bound_by(node)
    }
    return frozenset({node.name for node in nodes if isinstance(node, ast.ClassDef)} - bound)


def _objects(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """The names that are bound to new objects of own classes, and to nothing else."""
    nodes = [*nodes]
    kinds = _makes_own(nodes)
    bound = Counter(name for node in nodes for name in bound_by(node))
    made = Counter(
        getattr(target, "id", "")
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        if getattr(node.value.func, "id", "") in {*kinds, "SimpleNamespace"}
        for target in node.targets
    )
    return frozenset(name for name, times in made.items() if bound[name] == times)


def _texts_named(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, list[str]]]:
    """The names that are bound once, to a text that is written out, and this text."""
    nodes = [*nodes]
    bound = Counter(name for node in nodes for name in bound_by(node))
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            for target in node.targets:
                text, name = node.value.value, getattr(target, "id", "")
                if isinstance(text, str) and bound[name] == 1:
                    yield name, [text]


def _methods(node: ast.AST) -> Iterator[str]:
    """The methods of a class that are called with one of its objects."""
    for each in node.body if isinstance(node, ast.ClassDef) else ():
        if isinstance(each, ast.FunctionDef):
            kinds = {getattr(one, "id", "") for one in each.decorator_list}
            if not kinds & {"staticmethod", "classmethod"}:
                yield each.name


def _hidden(given: Iterable[ast.AST]) -> Iterator[str]:
    """What the assignment's cells import, and a student's need not know."""
    for node in given:
        if isinstance(node, ast.ImportFrom):
            root, *parts = (node.module or "").split(".")
            words = plain_words.MODULES.get(root, frozenset[str]())
            known = words | plain_words.PARTS.get(root, frozenset())
            inside = not {*parts} - plain_words.PARTS.get(root, frozenset())
            yield from (
                alias.asname or alias.name
                for alias in node.names
                if alias.name not in known or not inside
            )
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if first(alias.name) not in plain_words.MODULES:
                    yield alias.asname or first(alias.name)


def _is_static(node: ast.FunctionDef) -> bool:
    return any(getattr(each, "id", "") == "staticmethod" for each in node.decorator_list)


def bound_by(node: ast.AST) -> Iterator[str]:
    """The names that a node binds, in whatever scope."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from (first(each.asname or each.name) for each in node.names)
    elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest


def _owned(node: ast.AST) -> Iterator[str]:
    """The attributes that a statement gives to a class or an object."""
    if isinstance(node, ast.ClassDef):
        for each in node.body:
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield each.name
            elif isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                yield each.target.id
            elif isinstance(each, ast.Assign):
                yield from (target.id for target in each.targets if isinstance(target, ast.Name))
    elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        yield node.attr
    elif isinstance(node, ast.Call) and called_name(node) in REGISTERS:
        yield from _written_out(node.args[:1])
    elif isinstance(node, ast.Call) and called_name(node) in ("SimpleNamespace", "setattr"):
        yield from (each.arg for each in node.keywords if each.arg)
        yield from _written_out(node.args[1:2])
    elif isinstance(node, ast.Call) and called_name(node) in ("namedtuple", "NamedTuple"):
        for text in (inner for given in node.args[1:2] for inner in ast.walk(given)):
            if isinstance(text, ast.Constant) and isinstance(text.value, str):
                yield from text.value.replace(",", " ").split()


def _written_out(nodes: Iterable[ast.expr]) -> Iterator[str]:
    """The texts among some nodes."""
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _may_be_owned(name: str) -> bool:
    """Whether no class of others' gives such a name a meaning of its own."""
    return name in plain_words.SPECIAL or not (name.startswith("__") and name.endswith("__"))


def _set_by_a_text(node: ast.AST) -> Iterator[ast.JoinedStr]:
    if isinstance(node, ast.Call):
        at = {"setattr": 1}.get(called_name(node), 0 if called_name(node) in REGISTERS else None)
        if at is not None:
            yield from (text for text in node.args[at : at + 1] if isinstance(text, ast.JoinedStr))


@cache
def looked_up() -> frozenset[str]:
    """What is looked up in objects by the libraries whose words are known.

    Whoever set it on a class of theirs would have them call it.
    """
    modules = [sys.modules[name] for name in LIBRARIES if name in sys.modules]
    kinds = {each for module in modules for each in vars(module).values() if isinstance(each, type)}
    return foreign() | {name for kind in kinds for name in dir(kind)}


@cache
def of_others() -> frozenset[str]:
    """All that objects of others' classes may be asked for, with what is known of it."""
    found = {name for kind in _kinds() for name in dir(kind)} | foreign()
    return frozenset(found - LIKE_A_STUDENTS)


@cache
def foreign() -> frozenset[str]:
    """What makes no attribute plain, though a student gives one such a name.

    What objects of others' classes may be asked for, the modules from which all else can be had,
    and what Python has that finds or runs code.
    """
    found = {name for kind in _kinds() for name in dir(kind)} | plain_words.HUBS | LEADS_ON
    found |= {name for name in dir(builtins) if name not in plain_words.BUILT_IN}
    return frozenset(found - plain_words.OBJECTS - plain_words.SPECIAL - plain_words.COMMON)


def _kinds() -> list[object]:
    """Others' classes whose objects an answer may meet."""
    kinds: list[object] = [object, type, int, str, list, dict, types.FunctionType, property]
    kinds += [types.MethodType, types.GeneratorType, types.CoroutineType, types.FrameType]
    kinds += [types.AsyncGeneratorType, types.CodeType, types.TracebackType, partial]
    kinds += [types.BuiltinFunctionType, types.MappingProxyType]
    kinds += [AttributeError, NameError, ImportError, OSError, SyntaxError, UnicodeError, Path]
    if torch := sys.modules.get("torch"):
        kinds += [torch.Tensor, torch.nn.Module, torch.Size, torch.optim.Optimizer]
        kinds += [torch.Generator, torch.autograd.graph.Node, torch.utils.data.DataLoader]
    if numpy := sys.modules.get("numpy"):
        # Functions that Cython makes have names without underscores for all that they know.
        kinds += [type(numpy.random.seed), numpy.random.BitGenerator]
    return kinds
