"""Finds names in a student's code that would defeat the exercise, such as a ready-made attention.

It follows dependencies: a test takes an answer, the answer uses other names, and only statements
that it depends on count. A cell that compares the answer with torch's own function is allowed.
This check saves honest students from a misunderstanding. A use that somebody hides on purpose is
not always found. Where it cannot be told from the code, a person has to look: at code that nobody
can read off the notebook, such as ``exec`` of a text that is computed, or a module that is made
while the notebook runs; at a forbidden name in a text; and at what an answer reaches only if such
code reaches it. A name with a dot, such as ``torch.func``, is forbidden in that place alone, and a
method, an attribute or a variable that a student named may have any name. A cell is read as IPython
would run it (``cell_sources``), and a file of code beside the notebook counts where it is imported
or run.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from softlookup.course.exercises.cell_sources import PARSE_ERRORS, may_run_unread, parsed
from softlookup.course.exercises.forbidden_names import ForbiddenNames, parts_of
from softlookup.course.exercises.made_files import NO_CODE, makes_files, tells_where_modules_lie
from softlookup.course.exercises.mentions import MODULES, imported, mentioned
from softlookup.course.exercises.names_by_text import (
    hands_a_module_on,
    puts_a_name_together,
    torch_names,
)
from softlookup.course.exercises.objections import (
    Objection,
    leads_out,
    listed,
    may_use,
    nested,
    not_plain,
    put_together,
    runs_unread,
    unknown,
    uses,
)
from softlookup.course.exercises.own_names import defined_by, own_names
from softlookup.course.exercises.plain_book import Book, book_of
from softlookup.course.exercises.plain_code import strange_words
from softlookup.course.exercises.student_files import (
    import_aliases,
    imported_files,
    one_by_one,
    run_alone,
    when_imported,
)
from softlookup.course.exercises.student_imports import Known, import_of, module_name
from softlookup.course.exercises.student_reach import Reach
from softlookup.course.exercises.student_statements import (
    Step,
    objects_of,
    step_of,
    too_deep,
    written_modules,
)
from softlookup.course.exercises.ways_out import (
    WAYS_OUT,
    bound_by_texts,
    exchanges,
    shells,
    starred,
    unbound,
)

__all__ = ["PARSE_ERRORS", "Objection", "StudentCode", "parsed"]
WORD = re.compile(r"\w+")
# This runs in the grader's own process, so it is bounded. No honest answer comes near.
MOST_CHARACTERS, MOST_STATEMENTS, DEEPEST = 1_000_000, 20_000, 100


class StudentCode:
    """The statements of a student's cells.

    Args:
        cells: number and source of each code cell that the student wrote. Of one that may run
            though it cannot be read as Python nothing is known, so the mere words count.
        modules: the sources of the files of code beside the notebook, by their paths.
        others: the paths of the other files there, of which one may be a module that is compiled.
        given: the sources of the assignment's own cells, which bind what students may use; None,
            if they are not known, and so nobody can tell which names nothing binds.
    """

    def __init__(
        self,
        cells: Iterable[tuple[int, str]],
        modules: Mapping[str, str] | None = None,
        others: Iterable[str] = (),
        given: Iterable[str] | None = None,
    ) -> None:
        self.steps: list[Step] = []
        sources = [(f"cell {number}", source, "") for number, source in cells]
        for path, source in (modules or {}).items():
            # One in a folder is imported by its own name, too, where the path for imports is told.
            names = {module_name(path), PurePosixPath(path).name.removesuffix(".py")}
            sources += [(path, source, name) for name in sorted(names)]
        self.too_long = sum(len(source) for _, source, _ in sources) > MOST_CHARACTERS
        read = [
            (place, tree, module)
            for place, source, module in (sources if not self.too_long else [])
            for tree in parsed(source)
        ]
        self._deep = {place for place, tree, _ in read if too_deep(tree, DEEPEST)}
        read = [each for each in read if each[0] not in self._deep]
        written = [(place, *each) for place, tree, _ in read for each in written_modules(tree)]
        read += written
        others, trees = [*others], [tree for _, tree, _ in read]
        known = Known(
            frozenset(module for _, _, module in [*sources, *written]),
            frozenset(
                name.partition(".")[0]
                for path in others
                if PurePosixPath(path).suffix not in NO_CODE
                for name in (module_name(path), PurePosixPath(path).name)
            ),
            makes_files(trees) or (bool(others) and tells_where_modules_lie(trees)),
        )
        alone, aliases = run_alone(trees, known), import_aliases(trees, known)
        read = [
            (place, each, module)
            for place, tree, module in read
            for run in ([tree] if not module or import_of(module) in alone else when_imported(tree))
            for each in one_by_one(run, known)
        ]
        for place, tree, module in read[: MOST_STATEMENTS + 1]:
            self.steps.append(step_of(place, tree, module, known, aliases))
        self.too_long |= len(self.steps) > MOST_STATEMENTS
        self._unread = [
            (place, source)
            for place, source, _ in sources
            if not self.too_long and (place in self._deep or may_run_unread(source))
        ]
        self._names = own_names(step.tree for step in self.steps)
        self.own = self._names.own
        # What stands in a file counts where the file is imported or run, whatever it does.
        self._opaque = frozenset(
            index for index, step in enumerate(self.steps) if step.opaque and not step.module
        )
        # What sets something in an object of the student's makes it; in a module, it may be an
        # option, such as those of torch.backends.
        made = {name for step in self.steps for name in step.binds} - self._names.modules
        self._defining = defaultdict[str, set[int]](set)
        for index, step in enumerate(self.steps):
            for name in defined_by(step.tree) if not step.module else ():
                self._defining[name].add(index)
        theirs = [tree for source in given or () for tree in parsed(source)]
        imported_names = self._names.modules | own_names(theirs).modules | MODULES
        self._book = self._known_of(theirs, aliases, known)
        self._strange: dict[tuple[int, bool], list[str]] = {}
        self._have: dict[int, frozenset[str]] = {}
        self._written = len(self.steps)
        reach = Reach(self.steps, made, imported_names, aliases, known)
        self._reached, self._used, self._reads = reach.reached, reach.used, reach.reads
        self._bound = self._all_bound(theirs, known) if given is not None else None
        trees = [step.tree for step in self.steps]
        self._torch = torch_names([*trees, *theirs], aliases)
        self._renamed = self._names.renamed | shells(trees)
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
                "your code is too long to be checked for what this exercise forbids; shorten it"
            )
        names = set(names)
        surely = self._reached(names)
        in_use = self._used(names, surely)
        for index in sorted(surely):
            found = wanted.among(self._mentioned(index, in_use, sure=True))
            # What a later statement defines anew may have been an attempt; a person sees it.
            if found and not self._defined_anew(index):
                return Objection(uses(min(found), self.steps[index].place))
        perhaps = self._reached(names, self._opaque, changed=True)
        # Code that cannot be read here may use whatever was imported.
        unknown = any(self.steps[index].opaque or self.steps[index].unread for index in perhaps)
        used = None if unknown else self._used(names, perhaps)
        # Whoever reads .grad may have let PyTorch go backward, whatever methods are called; and
        # where a module is handed on, a method may be one of its functions.
        handed = self._hand_a_module_on(perhaps)
        any_method = handed or any(
            isinstance(node, ast.Attribute) and node.attr == "grad"
            for index in perhaps
            for node in ast.walk(self.steps[index].tree)
        )
        doubts: dict[str, str] = {}
        # First what an answer depends on, and not what merely runs beside it.
        depended = self._reached(names, changed=True)
        for index in sorted(perhaps, key=lambda index: (index not in depended, index)):
            place = self.steps[index].place
            mentions = self._mentioned(index, used, any_method=any_method)
            if found := wanted.among(mentions):
                doubts.setdefault(place, may_use(min(found), place))
            if unread := self.steps[index].unread:
                doubts.setdefault(place, runs_unread(unread, place))
        for index, why in self._ways_out(names, perhaps, depended, handed):
            doubts.setdefault(self.steps[index].place, why)
        for index, name in self._handed_over(perhaps, wanted):
            place = self.steps[index].place
            doubts.setdefault(place, may_use(name, place))
        for place, source in self._unread:
            if found := wanted.among(WORD.findall(source)):
                doubts.setdefault(place, may_use(min(found), place))
        for place in self._deep:
            doubts.setdefault(place, nested(place))
        for index, word in self._not_plain(perhaps, wanted):
            place = self.steps[index].place
            doubts.setdefault(place, not_plain(word, place))
        first, *others = doubts or [""]
        too = f". The same goes for {listed(others)}" if others else ""
        return Objection(doubts.get(first, "") + too, sure=not doubts)

    def _known_of(self, given: list[ast.stmt], aliases: Mapping[str, str], known: Known) -> Book:
        """What is known of the notebook by the words that stand in it."""
        defined = defaultdict[str, set[str]](set)
        for step in self.steps:
            defined[step.module] |= {*defined_by(step.tree)}
        files = {alias: defined[module] for alias, module in aliases.items()}
        files |= {module: defined[module] for module in [*defined] if module}
        makes = known.made or bool(known.compiled)
        return book_of([step.tree for step in self.steps], given, files, makes)

    def _handed_over(self, perhaps: set[int], wanted: ForbiddenNames) -> Iterator[tuple[int, str]]:
        """The statements that have an object of an answer's, and lead to what is forbidden.

        They may put it in there, by whatever way. A function that is called is no such object.
        """
        modules = self._names.modules | {*self._book.roots}
        theirs = frozenset[str]().union(
            *(self._reads(i) & self._objects(i) for i in perhaps if i < self._written)
        )
        theirs -= modules
        for index in range(self._written):
            step = self.steps[index]
            if index in perhaps or not self._objects(index) & theirs:
                continue
            reached = self._reached({*step.uses}, changed=True) | {index}
            mentions = (self._mentioned(each, step.uses) for each in reached)
            if found := wanted.among(frozenset[str]().union(*mentions)):
                yield index, min(found)

    def _objects(self, index: int) -> frozenset[str]:
        """The names that a statement uses otherwise than to call what they stand for."""
        if index not in self._have:
            step = self.steps[index]
            self._have[index] = objects_of(step.tree, {*self._book.files}) & step.uses
        return self._have[index]

    def _not_plain(self, perhaps: set[int], wanted: ForbiddenNames) -> Iterator[tuple[int, str]]:
        """What stands in the cells, and in files that they import, in words that nobody knows.

        What is forbidden may stand where no answer depends on it, to compare with.
        """
        imported = imported_files((step.module, step.may_use) for step in self.steps)
        for index in sorted({*perhaps, *range(self._written)}):
            step, tools = self.steps[index], index not in perhaps
            if step.module and import_of(step.module) not in imported:
                continue
            key = (index, tools)
            if key not in self._strange:
                self._strange[key] = strange_words(step.tree, self._book, tools)
            compares = tools or isinstance(step.tree, ast.Import | ast.ImportFrom)
            for word in self._strange[key]:
                if not (compares and wanted.among(parts_of([word]))):
                    yield index, word
                    break

    def _all_bound(self, given: Iterable[ast.stmt], known: Known) -> frozenset[str] | None:
        """Every name that some cell binds; None, where `import *` may have bound any."""
        steps = [*self.steps, *(step_of("", tree, "", known) for tree in given)]
        stars = [name for step in steps for name in starred(step.tree, known)]
        if None in stars:
            return None
        return frozenset(filter(None, stars)).union(
            bound_by_texts(steps), *(step.binds for step in steps)
        )

    def _ways_out(
        self, names: set[str], perhaps: set[int], depended: set[int], handed: bool
    ) -> Iterator[tuple[int, str]]:
        """The statements that lead out of what can be read, and what is said of each."""
        used = self._used(names, perhaps)
        for index in sorted(perhaps):
            step = self.steps[index]
            if found := WAYS_OUT.among(self._mentioned(index, used, any_method=handed)):
                yield index, leads_out(min(found), step.place)
            if puts_a_name_together(step.tree, self._torch, handed):
                yield index, put_together(step.place)
            if self._bound is not None and index in depended:
                for each in unbound(step, self._bound)[:1]:
                    yield index, unknown(each, step.place)
        imported = imported_files((step.module, step.may_use) for step in self.steps)
        for index, step in enumerate(self.steps):
            # A file runs where it is imported.
            runs = not step.module or import_of(step.module) in imported
            if runs and (of := exchanges(step.tree, self._renamed)):
                yield index, leads_out(of, step.place)

    def _hand_a_module_on(self, reached: set[int]) -> bool:
        """Whether some statements hand a module of PyTorch's on."""
        return any(hands_a_module_on(self.steps[index].tree, self._torch) for index in reached)

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
                self._torch.keys(),
            )
            self._mentions[key] = parts_of(name for name, surely in found if surely or not sure)
        by_import = (
            name
            for name, bound in imported(self.steps[index].tree)
            if not bound or used is None or bound in used
        )
        return self._mentions[key] | parts_of(by_import)
