"""One submission's grading as it travels: bytes in, bytes out, with no file system shared.

Whoever does the work, a process of this machine or one of a cluster, gets the assignment's files
and the submission's, and gives back ``result.json`` and ``graded.ipynb``. A fingerprint of all
that decides about them tells later whether they still hold.
"""

import ast
import functools
import hashlib
import importlib.util
import multiprocessing
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import astuple, replace
from pathlib import Path

from softlookup_coursework.common.limits import RunLimits
from softlookup_coursework.common.plain_files import read_plain
from softlookup_coursework.common.verdicts import Result, TestResult, Verdict

PACKAGE = "softlookup_coursework"
Files = dict[str, bytes]
LARGEST = 64 * 2**20
# Stands instead of a notebook where intake refused what was handed in, and says why.
REFUSED = "refused.txt"
RESULT, NOTEBOOK, FINGERPRINT = "result.json", "graded.ipynb", "fingerprint.txt"
NO_SANDBOX = "no_sandbox.txt"


class OtherVersion(Exception):  # noqa: N818 - said to the teacher, who can mend it
    """Says that a worker would grade with another version of the grader."""


def read(folder: Path) -> Files:
    """The files of a folder, by their paths in it.

    Raises:
        Refused: if something in it is no plain file.
    """
    found = sorted(path for path in folder.rglob("*") if path.is_symlink() or path.is_file())
    kept = [path for path in found if "__pycache__" not in path.parts]
    return {path.relative_to(folder).as_posix(): read_plain(path, LARGEST) for path in kept}


def digest(files: Mapping[str, bytes]) -> str:
    """A number that two sets of files share only if they are the same."""
    told = hashlib.sha256()
    for name in sorted(files):
        for part in (name.encode(), files[name]):
            told.update(len(part).to_bytes(8))
            told.update(part)
    return told.hexdigest()


@functools.cache
def version() -> str:
    """The grader's version: the files that grading imports, and the library's that tests call.

    What makes feedback or exports is no part of it: mending that calls for no new grading.
    """
    here = Path(__file__).parents[1]
    pending = [here / "grading" / "job.py", here / "grading" / "workers.py"]
    needed = set(here.glob("sandbox/inside/*.py"))
    while pending:
        path = pending.pop()
        if path.is_file() and path not in needed:
            needed.add(path)
            pending += [here / name for name in _imported(path.read_text(encoding="utf-8"))]
    found = importlib.util.find_spec("softlookup.course.exercises")
    for folder in map(Path, (found and found.submodule_search_locations) or ()):
        needed |= set(folder.glob("*.py"))
    return digest({f"{path.parent.name}/{path.name}": path.read_bytes() for path in needed})


def _imported(source: str) -> Iterator[str]:
    """Where the grader's files lie that a file imports; of a name in a file, no file is found."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGE):
            _, *rooms = (node.module or "").split(".")
            for name in ([], *([alias.name] for alias in node.names)):
                yield "/".join(rooms + name) + ".py"


def fingerprint(assignment: Files, submission: Files, limits: RunLimits) -> str:
    """What a result follows from: the assignment, the submission, the limits, the grader."""
    told = {"assignment": digest(assignment), "submission": digest(submission)}
    told |= {"limits": repr(astuple(limits)), "version": version()}
    return digest({name: text.encode() for name, text in told.items()})


def grade(assignment: Files, submission: Files, limits: RunLimits, expected: str) -> Files:
    """Grade a submission in a process of its own and a folder of its own, which is then removed.

    Args:
        assignment: the assignment's files.
        submission: the submission's, as intake makes its folder.
        limits: what it may use.
        expected: the version of the grader that is asked for.

    Returns:
        ``result.json`` and ``graded.ipynb``; or ``no_sandbox.txt``, which says what is lacking.

    Raises:
        OtherVersion: if this is another version.
    """
    if version() != expected:
        raise OtherVersion(
            "a worker has another version of the grader than this command; install the same on both"
        )
    # A worker of dask may start no processes while it counts as a daemon, which it does unless
    # whoever started it thought of this. It ends what it starts.
    multiprocessing.current_process()._config["daemon"] = False  # type: ignore[attr-defined]
    with tempfile.TemporaryDirectory(prefix="softlookup-", dir=_own_folder()) as folder:
        here, there, output = (Path(folder, name) for name in ("assignment", "submission", "out"))
        _write(here, assignment)
        _write(there, submission)
        grade_folders(here, there, output, limits)
        return read(output)


def grade_folders(assignment: Path, submission: Path, output: Path, limits: RunLimits) -> Result:
    """Grade a submission that lies in a folder, in a process of its own.

    ``output`` then holds ``result.json`` and ``graded.ipynb``; or ``no_sandbox.txt`` alone, which
    says why this machine cannot enclose a submission.
    """
    from softlookup_coursework.grading.workers import grade_apart
    from softlookup_coursework.sandbox.sandbox import NoSandbox

    try:
        result = grade_apart(assignment, submission, output, limits)
    except NoSandbox as error:
        (output / RESULT).unlink(missing_ok=True)
        (output / NO_SANDBOX).write_text(str(error), encoding="utf-8")
        return Result(Verdict.NEEDS_A_HUMAN, "this machine cannot enclose a submission")
    refused = submission / REFUSED
    if refused.is_file():
        result = _with_reason(result, refused.read_text(encoding="utf-8").strip())
        result.write(output / RESULT)
    return result


def _with_reason(result: Result, why: str) -> Result:
    """A result whose submission was refused at the door, with the reason given there."""
    cells = tuple(
        replace(
            cell,
            tests=tuple(TestResult(test.name, test.points, 0.0, why) for test in cell.tests),
        )
        for cell in result.cells
    )
    return replace(result, verdict=Verdict.UNREADABLE, why=why, cells=cells)


def _own_folder() -> str | None:
    """The worker's own folder, which dask removes with it; the system's where there is none."""
    try:
        from distributed import get_worker

        return get_worker().local_directory
    except ValueError:
        return None


def _write(folder: Path, files: Files) -> None:
    folder.mkdir()
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
