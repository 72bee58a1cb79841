"""What a teacher should know of points that were lost for another reason than a wrong answer.

A notebook that ran at home may fail elsewhere: a package, a device or a file is missing, or the
Python is older. The student could not see it. And a forbidden name costs points that the answer
may deserve.
"""

import re
from collections.abc import Iterable

from softlookup.course.student_code.objections import REFUSED

from softlookup_coursework.common.verdicts import TestResult
from softlookup_coursework.grading.newer_python import NEWER
from softlookup_coursework.sandbox.inside.lacking import DEVICE

ABSENT = re.compile(r"No module named '([\w.]{1,40})")
FAILED = re.compile(r"cell \d+: \w")
UNDEFINED = re.compile(r"NameError: name|NameError: \w+ is not defined|ImportError")


def why_lost(lost: Iterable[TestResult], notes: Iterable[str]) -> str:
    """Why points were lost, if it may not be the answers' fault; otherwise nothing.

    Args:
        lost: the tests that lost points.
        notes: of the run, with the error of each cell that failed.
    """
    told, notes = [test.message for test in lost], [*notes]
    messages = " ".join(told)
    if not told:
        return ""
    # A package that only a cell lacked, such as Colab's first one, matters where a name is missing.
    searched = [*notes, messages] if UNDEFINED.search(messages) else told
    if absent := ABSENT.search(" ".join(searched)):
        return f"it needs {absent[1]}, which is not installed where this was graded"
    if device := DEVICE.search(messages):
        return f"its answers ask for a device that this machine does not have ({device[0]})"
    failed = next(filter(FAILED.match, notes), "")
    if failed and UNDEFINED.search(messages):
        newer = "".join(f"; {note}" for note in notes if NEWER in note)
        return f"something that a test needs is not defined, and this failed here: {failed}{newer}"
    refused = next((message for message in told if REFUSED in message), "")
    return f"points are lost to what is forbidden: {refused}" if refused else ""
