"""An assignment, as the grader needs it: the cells with their roles, and the tests.

A folder holds ``<name>.ipynb``, with nbgrader's metadata, and ``tests/``, Python files with test
functions. A cell that gives points says which tests decide about them, and how many each gives::

    {"nbgrader": {"grade_id": "scale", "grade": true, "points": 3, …},
     "softlookup": {"tests": {"visible.scale": 1, "hidden.scale": 2}}}

A test takes the student's functions and classes by name, and what the term drew by keyword alone:
``def scale(attention, *, base): …``. The term's draws stand in ``term.json``, with the seed of the
tests' inputs; ``rubric.md`` says how the written answer is judged.
"""

import importlib.util
import inspect
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from softlookup_coursework.assignments.term import seed_from

Role = Literal["given", "answer", "tests", "by hand"]


@dataclass(frozen=True)
class Test:
    """A test.

    Attributes:
        name: its file and its function, as in ``hidden.scale``.
        points: what it is worth.
        function: what raises if the answer is wrong.
        takes: the student's names that the function takes.
        term: the term's values that it takes, by name.
        seed: of the inputs that it draws.
    """

    __test__ = False

    name: str
    points: float
    function: Callable[..., None]
    takes: tuple[str, ...]
    term: dict[str, Any] = field(default_factory=dict)
    seed: int = 0

    def run(self, *answers: object) -> None:
        """Try the student's answers, in the order of ``takes``, on inputs drawn from the seed.

        Raises:
            Mistake: if one is wrong; and whatever an answer raises.
        """
        import torch  # so that a table of cells can be read without it

        torch.manual_seed(self.seed)
        self.function(*answers, **self.term)


@dataclass(frozen=True)
class Given:
    """A cell of the assignment.

    Attributes:
        name: its ``grade_id``.
        kind: ``code``, ``markdown`` or ``raw``.
        source: as the assignment has it.
        role: given as it stands, to be answered, decided by tests, or graded by hand.
        points: what it is worth.
        tests: what decides, if tests do.
    """

    name: str
    kind: str
    source: str
    role: Role
    points: float = 0.0
    tests: tuple[Test, ...] = ()


@dataclass(frozen=True)
class Assignment:
    """An assignment.

    Attributes:
        name: its notebook's.
        cells: those that have a name.
        parameters: what the term drew for it.
        seed: of the inputs that its tests draw.
        forbids: names that would defeat the exercise, in whatever cell of the student's.
        rubric: how the written answer is judged, in Markdown.
    """

    name: str
    cells: tuple[Given, ...]
    parameters: dict[str, Any] = field(default_factory=dict)
    seed: int = 0
    forbids: tuple[str, ...] = ()
    rubric: str = ""

    @classmethod
    def load(cls, folder: Path) -> "Assignment":
        """Read an assignment; its test files are run.

        Raises:
            ValueError: if it is not of the form, saying which cell and how.
        """
        notebooks = sorted(folder.glob("*.ipynb"))
        if len(notebooks) != 1:
            raise ValueError(f"{folder}: expected one notebook, found {len(notebooks)}")
        stored = json.loads(notebooks[0].read_text(encoding="utf-8"))
        term, rubric = folder / "term.json", folder / "rubric.md"
        drawn = json.loads(term.read_text(encoding="utf-8")) if term.is_file() else {}
        tests = _Tests(folder / "tests", drawn.get("parameters", {}), drawn.get("seed", 0))
        cells = [_cell(cell, folder, tests) for cell in stored["cells"]]
        named = [cell for cell in cells if cell]
        names = [cell.name for cell in named]
        twice = {name for name in names if names.count(name) > 1}
        if twice:
            raise ValueError(f"{folder}: the cells {sorted(twice)} stand twice")
        forbids = {name for part in [stored, *stored["cells"]] for name in _ours(part, "forbids")}
        return cls(
            notebooks[0].stem,
            tuple(named),
            tests.parameters,
            tests.seed,
            tuple(sorted(forbids)),
            rubric.read_text(encoding="utf-8") if rubric.is_file() else "",
        )


def run_file(path: Path) -> ModuleType:
    """Run a Python file of the teacher's own, and return what it defines.

    Raises:
        ValueError: if there is none.
    """
    name = f"{path.stem}_of_{path.parent.parent.name}"
    specification = importlib.util.spec_from_file_location(name, path)
    if not path.is_file() or specification is None or specification.loader is None:
        raise ValueError(f"expected the file {path}")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def _ours(part: dict[str, Any], name: str) -> Any:  # noqa: ANN401
    """What the course's own metadata of a notebook or a cell say; an empty dictionary if not."""
    return part.get("metadata", {}).get("softlookup", {}).get(name, {})


def _cell(cell: dict[str, Any], folder: Path, known: "_Tests") -> Given | None:
    graded = cell["metadata"].get("nbgrader")
    if not graded:
        return None
    source = "".join(cell["source"])
    name, points = graded["grade_id"], float(graded.get("points", 0))
    role: Role
    if graded.get("grade") and (graded.get("solution") or graded.get("task")):
        role = "by hand"
    elif graded.get("grade"):
        role = "tests"
    else:
        role = "answer" if graded.get("solution") else "given"
    tests = _ours(cell, "tests")
    if sum(tests.values()) != (points if role == "tests" else 0):
        raise ValueError(
            f"{folder}: the cell {name} is worth {points:g} points; expected tests worth as many, "
            f"got {tests}"
        )
    found = tuple(known.find(test, worth) for test, worth in tests.items())
    return Given(name, cell["cell_type"], source, role, points, found)


class _Tests:
    """The tests of an assignment, and what the term drew for them."""

    def __init__(self, folder: Path, parameters: dict[str, Any], seed: int) -> None:
        self.folder, self.parameters, self.seed = folder, parameters, seed
        self._modules: dict[str, ModuleType] = {}

    def find(self, name: str, points: float) -> Test:
        """The test ``name``, written ``file.function``."""
        file, _, function_name = name.partition(".")
        path = self.folder / f"{file}.py"
        if file not in self._modules:
            self._modules[file] = run_file(path)
        function = getattr(self._modules[file], function_name, None)
        if function is None:
            raise ValueError(f"{name}: expected a function {function_name} in {path}")
        takes = inspect.signature(function).parameters.values()
        wanted = [one.name for one in takes if one.kind is one.KEYWORD_ONLY]
        lacking = sorted(set(wanted) - set(self.parameters))
        if lacking:
            raise ValueError(
                f"{name} takes {', '.join(lacking)}, which the term has not drawn; expected some "
                f"of {sorted(self.parameters)}"
            )
        return Test(
            name,
            float(points),
            function,
            tuple(one.name for one in takes if one.kind is not one.KEYWORD_ONLY),
            {key: self.parameters[key] for key in wanted},
            seed_from(self.seed, name),
        )
