"""Asks answers in a sandbox in which nothing has run but what they need.

A cell can hide what an exercise forbids: in a text that is run, in a function put in another's
place, in a file that it writes. So where something is forbidden, points come from a run of the
assignment's own cells and of those statements on which answers depend, as far as these are written
in words that are known. What stands elsewhere may be anything, for it does not run.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from softlookup_coursework.assignments.assignment import Assignment
from softlookup_coursework.common.limits import IntakeLimits, RunLimits
from softlookup_coursework.common.untrusted_files import Refused, list_folder, read_regular_file
from softlookup_coursework.grading.failing import failure_of
from softlookup_coursework.grading.overwrite import Rebuilt
from softlookup_coursework.grading.reading import Reader
from softlookup_coursework.grading.written import define_again, given_definitions, student_code
from softlookup_coursework.sandbox.channel import UNANSWERED, Channel, Ended
from softlookup_coursework.sandbox.sandbox import Lost, Sandbox

# What lies beside a notebook and holds no code: tables, texts, pictures and numbers.
DATA = {".csv", ".json", ".md", ".npy", ".pdf", ".png", ".jpg", ".pt", ".pth", ".svg", ".txt"}


@dataclass(frozen=True)
class Alone:
    """A notebook without all that answers do not need.

    Attributes:
        cells: as many as the notebook has, in its order.
        files: a folder with what lies beside it.
    """

    cells: tuple[Rebuilt, ...]
    files: Path


@dataclass(frozen=True)
class Outcome:
    """What came of asking answers alone.

    Attributes:
        passed: the names of the tests that pass.
        unanswered: what is said of those tests that got no answer in time, by their names.
        slow: what was not answered in time; empty, if nothing.
        crowded: whether the kernel waited long for a processor meanwhile.
    """

    passed: frozenset[str] = frozenset()
    unanswered: Mapping[str, str] = field(default_factory=dict)
    slow: str = ""
    crowded: bool = False


@contextmanager
def alone(
    reader: Reader, cells: Sequence[Rebuilt], files: Path, assignment: Assignment
) -> Iterator[Alone]:
    """A notebook in which nothing stands but what answers need, within the block.

    Args:
        reader: who reads all code of the submission.
        cells: of the notebook, in order.
        files: the folder that was handed in with it.
        assignment: the assignment, which says what tests take and what is forbidden.
    """
    takes = {name for cell in assignment.cells for test in cell.tests for name in test.takes}
    needed = student_code(reader, cells, files).needed_by(takes, assignment.forbids)
    kept = tuple(
        replace(cell, source=needed.cells.get(f"cell {number}", "")) if cell.students_code else cell
        for number, cell in enumerate(cells, start=1)
    )
    with TemporaryDirectory() as name:
        folder = Path(name)
        for path, content in {**_data(files), **_encoded(needed.files)}.items():
            (folder / path).write_bytes(content)
        yield Alone(kept, folder)


def ask(notebook: Alone, limits: RunLimits, forbids: Sequence[str]) -> Outcome:
    """Run a notebook in a sandbox, with its tests at their places.

    Args:
        notebook: what answers need.
        limits: what the run may use.
        forbids: as in ``Channel``.

    Raises:
        Lost: if the machine's fault ended the sandbox.
    """
    definitions, asked = given_definitions(notebook.cells), False
    said: dict[str, str] = {}
    with Sandbox(limits, notebook.files) as sandbox:
        channel = Channel(sandbox, forbids=forbids)
        try:
            for cell in begin(notebook.cells, channel):
                given = cell.given
                if _runs(cell):
                    channel.run_statements(cell.source)
                if given and given.tests:
                    define_again(given, definitions, channel.run_statements)
                    for test in given.tests:
                        asked = asked or test.hidden
                        said[test.name] = failure_of(test, channel, asked)
        except Ended:
            if sandbox.lost:
                raise Lost("the zygote died, where answers were asked alone") from None
    passed = frozenset(name for name, why in said.items() if not why)
    unanswered = {name: why for name, why in said.items() if UNANSWERED in why}
    return Outcome(passed, unanswered, channel.slow, channel.crowded)


def begin(cells: Sequence[Rebuilt], channel: Channel) -> list[Rebuilt]:
    """Begin to watch, and run the assignment's own cells, in which its checks are made.

    They may use what is forbidden. So nothing of the student's is there yet, which they could
    reach, or throw away.

    Returns:
        The cells that are left: the student's, those of tests, and such of the assignment's as
        need what the student defines.
    """
    channel.watch()
    return [
        cell
        for cell in cells
        if cell.students_code or not _runs(cell) or channel.run(cell.source).error
    ]


def _runs(cell: Rebuilt) -> bool:
    """Whether a cell is run where answers are asked alone."""
    given = cell.given
    return cell.kind == "code" and not (given and (given.tests or given.shown))


def _data(files: Path) -> dict[str, bytes]:
    """What lies beside a notebook and is no code, whatever it holds, by its name."""
    most, found = IntakeLimits(), dict[str, bytes]()
    for path in list_folder(files, most.archive_members) if files.is_dir() else []:
        if path.suffix in DATA:
            with suppress(Refused):
                found[path.name] = read_regular_file(path, most.extra_bytes)
    return found


def _encoded(sources: Mapping[str, str]) -> dict[str, bytes]:
    return {path: source.encode() for path, source in sources.items() if "/" not in path}
