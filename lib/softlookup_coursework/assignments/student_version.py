"""Makes what a student receives: the notebook without its solutions, and the library's wheel.

nbgrader's own preprocessors remove the solutions. The result is then searched for lines of
solutions, hidden tests and the rubric, and nothing is released if one is found.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearHiddenTests,
    ClearMarkScheme,
    ClearOutput,
    ClearSolutions,
    LockCells,
)

PROJECT = Path(__file__).parents[3]
STEPS = (
    CheckCellMetadata,
    LockCells,
    ClearSolutions,
    ClearOutput,
    ClearHiddenTests,
    ClearMarkScheme,
)
# Lines shorter than the first, such as `return values`, may occur anywhere; those longer than the
# second must not even occur within a line.
SHORTEST_HIDDEN, LONG = 16, 40
SCRIPTS = re.compile(r"^\[project\.scripts\]\n(?:.+\n)*", re.MULTILINE)


def make(assignment: Path, destination: Path, wheel: Path | None = None) -> Path:
    """Write the student version of an assignment.

    Args:
        assignment: the folder that ``source.render`` wrote.
        destination: a folder that is created, or replaced.
        wheel: the library's wheel; built if none is given.

    Returns:
        The notebook.

    Raises:
        ValueError: if something would remain that students must not see.
        RuntimeError: if the wheel cannot be built.
    """
    path = next(assignment.glob("*.ipynb"))
    student = student_notebook(assignment)
    partial = destination.with_name(f".{destination.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    nbformat.write(student, partial / path.name)
    if wheel is None:
        build_wheel(partial)
    else:
        shutil.copy(wheel, partial)
    shutil.rmtree(destination, ignore_errors=True)
    partial.replace(destination)
    return destination / path.name


def student_notebook(assignment: Path) -> NotebookNode:
    """The notebook of an assignment without its solutions.

    Args:
        assignment: the folder that ``source.render`` wrote.

    Raises:
        ValueError: if something would remain that students must not see.
    """
    whole = nbformat.read(next(assignment.glob("*.ipynb")), as_version=4)
    student = _without_solutions(whole)
    _refuse_hidden_lines(assignment, whole, student)
    return student


def build_wheel(destination: Path) -> Path:
    """Build the wheel of the library that is taught, without the grader.

    Raises:
        RuntimeError: if this is no clone of the course, or pip fails.
    """
    if not (PROJECT / "pyproject.toml").is_file():
        raise RuntimeError(
            "the library's wheel is built from its source, and there is none here; run `release` "
            "in a clone of the course, installed with `pip install --editable '.[coursework]'`"
        )
    with tempfile.TemporaryDirectory() as folder:
        tree, built = Path(folder, "tree"), Path(folder, "built")
        caches = shutil.ignore_patterns("__pycache__", "*.egg-info")
        shutil.copytree(PROJECT / "lib" / "softlookup", tree / "lib/softlookup", ignore=caches)
        for name in ("README.md", "LICENSE", "LICENSE-TEXT"):
            shutil.copy(PROJECT / name, tree)
        # Without the grader, and without its command.
        project = (PROJECT / "pyproject.toml").read_text(encoding="utf-8")
        (tree / "pyproject.toml").write_text(SCRIPTS.sub("", project), encoding="utf-8")
        # `-P`: the folder in which the teacher stands may hold files of students.
        command = [sys.executable, "-P", "-m", "pip", "wheel", "--quiet", "--no-deps"]
        command += ["--no-build-isolation", "--disable-pip-version-check"]
        command += ["--wheel-dir", str(built), str(tree)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        wheels = sorted(built.glob("softlookup-*.whl"))
        if ran.returncode or len(wheels) != 1:
            raise RuntimeError(f"the library's wheel cannot be built: {ran.stderr[-2000:]}")
        with zipfile.ZipFile(wheels[0]) as archive:
            others = [
                n for n in archive.namelist() if not n.startswith(("softlookup/", "softlookup-"))
            ]
        if others:
            raise RuntimeError(f"the wheel holds more than the library: {others[:5]}")
        return Path(shutil.copy(wheels[0], destination))


def _without_solutions(whole: NotebookNode) -> NotebookNode:
    """The notebook after nbgrader's preprocessors, without the grader's own metadata."""
    student = nbformat.from_dict(whole)
    for step in STEPS:
        student, _ = step().preprocess(student, {})
    for name in ("forbids", "trains"):
        student.metadata.get("softlookup", {}).pop(name, None)
    for cell in student.cells:
        cell.metadata.pop("softlookup", None)
        cell.pop("attachments", None)
    return student


def _refuse_hidden_lines(assignment: Path, whole: NotebookNode, student: NotebookNode) -> None:
    """Refuse a student version that contains a hidden line.

    A line is hidden unless students may read it anyway: in a visible test, or outside of solutions.
    The names and messages of hidden tests are hidden even there, so that a test in the wrong
    place is noticed.

    Raises:
        ValueError: if it does, quoting the line.
    """
    tests = assignment / "tests"
    visible = set(_lines(_text(tests / "visible.py")))
    shown = {line for cell in whole.cells for line in _lines(_outside_solutions(cell))} | visible
    named = [
        f"def {name.removeprefix('hidden.')}("
        for cell in whole.cells
        for name in cell.metadata.get("softlookup", {}).get("tests", {})
    ]
    words = ("raise ", 'f"', '"', "'", *named)
    hidden_lines = set(_lines(_text(tests / "hidden.py"))) - visible
    hidden = {
        "the hidden tests": {n for n in hidden_lines if n not in shown or n.startswith(words)},
        "the rubric": set(_lines(_text(assignment / "rubric.md"))) - shown,
        "the solution": {n for cell in whole.cells for n in _lines(_solution(cell))} - shown,
    }
    released = {line.strip() for text in _strings(student) for line in text.splitlines()}
    for what, lines in hidden.items():
        for line in sorted(lines):
            if line in released or (len(line) >= LONG and any(line in one for one in released)):
                raise ValueError(f"the student version would show a line of {what}: {line!r}")


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _lines(text: str) -> Iterator[str]:
    """The lines that are long enough to reveal something."""
    for line in map(str.strip, text.splitlines()):
        if len(line) >= SHORTEST_HIDDEN and not line.startswith(("import ", "from ")):
            yield line


def _strings(value: object) -> Iterator[str]:
    """Every string in a notebook, at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _strings([*value, *value.values()])
    elif isinstance(value, Iterable):
        for part in value:
            yield from _strings(part)


def _is_answer(cell: NotebookNode) -> bool:
    return bool(cell.metadata.get("nbgrader", {}).get("solution"))


def _parts(cell: NotebookNode) -> tuple[list[str], list[str]]:
    """The lines outside and inside the solution regions of a cell."""
    outside: list[str] = []
    inside: list[str] = []
    within = False
    for line in cell.source.splitlines():
        if "BEGIN SOLUTION" in line or "END SOLUTION" in line:
            within = "BEGIN" in line
        else:
            (inside if within else outside).append(line)
    return outside, inside


def _outside_solutions(cell: NotebookNode) -> str:
    outside, inside = _parts(cell)
    # A cell that is a solution as a whole has no regions.
    return "" if _is_answer(cell) and not inside else "\n".join(outside)


def _solution(cell: NotebookNode) -> str:
    outside, inside = _parts(cell)
    return "\n".join(inside or (outside if _is_answer(cell) else []))
