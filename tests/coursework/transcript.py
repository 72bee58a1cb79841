"""Reads a teachers' page as a transcript: its commands, and what it says they print.

A ``console`` block holds commands, each after ``$ ``, and below each what it printed. A comment
``<!-- by hand: ada 3, ben 1 -->`` marks where the reader grades in a browser.
"""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import Gradebook

TEACHING = Path(__file__).parents[2] / "book" / "teaching"
PAGES = {name: (TEACHING / f"{name}.md").read_text("utf-8") for name in ("running", "private")}
PART = re.compile(
    r"^```console\n(?P<block>.*?)^```$|^<!-- by hand: (?P<points>.+?) -->$", re.M | re.S
)
# What differs between machines, and is removed before the comparison.
MACHINE = [
    (re.compile(r"Linux \w+"), "Linux x86_64"),
    (re.compile(r"bubblewrap \d[\d.]*"), "bubblewrap 0.8.0"),
    # How memory and the processor are limited, and what the kernel does not hold of it.
    (re.compile(r"(│ (?:memory|processor) +│ yes  │)[^│]*│"), r"\1 limited │"),
    (re.compile(r"^Not held by the kernel .*\n?", re.M), ""),
    (re.compile(r"^With a control group of version 2 .*\n?", re.M), ""),
]
# The width of the table depends on it.
WIDTHS = [(re.compile(r"━{3,}"), "━━━"), (re.compile(r" {2,}"), " ")]
SECONDS = 300
COLUMNS = "98"


@dataclass
class Step:
    """A command with what it prints; or, without a command, the points that a person gives."""

    command: str
    printed: str
    points: dict[str, float]
    status: int = 0


def steps(page):
    """The steps of a page, in order."""
    found = []
    for part in PART.finditer(page):
        if part["points"]:
            given = (one.split() for one in part["points"].split(", "))
            found.append(Step("", "", {student: float(points) for student, points in given}))
            continue
        for piece in re.split(r"^\$ ", part["block"], flags=re.M)[1:]:
            command, _, printed = piece.partition("\n")
            found.append(Step(command, tidy(printed), {}))
    return found


def tidy(text):
    """What was printed, without spaces at the ends of lines, and alike on every machine.

    Only a table of the machine may be wider on another.
    """
    text = "\n".join(line.rstrip() for line in text.strip("\n").splitlines())
    ours = MACHINE + (WIDTHS if text.startswith("This machine") else [])
    for pattern, name in ours:
        text = pattern.sub(name, text)
    return text


def run(page, folder, assignment):
    """Run a page's steps in a folder, and return them with what they really printed."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": COLUMNS, "NO_COLOR": "1", "LC_ALL": "C"}
    done = []
    for step in steps(page):
        if step.points:
            with Gradebook(f"sqlite:///{folder}/autumn/gradebook.db") as gradebook:
                for student, points in step.points.items():
                    _give(gradebook, assignment, student, points)
            done.append(step)
            continue
        ran = subprocess.run(
            ["bash", "-c", step.command],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
        )
        done.append(Step(step.command, tidy(ran.stdout), {}, ran.returncode))
    return done


def _give(gradebook, assignment, student, points):
    """Give points for the written answer, as formgrader does."""
    notebook = gradebook.find_submission_notebook(assignment, assignment, student)
    (grade,) = (grade for grade in notebook.grades if grade.cell.cell_type == "markdown")
    grade.manual_score, grade.needs_manual_grade = points, False
    gradebook.db.commit()
