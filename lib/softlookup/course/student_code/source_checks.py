"""Finds names in a student's code that would defeat the exercise, such as a ready-made attention.

It follows dependencies: a test takes an answer, the answer uses other names, and only statements
that it depends on count. A cell that compares the answer with torch's own function is allowed.
Where grading asks an answer, nothing has run but what the answer needs, and of that nothing but
what is written in plain words (``needed_by``); so what cannot be read gives no points, unless a
person sees it. A name with a dot, such as ``torch.func``, is forbidden in that place alone, and a
method, an attribute or a variable that a student named may have any name. A cell is read as IPython
would run it (``cell_sources``), and a file of code beside the notebook counts where it is imported.
"""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import PurePosixPath

from softlookup.course.student_code.cell_sources import PARSE_ERRORS, parsed
from softlookup.course.student_code.files import (
    import_aliases,
    one_by_one,
    run_alone,
    when_imported,
)
from softlookup.course.student_code.forbidden_names import ForbiddenNames, parts_of
from softlookup.course.student_code.imports import (
    Known,
    fields_of,
    import_of,
    installed,
    module_name,
)
from softlookup.course.student_code.mentions import MODULES, imported, mentioned
from softlookup.course.student_code.objections import (
    Objection,
    listed,
    may_use,
    not_plain,
    unknown,
    uses,
)
from softlookup.course.student_code.own_names import defined_by, own_names
from softlookup.course.student_code.plain_book import Book, book_of, telling
from softlookup.course.student_code.plain_code import numbers_unwatched, strange_words
from softlookup.course.student_code.program_slice import Slice, slice_of
from softlookup.course.student_code.reach import Reach
from softlookup.course.student_code.statements import (
    Step,
    bound_and_used,
    step_of,
    stops,
    too_deep,
    written_modules,
)
from softlookup.course.student_code.unbound_names import starred, unbound

__all__ = ["PARSE_ERRORS", "Objection", "Slice", "StudentCode", "parsed"]
# This runs in the grader's own process, so it is bounded. No honest answer comes near.
MOST_CHARACTERS, MOST_STATEMENTS, DEEPEST = 1_000_000, 20_000, 60
MOST_NODES, MOST_ROUNDS = 50_000, 4


class StudentCode:
    """The statements of a student's cells.

    Args:
        cells: number and source of each code cell that the student wrote.
        modules: the sources of the files of code beside the notebook, by their paths.
        given: the sources of the assignment's own cells, which bind what students may use; None,
            if they are not known, and so nobody can tell which names nothing binds.
    """

    def __init__(
        self,
        cells: Iterable[tuple[int, str]],
        modules: Mapping[str, str] | None = None,
        given: Iterable[str] | None = None,
    ) -> None:
        self.steps: list[Step] = []
        sources = [(f"cell {number}", source, "") for number, source in cells]
        # What has the name of something that is installed is not what an import brings.
        beside = {path: text for path, text in (modules or {}).items() if not _is_installed(path)}
        for path, source in beside.items():
            # One in a folder is imported by its own name, too, where the path for imports is told.
            names = {module_name(path), PurePosixPath(path).name.removesuffix(".py")}
            sources += [(path, source, name) for name in sorted(names)]
        self.too_long = sum(len(source) for _, source, _ in sources) > MOST_CHARACTERS
        read = [
            (place, tree, module)
            for place, source, module in (sources if not self.too_long else [])
            for tree in _until_it_stops(parsed(source))
        ]
        read = [each for each in read if not too_deep(each[1], DEEPEST)]
        written = [
            (place, *each)
            for place, tree, _ in read
            for each in written_modules(tree)
            if not (installed(each[1]) or too_deep(each[0], DEEPEST))
        ]
        read += written
        if sum(1 for _, tree, _ in read for _ in ast.walk(tree)) > MOST_NODES:
            self.too_long, read = True, []
        trees = [tree for _, tree, _ in read]
        known = Known(frozenset(module for _, _, module in [*sources, *written]))
        alone, aliases = run_alone(trees, known), import_aliases(trees, known)
        read = [
            (place, each, module)
            for place, tree, module in read
            for run in ([tree] if not module or import_of(module) in alone else when_imported(tree))
            for each in one_by_one(run)
        ]
        for place, tree, module in read[: MOST_STATEMENTS + 1]:
            self.steps.append(step_of(place, tree, module, known, aliases))
        self.too_long |= len(self.steps) > MOST_STATEMENTS
        self._names = own_names(step.tree for step in self.steps)
        self.own = self._names.own
        # What sets something in an object of the student's makes it; in a module, it may be an
        # option, such as those of torch.backends.
        made = {name for step in self.steps for name in step.binds} - self._names.modules
        self._defining = defaultdict[str, set[int]](set)
        for index, step in enumerate(self.steps):
            for name in defined_by(step.tree) if not step.module else ():
                self._defining[name].add(index)
        self._given = None if given is None else _given(tuple(given))
        theirs = self._given or _given(())
        imported_names = self._names.modules | theirs.modules | MODULES
        self._known, self._aliases = known, aliases
        self._beside, self._sources = [*beside], {place: source for place, source, _ in sources}
        self._modules = {step.module for step in self.steps if step.module}
        reach = Reach(self.steps, made, imported_names, aliases, known)
        self._reached, self._needed, self._used = reach.reached, reach.needed, reach.used
        self._used_by_given, self._given_nodes = theirs.names, theirs.telling
        self._roots = self._book_of(range(len(self.steps))).roots
        self._mentions: dict[tuple[int, bool, bool], frozenset[str]] = {}

    def against(self, names: Iterable[str], forbids: Iterable[str]) -> Objection:
        """Find a forbidden name that some answers depend on.

        Args:
            names: of the answers.
            forbids: the names that must not be used; one that ends with ``*`` stands for all that
                begin so.

        Returns:
            What speaks against the answers; what is sure comes before what a person has to judge.
        """
        wanted = ForbiddenNames(forbids)
        if not wanted.names:
            return Objection()
        if self.too_long:
            return Objection(
                "your code is too long to be checked for what this exercise forbids; shorten it",
                sure=False,
            )
        names = set(names)
        surely = self._reached(names)
        in_use = self._used(names, surely)
        for index in sorted(surely):
            found = wanted.among(self._mentioned(index, in_use, sure=True))
            # What a later statement defines anew may have been an attempt; a person sees it.
            if found and not self._defined_anew(index):
                return Objection(uses(min(found), self.steps[index].place))
        doubts: dict[str, str] = {}
        for index, why in [*self._doubts(names, wanted), *self._unknown(names)]:
            doubts.setdefault(self.steps[index].place, why)
        first, *others = doubts or [""]
        too = f". The same goes for {listed(others)}" if others else ""
        return Objection(doubts.get(first, "") + too, sure=not doubts)

    def needed_by(self, names: Iterable[str], forbids: Iterable[str]) -> Slice:
        """What answers need, and the assignment's own cells, as far as it is in plain words.

        Nothing else has to run for the answers to be asked; what leaves a doubt is left out.

        Args:
            names: of the answers.
            forbids: as in ``against``.
        """
        if self.too_long:
            return Slice({}, {})
        needed = self._needed({*names} | self._used_by_given) | self._whole_imports
        wanted = ForbiddenNames(forbids)
        # What is left out makes no word known to the rest. Where that goes on and on, nothing runs.
        for _ in range(MOST_ROUNDS):
            if not (doubted := {index for index, _ in self._doubts_of(needed, wanted)}):
                break
            needed -= doubted
        else:
            needed = set()
        kept = [self.steps[index] for index in sorted(needed)]
        return slice_of(kept, self._beside, self._sources)

    @cached_property
    def _whole_imports(self) -> set[int]:
        """The statements that import all that a file beside the notebook defines."""
        return {
            index
            for index, step in enumerate(self.steps)
            if isinstance(step.tree, ast.ImportFrom)
            and step.tree.names[0].name == "*"
            and step.tree.module in self._modules
        }

    def _doubts(self, names: Set[str], wanted: ForbiddenNames) -> Iterator[tuple[int, str]]:
        """The statements that answers need of which nobody can read what they do, and why."""
        yield from self._doubts_of(self._needed(names), wanted)

    def _doubts_of(self, needed: Set[int], wanted: ForbiddenNames) -> Iterator[tuple[int, str]]:
        """Those of some statements that run together, and why."""
        used, book = self._used(set(), {*needed}), self._book_of(needed)
        # Whoever reads .grad may have let PyTorch go backward, whatever methods are called; so may
        # whoever lets an optimizer take a step.
        any_method = any(
            name in ("grad", "step")
            for index in needed
            for node in ast.walk(self.steps[index].tree)
            for name in _attributes(node)
        )
        real = bool(wanted.among(["complex"]))
        for index in sorted(needed):
            step = self.steps[index]
            if found := wanted.among(self._mentioned(index, used, any_method=any_method)):
                yield index, may_use(min(found), step.place)
            elif real and (numbers := numbers_unwatched(step.tree, book)):
                yield index, not_plain(numbers, step.place)
            elif strange := strange_words(step.tree, book):
                yield index, not_plain(strange[0], step.place)

    def _unknown(self, names: Set[str]) -> Iterator[tuple[int, str]]:
        """The statements that answers need and that use a name which nothing binds."""
        bound = self._bound
        for index in sorted(self._needed(names)) if bound is not None else ():
            for name in unbound(self.steps[index], bound or frozenset())[:1]:
                yield index, unknown(name, self.steps[index].place)

    def _book_of(self, indices: Iterable[int]) -> Book:
        """What is known of statements that run together, by the words that stand in them."""
        steps = [self.steps[index] for index in indices]
        defined = defaultdict[str, set[str]](set)
        for step in steps:
            defined[step.module] |= {*defined_by(step.tree)}
        files = {alias: defined[module] for alias, module in self._aliases.items()}
        files |= {each.module: defined[each.module] for each in self.steps if each.module}
        return book_of([step.tree for step in steps], self._given_nodes, files)

    @cached_property
    def _bound(self) -> frozenset[str] | None:
        """Every name that some cell binds; None, where `import *` may have bound any."""
        if self._given is None:
            return None
        trees = [*(step.tree for step in self.steps), *self._given.imports]
        stars = [name for tree in trees for name in starred(tree, self._known)]
        if None in stars:
            return None
        binds = (step.binds for step in self.steps)
        return self._given.binds.union(filter(None, stars), *binds)

    def _defined_anew(self, index: int) -> bool:
        """Whether a later cell defines everything again that a definition in a cell bound."""
        step = self.steps[index]
        return (
            not step.module
            and bool(defined_by(step.tree))
            and all(max(self._defining[name], default=index) > index for name in step.binds)
        )

    def _mentioned(
        self,
        index: int,
        used: frozenset[str] | None,
        sure: bool = False,
        any_method: bool = False,
    ) -> frozenset[str]:
        """The parts of the dotted names that a statement mentions, or uses for sure.

        Args:
            index: of the statement.
            used: what is used of all that is imported; None, if it may be anything.
            sure: whether to leave out what may be mere words.
            any_method: whether a method of the student's own may be one of PyTorch's.
        """
        key = (index, sure, any_method)
        if key not in self._mentions:
            methods = frozenset[str]() if any_method else self._names.methods
            found = mentioned(
                self.steps[index].tree,
                self.own,
                methods,
                self._names.renamed,
                self._roots.keys(),
            )
            self._mentions[key] = parts_of(name for name, surely in found if surely or not sure)
        by_import = (
            name
            for name, bound in imported(self.steps[index].tree)
            if not bound or used is None or bound in used
        )
        return self._mentions[key] | parts_of(by_import)


@dataclass(frozen=True)
class _Given:
    """The assignment's own statements, which bind what students may use.

    Attributes:
        imports: the imports in them.
        names: all names in them.
        binds: those that they bind for other cells.
        modules: those that stand for modules.
        telling: of their nodes those that tell something of a name, as in ``telling``.
    """

    imports: tuple[ast.ImportFrom, ...]
    names: frozenset[str]
    binds: frozenset[str]
    modules: frozenset[str]
    telling: tuple[ast.AST, ...]


@lru_cache(maxsize=256)
def _given(sources: tuple[str, ...]) -> _Given:
    """What is known of the assignment's own cells, which are alike for every submission."""
    trees = [tree for source in sources for tree in parsed(source)]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    names = frozenset(node.id for node in nodes if isinstance(node, ast.Name))
    binds = frozenset[str]().union(*(bound_and_used(tree)[0] for tree in trees))
    imports = tuple(node for node in nodes if isinstance(node, ast.ImportFrom))
    return _Given(imports, names, binds, own_names(trees).modules, tuple(filter(telling, nodes)))


def _until_it_stops(statements: list[ast.stmt]) -> list[ast.stmt]:
    """The statements of a cell or a file that may run."""
    last = next((n for n, tree in enumerate(statements) if stops(tree)), len(statements))
    return statements[: last + 1]


def _is_installed(path: str) -> bool:
    """Whether an import of a file's name brings something else."""
    parts = PurePosixPath(path).parts
    names = {parts[0], parts[-1].removesuffix(".py")}
    return path.endswith(".py") and any(installed(name.removesuffix(".py")) for name in names)


def _attributes(node: ast.AST) -> Iterator[str]:
    """The attributes that a node may name: by a dot, a text, or as a field of a dataclass."""
    if isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
        yield from fields_of(node.value)
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield node.target.id
