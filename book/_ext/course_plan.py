"""Assignments and weeks, as the directives for teachers need them, read from the sources."""

import ast
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from contents import Chapter


@dataclass(frozen=True)
class Assignment:
    """An assignment, as a teacher chooses it; ``after`` holds the numbers of chapters."""

    name: str
    title: str
    goals: tuple[str, ...]
    after: tuple[int, ...]
    hours: float
    points: float
    by_hand: float
    drawn: str


@dataclass(frozen=True)
class Week:
    """A week of a syllabus: chapters to read, an assignment to work on, and the hours of both."""

    chapters: tuple[Chapter, ...]
    assignment: Assignment | None
    hours: float


def read_assignment(folder: Path) -> Assignment:
    """Read an assignment's source; the points of its tests are those of its cells."""
    notebook = json.loads((folder / f"{folder.name}.ipynb").read_text(encoding="utf-8"))
    told = notebook["metadata"]["softlookup"]
    graded = [cell["metadata"].get("nbgrader", {}) for cell in notebook["cells"]]
    graded = [cell for cell in graded if cell.get("grade")]
    points = sum(cell["points"] for cell in graded)
    if points != told["points"]:
        raise ValueError(f"{folder.name} says {told['points']} points; its cells give {points}")
    tree = ast.parse((folder / "parameters.py").read_text(encoding="utf-8"))
    draw = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "draw")
    first = " ".join((ast.get_docstring(draw) or "").split("\n\n")[0].split())
    if not first.startswith("Draw the "):
        raise ValueError(f"{folder.name}: `draw` says {first!r}; expected 'Draw the …'")
    return Assignment(
        name=folder.name,
        title=told["title"],
        goals=tuple(goal.rstrip(".") + "." for goal in told["goals"]),
        after=tuple(int(chapter.split("_")[0]) for chapter in told["prerequisites"]),
        hours=told["hours"],
        points=points,
        by_hand=sum(cell["points"] for cell in graded if cell["solution"]),
        drawn=first.removeprefix("Draw "),
    )


def plan(lines: list[str], chapters: list[Chapter], assignments: list[Assignment]) -> list[Week]:
    """Read a syllabus, one line a week; an assignment of two weeks takes half its hours in each.

    Raises:
        ValueError: if it names what there is not, or asks for something before it was taught.
    """
    by_number = {chapter.number: chapter for chapter in chapters}
    by_name = {assignment.name: assignment for assignment in assignments}
    parts = [[part.strip() for part in f"{line}|".split("|")[:2]] for line in lines]
    weeks_of, read, weeks = Counter(name for _, name in parts), set(), []
    for number, (numbers, name) in enumerate(parts, start=1):
        now = [by_number[int(word)] for word in numbers.split()]
        for chapter in now:
            missing = sorted(set(chapter.prerequisites) - read)
            if missing or chapter.id in read:
                raise ValueError(f"week {number}: {chapter.id} is read twice or lacks {missing}")
            read.add(chapter.id)
        assignment = by_name[name] if name else None
        taught = {by_id for by_id, chapter in by_number.items() if chapter.id in read}
        if assignment and not set(assignment.after) <= taught:
            missing = sorted(set(assignment.after) - taught)
            raise ValueError(f"week {number}: {name} builds on chapters {missing}, not yet read")
        hours = sum(chapter.minutes_to_read for chapter in now) / 60
        hours += assignment.hours / weeks_of[name] if assignment else 0
        weeks.append(Week(tuple(now), assignment, hours))
    return weeks


def count_exercises(path: Path) -> int:
    """How many exercises a chapter's notebook has."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    tags = [tag for cell in cells for tag in cell["metadata"].get("tags", [])]
    return sum(tag.startswith("exercise:") for tag in tags)
