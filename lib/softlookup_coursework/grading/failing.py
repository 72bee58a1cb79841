"""Runs one test, and says in words for the student why it fails."""

from softlookup.course.exercises.verdict import Mistake

from softlookup_coursework.assignments.assignment import Test
from softlookup_coursework.sandbox.answers import Fault
from softlookup_coursework.sandbox.channel import Channel, Ended, Remote

# A message names a mistake, and may quote what was asked and what came.
LONGEST_MESSAGE, LONGEST_OF_HIDDEN = 1000, 600
# Of an error in a student's code that a hidden test met, or a test behind one, since the code may
# remember what it was asked: enough to find the line, no array. A letter of another alphabet could
# carry two numbers, so it is written in ASCII.
LONGEST_FAULT_OF_HIDDEN = 160


def failure_of(test: Test, channel: Channel, asked: bool = False) -> str:
    """Run a test, and return the message for the student if it fails; empty if it passes.

    Args:
        test: the test.
        channel: to the kernel with the student's answers.
        asked: whether a hidden test has asked this kernel before.
    """
    guarded = asked or test.hidden
    longest = LONGEST_OF_HIDDEN if guarded else LONGEST_MESSAGE
    try:
        test.run(*(Remote(channel, name) for name in test.takes))
    except (Mistake, AssertionError) as mistake:
        message = str(mistake) or "the answer is wrong"
    except Fault as fault:
        message, longest = str(fault), LONGEST_FAULT_OF_HIDDEN if guarded else longest
    except Ended:
        ended = channel.sandbox.end_reason()
        message = f"no answer: {ended[1] if ended else 'the kernel ended itself'}"
    except Exception as error:
        # The answer has a form that the test did not expect, such as None in place of an array.
        message = f"your answer cannot be compared: {type(error).__name__}: {error}"
        longest = LONGEST_FAULT_OF_HIDDEN if guarded else longest
    else:
        return ""
    if longest == LONGEST_FAULT_OF_HIDDEN:
        message = message.encode("ascii", "backslashreplace").decode()
    return message if len(message) <= longest else f"{message[: longest - 1]}…"
