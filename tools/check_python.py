"""Stop with a clear word unless this Python is one that the course is checked with.

The Makefile calls this with whatever Python the system has, before anything is installed, so
it is written for the oldest: no syntax and no module that an old Python lacks.
"""

# ruff: noqa: ANN001, ANN201, PTH100, PTH118, PTH120, PTH123, UP031

import os
import re
import sys


def wanted(pyproject):
    """The least version and the first version too new, from the text of pyproject.toml."""
    found = re.search(r'requires-python = ">=(\d+)\.(\d+),<(\d+)\.(\d+)"', pyproject)
    numbers = [int(number) for number in found.groups()]
    return tuple(numbers[:2]), tuple(numbers[2:])


def refusal(version, pyproject):
    """What to tell the owner of a Python that will not do; None for one that will."""
    least, too_new = wanted(pyproject)
    if least <= tuple(version[:2]) < too_new:
        return None
    return (
        "This is Python %d.%d. The course needs Python %d.%d or newer, and older than %d.%d.\n"
        "Name one that you have, for example: make book PYTHON=python%d.%d"
        % (tuple(version[:2]) + least + too_new + least)
    )


if __name__ == "__main__":
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    with open(os.path.join(root, "pyproject.toml"), "rb") as file:
        message = refusal(sys.version_info, file.read().decode("utf-8"))
    if message:
        sys.exit(message)
