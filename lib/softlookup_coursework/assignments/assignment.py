"""An assignment as the grader uses it: its cells with their roles, and its tests.

A folder holds ``<name>.ipynb``, with nbgrader's metadata, and ``tests/``, Python files with test
functions. The metadata of a cell with points list its tests, and the points of each::

    {"nbgrader": {"grade_id": "scale", "grade": true, "points": 3, …},
     "softlookup": {"tests": {"visible.scale": 1, "hidden.scale": 2}}}

The positional parameters of a test name the student's functions and classes, and its keyword-only
parameters what the term drew: ``def scale(attention, *, base): …``. ``term.json`` holds the term's
draws and the seed of the tests' inputs; ``rubric.md`` says how the written answer is judged.
"""

import importlib.util
import inspect
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.machinery import SourceFileLoader
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
        function: raises if the answer is wrong.
        takes: the names in the student's notebook that it takes.
        term: the values drawn by the term that it takes, by name.
        seed: of the inputs that it draws.
    """

    __test__ = False

    name: str
    points: float
    function: Callable[..., None]
    takes: tuple[str, ...]
    term: dict[str, Any] = field(default_factory=dict)
    seed: int = 0

    @property
    def hidden(self) -> bool:
        """Whether students do not see it."""
        return not self.name.startswith("visible.")

    def run(self, *answers: object) -> None:
        """Test the student's answers, in the order of ``takes``, on inputs drawn from the seed.

        Raises:
            Mistake: if one is wrong; and whatever an answer raises.
        """
        import torch  # here, so that an assignment can be read without it

        torch.manual_seed(self.seed)
        self.function(*answers, **self.term)


@dataclass(frozen=True)
class Given:
    """A cell of the assignment.

    Attributes:
        name: its ``grade_id``.
        kind: ``code``, ``markdown`` or ``raw``.
        source: its source in the assignment.
        role: given to read or run, an answer, graded by tests, or graded by hand.
        points: what it is worth.
        tests: those that grade it, if its role is ``tests``.
        shown: whether it only computes and shows, so that no test takes anything of it.
    """

    name: str
    kind: str
    source: str
    role: Role
    points: float = 0.0
    tests: tuple[Test, ...] = ()
    shown: bool = False


@dataclass(frozen=True)
class Assignment:
    """An assignment.

    Attributes:
        name: of its notebook.
        cells: those with a ``grade_id``.
        parameters: what the term drew for it.
        seed: of the inputs that its tests draw.
        forbids: names that would defeat the exercise in any of the student's cells.
        rubric: how the written answer is judged, in Markdown.
        trains: the answers that take long and give the same when they are asked the same.
    """

    name: str
    cells: tuple[Given, ...]
    parameters: dict[str, Any] = field(default_factory=dict)
    seed: int = 0
    forbids: tuple[str, ...] = ()
    rubric: str = ""
    trains: tuple[str, ...] = ()

    @classmethod
    def load(cls, folder: Path) -> "Assignment":
        """Read an assignment, and execute its test files.

        Raises:
            ValueError: if it is malformed, saying which cell and how.
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
            raise ValueError(f"{folder}: the cells {sorted(twice)} occur twice")
        forbids = {
            name
            for part in [stored, *stored["cells"]]
            for name in _course_metadata(part, "forbids")
        }
        return cls(
            notebooks[0].stem,
            tuple(named),
            tests.parameters,
            tests.seed,
            tuple(sorted(forbids)),
            rubric.read_text(encoding="utf-8") if rubric.is_file() else "",
            tuple(_course_metadata(stored, "trains")),
        )


class _WithoutBytecode(SourceFileLoader):
    """Loads a file and keeps no bytecode beside it: a course's folder stays as it was released."""

    def set_data(self, path: str, data: object, *, _mode: int = 0o666) -> None:
        """Keep nothing."""


def run_file(path: Path) -> ModuleType:
    """Run a teacher's Python file, and return it as a module.

    Raises:
        ValueError: if there is none.
    """
    name = f"{path.stem}_of_{path.parent.parent.name}"
    loader = _WithoutBytecode(name, str(path))
    specification = importlib.util.spec_from_file_location(name, path, loader=loader)
    if not path.is_file() or specification is None or specification.loader is None:
        raise ValueError(f"expected the file {path}")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def _course_metadata(part: dict[str, Any], name: str) -> Any:  # noqa: ANN401
    """An entry of the course's own metadata of a notebook or a cell; empty if there is none."""
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
    tests = _course_metadata(cell, "tests")
    if sum(tests.values()) != (points if role == "tests" else 0):
        raise ValueError(
            f"{folder}: the cell {name} is worth {points:g} points; expected tests worth as many, "
            f"got {tests}"
        )
    found = tuple(known.find(test, worth) for test, worth in tests.items())
    shown = bool(_course_metadata(cell, "shown"))
    return Given(name, cell["cell_type"], source, role, points, found, shown)


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
