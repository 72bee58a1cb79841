"""Whether points may have been lost to the machine that graded, and not to the student's answers.

A notebook that ran at home may fail elsewhere: a package, a device or a file is missing, or the
Python is older. The student could not see it, so the teacher is told.
"""

import re
from collections.abc import Iterable

from softlookup_coursework.common.verdicts import TestResult

ABSENT = re.compile(r"No module named '([\w.]{1,40})")
DEVICE = re.compile(
    r"not compiled with CUDA|no NVIDIA driver|MPS backend|CUDA error", re.IGNORECASE
)
FAILED = re.compile(r"cell \d+: \w")
UNDEFINED = re.compile(r"NameError: name|NameError: \w+ is not defined|ImportError")
# Words that stand in what a student is told of a forbidden name.
FORBIDDEN = "which does for you what this exercise asks you to write; write it out"


def lost_to_the_machine(lost: Iterable[TestResult], notes: Iterable[str]) -> str:
    """What a person should know of points that may have been lost to the machine; or nothing.

    Args:
        lost: the tests that lost points.
        notes: of the run, with the error of each cell that failed.
    """
    messages, notes = " ".join(test.message for test in lost), [*notes]
    if absent := ABSENT.search(" ".join([*notes, messages])):
        return f"it needs {absent[1]}, which is not installed where this was graded"
    if device := DEVICE.search(messages):
        return f"its answers ask for a device that is not there where this was graded ({device[0]})"
    failed = next(filter(FAILED.match, notes), "")
    if failed and UNDEFINED.search(messages):
        return f"something that a test needs is not defined, and this failed here: {failed}"
    return ""
