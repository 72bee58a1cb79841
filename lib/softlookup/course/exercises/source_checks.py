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
import itertools
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from softlookup.course.exercises.cell_sources import PARSE_ERRORS, may_run_unread, parsed
from softlookup.course.exercises.made_files import makes_files, tells_where_modules_lie
from softlookup.course.exercises.mentions import mentioned
from softlookup.course.exercises.own_names import own_names
from softlookup.course.exercises.student_statements import (
    Known,
    Step,
    module_name,
    step_of,
    written_modules,
)

__all__ = ["PARSE_ERRORS", "Objection", "StudentCode", "parsed"]
WORD = re.compile(r"\w+")
# This runs in the grader's own process, so it is bounded. No honest answer comes near.
MOST_CHARACTERS, MOST_STATEMENTS = 1_000_000, 20_000


@dataclass(frozen=True)
class Objection:
    """What speaks against an answer.

    Attributes:
        why: a sentence for the student; empty, if nothing does.
        sure: whether the answer uses what is forbidden for sure; otherwise a person has to look.
    """

    why: str = ""
    sure: bool = True

    def __bool__(self) -> bool:
        """Whether there is one."""
        return bool(self.why)


class _Forbidden:
    """The names that must not be used."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = {*names}
        self._beginnings = tuple(name[:-1] for name in self.names if name.endswith("*"))

    def among(self, names: Iterable[str]) -> set[str]:
        """Those of some names that are forbidden."""
        return {each for each in names if each in self.names or each.startswith(self._beginnings)}


class StudentCode:
    """The statements of a student's cells.

    Args:
        cells: number and source of each code cell that the student wrote. Of one that may run
            though it cannot be read as Python nothing is known, so the mere words count.
        modules: the sources of the files of code beside the notebook, by their paths.
        others: the paths of the other files there, of which one may be a module that is compiled.
    """

    def __init__(
        self,
        cells: Iterable[tuple[int, str]],
        modules: Mapping[str, str] | None = None,
        others: Iterable[str] = (),
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
        written = [(place, *each) for place, tree, _ in read for each in written_modules(tree)]
        read += written
        others, trees = [*others], [tree for _, tree, _ in read]
        known = Known(
            frozenset(module for _, _, module in [*sources, *written]),
            frozenset(
                name.partition(".")[0]
                for path in others
                for name in (module_name(path), PurePosixPath(path).name)
            ),
            makes_files(trees) or (bool(others) and tells_where_modules_lie(trees)),
        )
        for place, tree, module in read[: MOST_STATEMENTS + 1]:
            self.steps.append(step_of(place, tree, module, known))
        self.too_long |= len(self.steps) > MOST_STATEMENTS
        self._unread = [
            (place, source)
            for place, source, _ in sources
            if not self.too_long and may_run_unread(source)
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
        self._binding = defaultdict[str, set[int]](set)
        self._changing = defaultdict[str, set[int]](set)
        for index, step in enumerate(self.steps):
            for name in step.binds | (step.changes & made):
                self._binding[name].add(index)
            for name in step.changes:
                self._changing[name].add(index)
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
        wanted = _Forbidden(forbids)
        if not wanted.names:
            return Objection()
        if self.too_long:
            return Objection(
                "your code is too long to be checked for what this exercise forbids; shorten it"
            )
        names = set(names)
        surely = self._reached(names)
        for index in sorted(surely):
            if found := wanted.among(self._mentioned(index, sure=True)):
                return Objection(_uses(min(found), self.steps[index].place))
        perhaps = self._reached(names, self._opaque, changed=True)
        # Whoever reads .grad may have let PyTorch go backward, whatever methods are called.
        reads_gradients = any(
            isinstance(node, ast.Attribute) and node.attr == "grad"
            for index in perhaps
            for node in ast.walk(self.steps[index].tree)
        )
        for index in sorted(perhaps):
            place = self.steps[index].place
            if found := wanted.among(self._mentioned(index, reads_gradients=reads_gradients)):
                return Objection(_may_use(min(found), place), sure=False)
            if unread := self.steps[index].unread:
                return Objection(
                    f"{place} runs {unread}, so that nobody can read what it uses; write the code "
                    "itself, here or in a .py file beside the notebook",
                    sure=False,
                )
        for place, source in self._unread:
            if found := wanted.among(WORD.findall(source)):
                return Objection(_may_use(min(found), place), sure=False)
        return Objection()

    def _reached(
        self, names: set[str], opaque: frozenset[int] = frozenset(), changed: bool = False
    ) -> set[int]:
        """The statements that some names depend on, or that run beside them and may matter.

        Args:
            names: of the answers.
            opaque: the statements that may matter to every answer.
            changed: whether to count what sets something in a module.
        """
        waiting, seen = set(names), set(opaque)
        for index in opaque:
            waiting |= self.steps[index].uses
        known = set(waiting)
        while waiting:
            name = waiting.pop()
            found = self._binding[name] | (self._changing[name] if changed else set())
            for index in found - seen:
                seen.add(index)
                waiting |= self.steps[index].uses - known
                known |= self.steps[index].uses
        return seen

    def _mentioned(
        self, index: int, sure: bool = False, reads_gradients: bool = False
    ) -> frozenset[str]:
        """The parts of the dotted names that a statement mentions, or uses for sure."""
        key = (index, sure, reads_gradients)
        if key not in self._mentions:
            methods = frozenset[str]() if reads_gradients else self._names.methods
            found = mentioned(self.steps[index].tree, self.own, methods, self._names.renamed)
            parts = {tuple(name.split(".")) for name, used in found if used or not sure}
            pairs = {".".join(pair) for each in parts for pair in itertools.pairwise(each)}
            self._mentions[key] = frozenset(itertools.chain(pairs, *parts))
        return self._mentions[key]


def _uses(name: str, place: str) -> str:
    return (
        f"your answer uses {name} ({place}), which does for you what this exercise asks you to "
        "write; write it out"
    )


def _may_use(name: str, place: str) -> str:
    return (
        f"{place} names {name}, which does for you what this exercise asks you to write, and the "
        "code does not tell whether your answer uses it; take the name out"
    )
