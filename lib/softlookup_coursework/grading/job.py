"""One submission's grading as a job for a worker: bytes in, bytes out, with no shared file system.

A worker, on this machine or in a cluster, receives the files of the assignment and the submission,
and returns ``result.json`` and ``graded.ipynb``. A fingerprint of all that they follow from decides
later whether they are still valid.
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

from softlookup_coursework.common import result_files
from softlookup_coursework.common.limits import RunLimits
from softlookup_coursework.common.untrusted_files import read_regular_file
from softlookup_coursework.common.verdicts import Result, TestResult, Verdict

PACKAGE = "softlookup_coursework"
Files = dict[str, bytes]
LARGEST = 64 * 2**20
# What Python and JupyterLab leave beside a file that is opened; a student's never has such a name.
LITTER = {"__pycache__", ".ipynb_checkpoints"}
# Replaces the notebook where intake refused the submission; holds the reason.
REFUSED = "refused.txt"


class OtherVersion(Exception):  # noqa: N818 - shown to the teacher, who can fix it
    """Raised when a worker has another version of the grader than the command."""


def read(folder: Path) -> Files:
    """The files of a folder, by their paths in it.

    Raises:
        Refused: if it contains something other than regular files and folders.
    """
    found = sorted(path for path in folder.rglob("*") if path.is_symlink() or path.is_file())
    kept = [path for path in found if not LITTER & {*path.relative_to(folder).parts}]
    return {path.relative_to(folder).as_posix(): read_regular_file(path, LARGEST) for path in kept}


def digest(files: Mapping[str, bytes]) -> str:
    """The SHA-256 digest of a set of files, names and contents."""
    hasher = hashlib.sha256()
    for name in sorted(files):
        for part in (name.encode(), files[name]):
            hasher.update(len(part).to_bytes(8))
            hasher.update(part)
    return hasher.hexdigest()


@functools.cache
def version() -> str:
    """The grader's version: a digest of the files that grading imports and of the library's checks.

    Feedback and exports are not part of it: a change of those requires no new grading.
    """
    here = Path(__file__).parents[1]
    pending = [here / "grading" / "job.py", here / "grading" / "forked_grader.py"]
    needed = set(here.glob("sandbox/inside/*.py"))
    while pending:
        path = pending.pop()
        if path.is_file() and path not in needed:
            needed.add(path)
            pending += [here / name for name in _imported(path.read_text(encoding="utf-8"))]
    for package in ("softlookup.course.exercises", "softlookup.course.student_code"):
        found = importlib.util.find_spec(package)
        for folder in map(Path, (found and found.submodule_search_locations) or ()):
            needed |= set(folder.glob("*.py"))
    return digest({f"{path.parent.name}/{path.name}": path.read_bytes() for path in needed})


def _imported(source: str) -> Iterator[str]:
    """The paths of the grader's files that a source may import; some do not exist.

    ``from a import b`` may mean the file ``a/b.py`` or a name in ``a.py``.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGE):
            _, *folders = (node.module or "").split(".")
            for name in ([], *([alias.name] for alias in node.names)):
                yield "/".join(folders + name) + ".py"


def fingerprint(assignment: Files, submission: Files, limits: RunLimits) -> str:
    """The digest of what a result follows from: assignment, submission, limits and grader."""
    parts = {"assignment": digest(assignment), "submission": digest(submission)}
    parts |= {"limits": repr(astuple(limits)), "version": version()}
    return digest({name: text.encode() for name, text in parts.items()})


def run(assignment: Files, submission: Files, limits: RunLimits, expected: str) -> Files:
    """Run the job on a worker, in a temporary folder.

    Args:
        assignment: the assignment's files.
        submission: the submission's files, as intake stores them.
        limits: what it may use.
        expected: the grader's version on the command's side.

    Returns:
        ``result.json`` and ``graded.ipynb``; or ``no_sandbox.txt``, which says what is
        missing.

    Raises:
        OtherVersion: if the worker has another version.
    """
    if version() != expected:
        raise OtherVersion(
            "a worker has another version of the grader than this command; install the same on both"
        )
    # multiprocessing forbids daemonic processes to start children, and dask's workers are daemonic
    # by default. This one ends the children that it starts.
    multiprocessing.current_process()._config["daemon"] = False  # type: ignore[attr-defined]
    with tempfile.TemporaryDirectory(prefix="softlookup-", dir=_worker_folder()) as folder:
        assignment_folder, submission_folder = (
            Path(folder, "assignment"),
            Path(folder, "submission"),
        )
        output = Path(folder, "out")
        _write(assignment_folder, assignment)
        _write(submission_folder, submission)
        run_in_folders(assignment_folder, submission_folder, output, limits)
        return read(output)


def run_in_folders(assignment: Path, submission: Path, output: Path, limits: RunLimits) -> Result:
    """Fork a grader for a submission in a folder, and collect what it wrote.

    ``output`` then holds ``result.json`` and ``graded.ipynb``, or only ``no_sandbox.txt``, which
    says why this machine cannot run the sandbox.
    """
    from softlookup_coursework.grading.forked_grader import fork_grader
    from softlookup_coursework.sandbox.sandbox import NoSandbox

    try:
        result = fork_grader(assignment, submission, output, limits)
    except NoSandbox as error:
        (output / result_files.RESULT).unlink(missing_ok=True)
        (output / result_files.NO_SANDBOX).write_text(str(error), encoding="utf-8")
        return Result(Verdict.NEEDS_A_HUMAN, "this machine cannot run the sandbox")
    refused = submission / REFUSED
    if refused.is_file():
        result = _with_reason(result, refused.read_text(encoding="utf-8").strip())
        result.write(output / result_files.RESULT)
    return result


def _with_reason(result: Result, why: str) -> Result:
    """A copy of a result whose verdict is that intake refused the submission, with its reason."""
    cells = tuple(
        replace(
            cell,
            tests=tuple(TestResult(test.name, test.points, 0.0, why) for test in cell.tests),
        )
        for cell in result.cells
    )
    return replace(result, verdict=Verdict.UNREADABLE, why=why, cells=cells)


def _worker_folder() -> str | None:
    """The worker's folder, which dask removes with it; ``None`` outside a worker."""
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
