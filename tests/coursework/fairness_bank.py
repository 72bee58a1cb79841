"""The fairness bank: right and wrong answers to every assignment, one file each.

A file in ``fairness/<assignment>/`` lies in ``right``, ``wrong`` or ``own`` (softlookup's own
functions, handed in as they are). It opens with what the answers must get::

    # earns: 7
    # fails: pattern_is_right | transposed

``earns`` is a number, or ``all``; there is one ``fails`` for each test that fails, with the test's
name and words that its message contains. Then come the cells: ``# %% pattern`` answers the cell of
that name, ``# %% essay markdown`` a written one, ``# %% +`` is a further cell of the student's at
that place (``# %% + markdown`` if it is a text). What is not named is answered as the assignment's
own solution does; ``# %% pattern differs`` answers as it does, too, but that what follows a ``-``
is exchanged for what follows a ``+``. The files are templates, like the assignment, for the values
of the term.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from softlookup_coursework.assignments import source
from softlookup_coursework.assignments.term import Term

BANK = Path(__file__).parent / "fairness"
TERM = Term("fairness")
PATHS = sorted(BANK.glob("*/*/*.py"))
MARK = re.compile(r"^# %%[ ]*(\S+)(?:[ ]+(markdown|differs))?[ ]*$", re.M)


@dataclass(frozen=True)
class Answers:
    """A submission of the bank, and the marks that it must get.

    Attributes:
        earns: the points from tests; ``None`` for all of them.
        fails: the words that each failing test says, by the test's name without its file's.
        cells: name (``+`` for a further cell), kind and source.
    """

    earns: float | None
    fails: dict[str, str]
    cells: tuple[tuple[str, str, str], ...]


def read(path, parameters):
    """Read a file of the bank, with the term's values filled in."""
    text = source._fill(path.read_text(encoding="utf-8"), parameters, str(path))
    head, *parts = MARK.split(text)
    (earns,) = re.findall(r"^# earns: (\S+)$", head, re.M)
    fails = dict(re.findall(r"^# fails: (\w+) \| (.+)$", head, re.M))
    assert len(fails) == head.count("# fails:"), f"{path}: a line of `fails` is malformed"
    cells = [
        (name, kind or "code", body.strip("\n"))
        for name, kind, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    ]
    return Answers(None if earns == "all" else float(earns), fails, tuple(cells))


def render(name, folder, term=TERM):
    """The folder of a term's assignment, and what the term drew."""
    source.render(source.find(name), folder, term)
    return json.loads((folder / "term.json").read_text(encoding="utf-8"))["parameters"]


def notebook(assignment):
    """The notebook of a rendered assignment."""
    return json.loads(next(assignment.glob("*.ipynb")).read_text(encoding="utf-8"))


def grade_id(cell):
    """The name of a cell; empty for one of the student's own."""
    return cell["metadata"].get("nbgrader", {}).get("grade_id", "")


def exchanged(solution, differences):
    """A solution with each text after ``-`` exchanged for the one after the ``+`` that follows.

    Several lines of a sign are one text of several lines; an empty line ends a difference.
    """
    for difference in re.split(r"\n(?:[ ]*\n)+", differences.strip()):
        old, new = (
            "\n".join(line[1:] for line in difference.splitlines() if line.startswith(sign))
            for sign in "-+"
        )
        assert solution.count(old) == 1, f"{old!r} occurs {solution.count(old)} times in it"
        solution = solution.replace(old, new)
    return solution


def hand_in(assignment, cells, folder):
    """Write a submission: the assignment with its solutions, and these cells in their place.

    Args:
        assignment: the rendered assignment's folder.
        cells: as in ``Answers``.
        folder: where the submission goes, as intake leaves it.
    """
    stored = notebook(assignment)
    listed = stored["cells"]
    names = [name for name, _, _ in cells if name != "+"]
    unknown = set(names) - {grade_id(cell) for cell in listed}
    assert not unknown, f"the assignment has no cells {sorted(unknown)}"
    assert len(names) == len(set(names)), "a cell is answered twice"
    at = next(n for n, cell in enumerate(listed) if not names or grade_id(cell) == names[0])
    for name, kind, text in cells:
        if name == "+":
            own = {"cell_type": kind, "metadata": {}, "source": text}
            listed.insert(at, own if kind == "markdown" else {**own, **EMPTY})
            at += 1
            continue
        place = next(n for n, cell in enumerate(listed) if grade_id(cell) == name)
        if kind == "differs":
            kind, text = "code", exchanged(listed[place]["source"], text)
        assert listed[place]["cell_type"] == kind, f"{name} is no {kind} cell"
        listed[place]["source"] = text
        at = place + 1
    folder.mkdir(parents=True)
    (folder / "notebook.ipynb").write_text(json.dumps(stored), encoding="utf-8")
    return folder


EMPTY = {"outputs": [], "execution_count": None}
