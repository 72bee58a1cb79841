"""Explains a verdict to the student in sentences: what happened, and what to do now."""

import json
from collections.abc import Set
from pathlib import Path

from softlookup_coursework.common.display_text import number, one_line
from softlookup_coursework.common.verdicts import Result, Verdict

# A refusal with one of these says that something else than a notebook was handed in.
NO_NOTEBOOK = "no notebook was handed in"
NOT_OPENED = "a packed file is not opened"
KEPT = "You keep the points that you earned before that."
WHAT = {
    Verdict.TIMED_OUT: ("It took too long", f"Your notebook took too long: {{why}}. {KEPT}"),
    Verdict.OUT_OF_MEMORY: (
        "It needed too much memory",
        f"Your notebook asked for more memory than the grader gives: {{why}}. {KEPT}",
    ),
    Verdict.TOO_MUCH_OUTPUT: (
        "It gave back too much",
        f"Your notebook gave back or wrote more than the grader keeps: {{why}}. {KEPT}",
    ),
    Verdict.UNREADABLE: (
        "It could not be read",
        "Your file could not be read as a notebook: {why}. So nothing in it was run.",
    ),
    Verdict.NEEDS_A_HUMAN: (
        "Your teacher has to look at it",
        "Your teacher has to look at this before the mark is final: {why}.",
    ),
}
LOOKED_AT = ("Your teacher has looked at it", "Your teacher has looked at this: {why}.")
DO = {
    Verdict.TIMED_OUT: "Look there for a loop that does not end, or for work that is larger than "
    "the task asks for. Restart your kernel and run all cells: where it keeps you waiting, it "
    "kept the grader waiting too.",
    Verdict.OUT_OF_MEMORY: "Look there for an array that is larger than the task needs, or a list "
    "that only grows. Printing the shape of what you make often shows it.",
    Verdict.TOO_MUCH_OUTPUT: "Look there for an answer that is a long text in place of numbers, or "
    "for files that are written in a loop.",
    Verdict.UNREADABLE: "Open the file in JupyterLab. If it does not open there, take the newest "
    "copy that does and save it again. Then ask your teacher whether you may hand in that .ipynb "
    "file.",
    Verdict.NEEDS_A_HUMAN: "There is nothing that you have to do. If you know how it came about, "
    "tell them.",
}

DO_OTHERWISE = (
    "What is needed is the notebook itself: the file whose name ends in .ipynb, and no .docx, .py, "
    ".html or .zip that was made of it. JupyterLab shows it in its list of files, and Colab gives "
    "it out under File, Download, Download .ipynb. Ask your teacher whether you may hand it in now."
)


def explain(result: Result, decided: Set[str] = frozenset()) -> tuple[str, str, str]:
    """A headline, what happened, and what to do about it (empty if there is nothing to do).

    Args:
        result: of a submission.
        decided: the names of the cells to which a person gave points.
    """
    why = one_line(result.why, 300).rstrip(".")
    if result.verdict in WHAT:
        if result.verdict == Verdict.NEEDS_A_HUMAN and not result.asks(decided):
            return LOOKED_AT[0], LOOKED_AT[1].format(why=why), ""
        headline, what = WHAT[result.verdict]
        do = DO_OTHERWISE if NO_NOTEBOOK in why or NOT_OPENED in why else DO[result.verdict]
        return headline, what.format(why=why or "it does not say why"), do
    if why:
        stopped = f"Your notebook stopped before its end: {why}. {KEPT}"
        do = (
            "Look for what ends the program there, such as exit() or a crash. Restart your kernel "
            "and run all cells: it should come to the last one."
        )
        return "It stopped before its end", stopped, do
    tests = [test for cell in result.cells for test in cell.tests]
    passed = sum(test.earned >= test.points for test in tests)
    ran = "Your notebook ran from top to bottom"
    if passed == len(tests):
        return "Graded", f"{ran}, and every test passed.", ""
    many = f"{passed or 'None'} of {'' if passed else 'the '}{len(tests)} tests passed"
    others = "each of the others" if passed else "each"
    do = "Begin with the first message below. The later ones often go away with it."
    if result.doubt:
        decides = "decides" if result.undecided(decided) else "has decided"
        many += f", and on some of the others your teacher {decides}"
    return "Graded", f"{ran}. {many}; {others} says below what it found.", do


def summary(result: Result) -> str:
    """The verdict and the tests' points in one sentence, for tables and lists."""
    earned = f"{number(result.earned)} of {number(result.points_of_tests)} points from the tests"
    why = one_line(result.why, 300)
    return f"{result.verdict}, {earned}" + (f": {why}" if why else "")


def test_label(name: str) -> tuple[str, bool]:
    """A test's name as words, and whether the test is hidden."""
    file, _, function = name.rpartition(".")
    return one_line(function.replace("_", " "), 100), file == "hidden"


def assignment_title(course: Path, name: str) -> str:
    """An assignment's title from its notebook's metadata, or from its name if there is none."""
    path = course / "assignments" / name / f"{name}.ipynb"
    try:
        metadata = json.loads(path.read_text(encoding="utf-8"))["metadata"]
        return str(metadata["softlookup"]["title"])
    except (OSError, ValueError, KeyError, TypeError):
        return name.replace("_", " ").capitalize()
