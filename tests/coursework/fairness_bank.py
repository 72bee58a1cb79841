"""The project's own bank of answers: right and wrong ones to every assignment, one file each.

They lie in ``fairness/<assignment>/``; ``checking.bank`` says what such a file holds.
"""

from pathlib import Path

from softlookup_coursework.assignments import source
from softlookup_coursework.assignments.term import Term
from softlookup_coursework.checking import bank
from softlookup_coursework.checking.checks import Rendered

BANK = Path(__file__).parent / "fairness"
TERM = Term("fairness")
PATHS = [path for folder in sorted(BANK.iterdir()) for path in bank.files(folder)]


def render(name, folder, term=TERM):
    """An assignment of the course as a term has it."""
    return Rendered.make(source.find(name), folder, term)
