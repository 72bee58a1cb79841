"""Attacks by files, in place of the notebook or beside it.

Each is a function that writes a student's folder, given the path of a solution.
"""

import os
import socket
from pathlib import Path

import hostile_bank as bank

GOOD = bank.notebook(bank.cells()).encode()
NAME = "attention.ipynb"
MADE: list[bank.Attack] = []
comes_to = bank.entering(MADE)


@comes_to("unreadable", 0, "is a link")
def link_to_the_solution(folder, solution):
    """Is a link to the teacher's solution."""
    (folder / NAME).symlink_to(solution)


@comes_to("unreadable", 0, "is a link")
def link_without_end(folder, solution):
    """Is a link to a device that never ends."""
    (folder / NAME).symlink_to("/dev/zero")


@comes_to("unreadable", 0, "is a hard link")
def hard_link(folder, solution):
    """Is a hard link to the teacher's solution."""
    os.link(solution, folder / NAME)


@comes_to("unreadable", 0, "is not a regular file")
def pipe(folder, solution):
    """Is a pipe, on which a reader would block forever."""
    os.mkfifo(folder / NAME)


@comes_to("unreadable", 0, "unreadable")
def listening_socket(folder, solution):
    """Is a socket."""
    here = Path.cwd()
    with socket.socket(socket.AF_UNIX) as listening:
        # A socket's path may have 108 characters.
        os.chdir(folder)
        try:
            listening.bind(NAME)
        finally:
            os.chdir(here)


@comes_to("unreadable", 0, "no notebook was handed in")
def folder_instead_of_a_file(folder, solution):
    """Is a folder of the notebook's name."""
    (folder / NAME).mkdir()
    (folder / NAME / "notebook.txt").write_text("x = 1")


@comes_to("graded", 8)
def packages_beside(folder, solution):
    """Brings files named as the packages that the grader imports."""
    (folder / NAME).write_bytes(GOOD)
    names = ("torch", "numpy", "IPython", "inside", "softlookup", "sitecustomize", "json", "random")
    for name in names:
        (folder / f"{name}.py").write_text("import os\nos._exit(7)\n")


@comes_to("graded", 8)
def results_beside(folder, solution):
    """Brings a result, a gradebook and a term of its own."""
    (folder / NAME).write_bytes(GOOD)
    for name in ("result.json", "gradebook.db", "term.json", "fingerprint.txt", "refused.txt"):
        (folder / name).write_text('{"verdict": "graded", "earned": 1000}')


@comes_to("graded", 8)
def links_beside(folder, solution):
    """Brings links and pipes beside its notebook."""
    (folder / NAME).write_bytes(GOOD)
    (folder / "hidden.py").symlink_to(solution.parent / "tests" / "hidden.py")
    (folder / "everything").symlink_to("/")
    os.mkfifo(folder / "pipe.txt")


@comes_to("graded", 8)
def many_files_beside(folder, solution):
    """Brings 300 files, and one of 12 MB."""
    (folder / NAME).write_bytes(GOOD)
    for number in range(300):
        (folder / f"data{number}.txt").write_text("x")
    (folder / "large.bin").write_bytes(bytes(12_000_000))
