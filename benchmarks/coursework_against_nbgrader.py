"""Submissions a minute: the course's grader beside plain ``nbgrader autograde``, in one run.

    python benchmarks/coursework_against_nbgrader.py        # 100 submissions; keeps the figures
    python benchmarks/coursework_against_nbgrader.py 6      # as many as one likes; keeps nothing

Both grade the same answers to the same assignment. For nbgrader the tests stand in the notebook,
hidden ones too, and raise where ours report: that is what it grades by. It takes one submission
after the other and encloses none; ours takes two at once, on two cores, each in a sandbox. What is
printed is a ratio, which carries over from machine to machine far better than minutes do.
"""

import sys
import tempfile
from pathlib import Path

from coursework_class import COMMAND, Ran, course_with, hand_in, keep, run, solved
from nbgrader.api import Gradebook
from softlookup_coursework.assignments.assignment import Assignment
from softlookup_coursework.assignments.course import Course
from softlookup_coursework.common.verdicts import Result

import nbformat  # isort: skip

NAME = "attention_and_masks"
WORKERS = 2
CONFIG = """c = get_config()
c.CourseDirectory.root = {root!r}
c.ExecutePreprocessor.timeout = 120
"""


def tests_inside(course: Course) -> dict:
    """The assignment as nbgrader takes it: every test a cell of the notebook, and none hidden."""
    folder = course.folder / "assignments" / NAME
    cells = {cell.name: cell for cell in Assignment.load(folder).cells}
    notebook = solved(course, NAME)
    for cell in notebook["cells"]:
        given = cells.get(cell["metadata"].get("nbgrader", {}).get("grade_id"))
        if given and given.name == "checks":
            lines = ["import types, torch"]
            for file in sorted((folder / "tests").glob("*.py")):
                # As modules, since a name may stand in both files.
                text = file.read_text(encoding="utf-8")
                lines += [f"{file.stem} = types.ModuleType({file.stem!r})"]
                lines += [f"exec({text!r}, vars({file.stem}))"]
            cell["source"] = "\n".join(lines)
        elif given and given.tests:
            calls = [
                f"torch.manual_seed(0)\n{test.name}("
                + ", ".join([*test.takes, *(f"{k}={v!r}" for k, v in test.term.items())])
                + ")"
                for test in given.tests
            ]
            cell["source"] = "\n".join(calls)
    return notebook


def by_nbgrader(notebook: dict, number: int, folder: Path) -> tuple[Ran, list[float]]:
    """Grade copies of a notebook by nbgrader; what it took, and the marks."""
    folder.mkdir()
    (folder / "nbgrader_config.py").write_text(CONFIG.format(root=str(folder)))
    program = [sys.executable, "-m", "nbgrader"]
    text = nbformat.writes(nbformat.from_dict(notebook))
    for place in ("source", *(f"submitted/student_{n:02}" for n in range(number))):
        path = folder / place / NAME / f"{NAME}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    made = run([*program, "generate_assignment", NAME], folder)
    if made.status:
        raise RuntimeError(made.printed)
    ran = run([*program, "autograde", NAME], folder)
    with Gradebook(f"sqlite:///{folder}/gradebook.db") as gradebook:
        marks = [one.score for one in gradebook.assignment_submissions(NAME)]
    return ran, marks


def by_us(course: Course, number: int) -> tuple[Ran, list[float]]:
    """Grade copies of the solved notebook by the course's grader; what it took, and the marks."""
    text = nbformat.writes(nbformat.from_dict(solved(course, NAME)))
    for n in range(number):
        hand_in(course, NAME, f"student_{n:02}", text)
    ran = run([*COMMAND, "grade", NAME, "--workers", str(WORKERS)], course.folder)
    results = sorted((course.folder / "results" / NAME).glob("*/result.json"))
    return ran, [Result.read(path).earned for path in results]


def main(number: int) -> dict[str, float]:
    """Grade by both, see that the marks are the same, print what it took, and return the figures.

    Raises:
        RuntimeError: if a mark of either is not the full one.
    """
    with tempfile.TemporaryDirectory() as folder:
        course = course_with(NAME, Path(folder, "ours"))
        most = sum(c.points for c in Assignment.load(course.assignment(NAME)).cells if c.tests)
        theirs, their_marks = by_nbgrader(tests_inside(course), number, Path(folder, "theirs"))
        ours, our_marks = by_us(course, number)
    if their_marks != [most] * number or our_marks != [most] * number:
        raise RuntimeError(f"marks differ: {their_marks}, {our_marks}; expected {most} each")
    for name, ran in (("nbgrader autograde", theirs), ("softlookup-coursework grade", ours)):
        print(
            f"{name:<28}{60 * number / ran.seconds:6.1f} submissions a minute, "
            f"{ran.seconds / number:.2f} s each; at most {ran.peak_bytes / 2**20:,.0f} MiB in all"
        )
    figures = {
        "submissions": number,
        "workers": WORKERS,
        "ratio": round(theirs.seconds / ours.seconds, 2),
        "MiB a worker": round(ours.peak_bytes / 2**20 / WORKERS),
    }
    print(figures)
    return figures


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(int(sys.argv[1]))
    else:
        keep("against nbgrader", main(100))
