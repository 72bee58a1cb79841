"""Finds names in a student's code that would defeat the exercise, such as a ready-made attention.

It follows dependencies: a test takes an answer, the answer uses other names, and only statements
that it depends on count. A cell that compares the answer with torch's own function is allowed.
This check saves honest students from a misunderstanding. A use that somebody hides on purpose is
not always found, but code that nobody can read off the notebook, such as ``exec`` of a text that is
computed, or a module that the notebook makes while it runs, counts as forbidden. A name with a dot,
such as ``torch.func``, is forbidden in that place alone, and a method or a variable that a student
named may have any name. A cell is read as IPython would run it (``cell_sources``), and a file of
code beside the notebook counts where it is imported or run.
"""

import ast
import itertools
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from softlookup.course.exercises.cell_sources import PARSE_ERRORS, may_run_unread, parsed
from softlookup.course.exercises.made_files import makes_files
from softlookup.course.exercises.mentions import MODULES, assigned, mentioned
from softlookup.course.exercises.student_statements import (
    Known,
    Step,
    module_name,
    step_of,
    written_modules,
)

__all__ = ["PARSE_ERRORS", "StudentCode", "parsed"]
WORD = re.compile(r"\w+")
# This runs in the grader's own process, so it is bounded. No honest answer comes near.
MOST_CHARACTERS, MOST_STATEMENTS = 1_000_000, 20_000


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
            sources.append((path, source, module_name(path)))
        self.too_long = sum(len(source) for _, source, _ in sources) > MOST_CHARACTERS
        read = [
            (place, tree, module)
            for place, source, module in (sources if not self.too_long else [])
            for tree in parsed(source)
        ]
        written = [(place, *each) for place, tree, _ in read for each in written_modules(tree)]
        read += written
        known = Known(
            frozenset(module for _, _, module in [*sources, *written]),
            frozenset(module_name(path).partition(".")[0] for path in others),
            makes_files(tree for _, tree, _ in read),
        )
        for place, tree, module in read[: MOST_STATEMENTS + 1]:
            self.steps.append(step_of(place, tree, module, known))
        self.too_long |= len(self.steps) > MOST_STATEMENTS
        self._unread = [
            (place, source)
            for place, source, _ in sources
            if not self.too_long and may_run_unread(source)
        ]
        self.own = {
            step.tree.name
            for step in self.steps
            if isinstance(step.tree, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        }
        nodes = [node for step in self.steps for node in ast.walk(step.tree)]
        self.methods = {
            method.name
            for node in nodes
            if isinstance(node, ast.ClassDef)
            for method in node.body
            if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef)
        }
        self._renamed = {
            alias.asname: alias.name.rpartition(".")[2]
            for node in nodes
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
            if alias.asname
        }
        # A variable of the student's may have any name, where no `import *` may have bound it.
        if not any(isinstance(node, ast.alias) and node.name == "*" for node in nodes):
            imported = {n.asname or n.name for n in nodes if isinstance(n, ast.alias)}
            variables = {name for step in self.steps for name in assigned([step.tree])}
            self.own |= variables - imported - MODULES
        # What stands in a file counts where the file is imported or run, whatever it does.
        self._opaque = {
            index for index, step in enumerate(self.steps) if step.opaque and not step.module
        }
        self._binding = defaultdict[str, set[int]](set)
        for index, step in enumerate(self.steps):
            for name in step.binds:
                self._binding[name].add(index)
        self._mentions: dict[tuple[int, bool], frozenset[str]] = {}

    def forbidden(self, names: Iterable[str], forbids: Iterable[str]) -> str:
        """Find a forbidden name that some answers depend on.

        Args:
            names: of the answers.
            forbids: the names that must not be used; one that ends with ``*`` stands for all that
                begin so.

        Returns:
            A sentence for the student; empty if there is none.
        """
        wanted = _Forbidden(forbids)
        if not wanted.names:
            return ""
        if self.too_long:
            return "your code is too long to be checked for what this exercise forbids; shorten it"
        waiting, seen = set(names), set(self._opaque)
        known = set(waiting)
        for index in self._opaque:
            waiting |= self.steps[index].uses
        known |= waiting
        while waiting:
            for index in self._binding.get(waiting.pop(), set()) - seen:
                seen.add(index)
                waiting |= self.steps[index].uses - known
                known |= self.steps[index].uses
        # Whoever reads .grad has let PyTorch go backward, whatever methods are called.
        reads_gradients = any(
            isinstance(node, ast.Attribute) and node.attr == "grad"
            for index in seen
            for node in ast.walk(self.steps[index].tree)
        )
        for index in sorted(seen):
            if found := wanted.among(self._mentioned(index, reads_gradients)):
                return _uses(min(found), self.steps[index].place)
            if unread := self.steps[index].unread:
                return (
                    f"{self.steps[index].place} runs {unread}, so that nobody can read what it "
                    "uses; write the code itself, here or in a .py file beside the notebook"
                )
        for place, source in self._unread:
            if found := wanted.among(WORD.findall(source)):
                return _uses(min(found), place)
        return ""

    def _mentioned(self, index: int, reads_gradients: bool) -> frozenset[str]:
        """The parts of the dotted names that a statement mentions."""
        if (index, reads_gradients) not in self._mentions:
            tree, methods = self.steps[index].tree, set() if reads_gradients else self.methods
            names = {*mentioned(tree, self.own, methods, self._renamed)}
            parts = [name.split(".") for name in names]
            pairs = {".".join(pair) for each in parts for pair in itertools.pairwise(each)}
            self._mentions[index, reads_gradients] = frozenset(itertools.chain(pairs, *parts))
        return self._mentions[index, reads_gradients]


def _uses(name: str, place: str) -> str:
    return (
        f"your answer uses {name} ({place}), which does for you what this exercise asks you to "
        "write; write it out"
    )
