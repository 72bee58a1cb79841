"""An assignment, as the grader needs it: the cells with their roles, and the tests.

A folder holds ``<name>.ipynb``, with nbgrader's metadata, and ``tests/``, Python files with test
functions. A cell that gives points says which tests decide about them, and how many each gives::

    {"nbgrader": {"grade_id": "scale", "grade": true, "points": 3, …},
     "softlookup": {"tests": {"visible.scale": 1, "hidden.scale": 2}}}

A test takes the student's functions and classes by name: ``def scale(attention): …``.
"""

import importlib.util
import inspect
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

Role = Literal["given", "answer", "tests", "by hand"]


@dataclass(frozen=True)
class Test:
    """A test: its name, its points, its function, and the names that the function takes."""

    __test__ = False

    name: str
    points: float
    function: Callable[..., None]
    takes: tuple[str, ...]


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
    """An assignment: its name, and its cells that have one."""

    name: str
    cells: tuple[Given, ...]

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
        modules: dict[str, Any] = {}
        cells = [_cell(cell, folder, modules) for cell in stored["cells"]]
        named = [cell for cell in cells if cell]
        names = [cell.name for cell in named]
        twice = {name for name in names if names.count(name) > 1}
        if twice:
            raise ValueError(f"{folder}: the cells {sorted(twice)} stand twice")
        return cls(notebooks[0].stem, tuple(named))


def _cell(cell: dict[str, Any], folder: Path, modules: dict[str, Any]) -> Given | None:
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
    tests = cell["metadata"].get("softlookup", {}).get("tests", {})
    if sum(tests.values()) != (points if role == "tests" else 0):
        raise ValueError(
            f"{folder}: the cell {name} is worth {points:g} points; expected tests worth as many, "
            f"got {tests}"
        )
    found = tuple(_test(test, worth, folder, modules) for test, worth in tests.items())
    return Given(name, cell["cell_type"], source, role, points, found)


def _test(name: str, points: float, folder: Path, modules: dict[str, Any]) -> Test:
    """Find the function ``name``, written ``file.function``."""
    file, _, function_name = name.partition(".")
    path = folder / "tests" / f"{file}.py"
    if file not in modules:
        specification = importlib.util.spec_from_file_location(
            f"tests_of_{folder.name}_{file}", path
        )
        if not path.is_file() or specification is None or specification.loader is None:
            raise ValueError(f"{name}: expected the file {path}")
        modules[file] = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(modules[file])
    function = getattr(modules[file], function_name, None)
    if function is None:
        raise ValueError(f"{name}: expected a function {function_name} in {path}")
    return Test(name, float(points), function, tuple(inspect.signature(function).parameters))
