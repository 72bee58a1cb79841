"""Which of a student's statements some names depend on.

A name depends on what binds it, and on all that this uses in turn. For a doubt, whatever may put
something into an object counts, too, where somebody reads the object.
"""

import ast
from collections import defaultdict
from collections.abc import Iterable, Mapping, Set

from softlookup.course.student_code.files import ANY, members_used, names_from_files
from softlookup.course.student_code.flows import assigned_from, flows, keepings, read
from softlookup.course.student_code.imports import Known
from softlookup.course.student_code.statements import Step, part_of


class Reach:
    """What depends on what, among a student's statements.

    Args:
        steps: the statements; parts of them that count by themselves are added.
        own: the names that the student binds and that are no modules.
        modules: the names of modules.
        aliases: the names by which files are imported.
        known: the modules that may be imported.
    """

    def __init__(
        self,
        steps: list[Step],
        own: Iterable[str],
        modules: frozenset[str],
        aliases: Mapping[str, str],
        known: Known,
    ) -> None:
        self.steps, made = steps, {*own}
        self._binding = defaultdict[str, set[int]](set)
        for index, step in enumerate(self.steps):
            for name in step.binds | (step.changes & made):
                self._binding[name].add(index)
        self._read: dict[int, frozenset[str]] = {}
        self._within: dict[int, int] = {}
        self._flowing = self._all_flows(modules, aliases, known)

    def reached(
        self, names: set[str], changed: bool = False, beside: Set[str] = frozenset()
    ) -> set[int]:
        """The statements that some names depend on.

        Args:
            names: of the answers.
            changed: whether to count what puts something into an object, and what may run a file.
            beside: names that count as well, though nothing is read of what they stand for.
        """
        waiting, seen = names | beside, set[int]()
        uses = [step.may_use if changed else step.uses for step in self.steps]
        known, reading = set(waiting), set(names)
        while waiting:
            name = waiting.pop()
            for index in self._binding[name] - seen:
                seen.add(index)
                waiting |= uses[index] - known
                known |= uses[index]
                reading |= self.reads(index) if changed else set()
            if changed and not waiting:
                # What is put into an object counts for whoever reads it.
                put = {index for name in reading for index in self._flowing.get(name, ())} - seen
                reading, seen = set(), seen | put
                for index in put:
                    waiting |= uses[index] - known
                    known |= uses[index]
                    reading |= self.reads(index)
            if not waiting and (files := {name for name in known if name.endswith(f":{ANY}")}):
                # Of a file that is handed on, every name that is used anywhere may be meant.
                used = self.used(set(), seen)
                waiting = {f"{file[:-1]}{name}" for file in files for name in used} - known
                waiting &= self._binding.keys()
                known |= waiting
        return seen

    def needed(self, names: Set[str]) -> set[int]:
        """The whole statements that have to run so that some names stand for what they should."""
        beside, found = set[str](), set[int]()
        while True:
            reached = self.reached(set(names), changed=True, beside=beside)
            wholes = {self._within[index] for index in reached if index in self._within}
            reached = {self._within.get(index, index) for index in reached}
            if reached <= found:
                return found
            found |= reached
            beside = beside.union(*(self.steps[index].may_use for index in wholes))

    def used(self, names: set[str], reached: set[int]) -> frozenset[str]:
        """The names that some statements use, as an attribute or in a text, too."""
        nodes = [node for index in reached for node in ast.walk(self.steps[index].tree)]
        attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
        constants = {node.value for node in nodes if isinstance(node, ast.Constant)}
        texts = {each for each in constants if isinstance(each, str)}
        return frozenset(
            names.union(attributes, texts, *(self.steps[index].uses for index in reached))
        )

    def reads(self, index: int) -> frozenset[str]:
        """The names of which a statement reads something."""
        if index not in self._read:
            self._read[index] = read(self.steps[index].tree, self.steps[index].uses)
        return self._read[index]

    def _all_flows(
        self, modules: frozenset[str], aliases: Mapping[str, str], known: Known
    ) -> Mapping[str, set[int]]:
        """The statements that may put something into an object, by its name.

        Where only a part of one is put there, that is a statement by itself.
        """
        trees, found = [step.tree for step in self.steps], defaultdict[str, set[int]](set)
        modules -= names_from_files(trees, known)
        keeping, (assigned, methods) = keepings(trees, modules), assigned_from(trees)
        for index, step in enumerate([*self.steps]):
            for flow in flows(
                step.tree, step.uses | step.binds, modules, keeping, assigned, methods
            ):
                # A module is as it comes where answers are asked alone.
                if flow.into in modules:
                    continue
                if flow.tree is step.tree:
                    found[flow.into].add(index)
                    continue
                names = {node.id for node in ast.walk(flow.tree) if isinstance(node, ast.Name)}
                uses = (step.uses & names) | {*members_used(flow.tree, aliases, known)}
                found[flow.into].add(len(self.steps))
                self._within[len(self.steps)] = index
                self.steps.append(part_of(step, flow.tree, frozenset(uses)))
        return found
