"""What the two benchmarks of the grader share: a class, a watch on memory, the figures kept."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from softlookup_coursework.assignments import source
from softlookup_coursework.assignments.course import Course
from softlookup_coursework.sandbox import processes

# What came of the last full run of each; the page on scale says it, and a test compares.
FIGURES = Path(__file__).with_name("coursework_figures.json")
WATCH_SECONDS = 0.25
COMMAND = [sys.executable, "-m", "softlookup_coursework.command_line"]


def keep(benchmark: str, figures: dict[str, Any]) -> None:
    """Keep the figures of a full run in place of those of the last one."""
    kept = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
    kept[benchmark] = figures
    FIGURES.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")


@dataclass(frozen=True)
class Ran:
    """A command: how long it took, and the most memory that it and all it started occupied."""

    status: int
    seconds: float
    peak_bytes: int
    printed: str


def run(command: list[str], folder: Path) -> Ran:
    """Run a command in a folder, watched."""
    started = time.monotonic()
    # nbgrader asks its database's version of a program that lies beside Python.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with (folder / "printed.txt").open("w+") as printed:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdout=printed,
            stderr=subprocess.STDOUT,
            env=os.environ | {"PATH": path},
        )
        with watched(process.pid) as peak:
            status = process.wait()
        printed.seek(0)
        text = printed.read()
    return Ran(status, time.monotonic() - started, peak.bytes, text)


@contextmanager
def watched(process: int) -> Iterator[SimpleNamespace]:
    """The most memory that a process and its descendants occupy, shared pages counted once."""
    peak, over = SimpleNamespace(bytes=0), threading.Event()

    def watch() -> None:
        while not over.wait(WATCH_SECONDS):
            peak.bytes = max(
                peak.bytes, sum(map(processes.memory, processes.process_tree(process)))
            )

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield peak
    finally:
        over.set()
        watcher.join()


def course_with(name: str, folder: Path) -> Course:
    """A course that has one of the course's assignments, drawn from a seed of no consequence."""
    course = Course.make(folder, seed="a benchmark")
    source.render(source.find(name), course.folder / "assignments" / name, course.term)
    return course


def hand_in(course: Course, name: str, student: str, notebook: str) -> None:
    """Put a notebook where ``collect`` would."""
    folder = course.folder / "collected" / name / student
    (folder / "files").mkdir(parents=True)
    (folder / "notebook.ipynb").write_text(notebook, encoding="utf-8")


def solved(course: Course, name: str) -> dict:
    """The notebook of an assignment with its solutions, as a student might hand it in."""
    path = course.folder / "assignments" / name / f"{name}.ipynb"
    return json.loads(path.read_text(encoding="utf-8"))
