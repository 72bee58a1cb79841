"""A teacher's private part: what the public repository does not hold, laid over what it does.

A private part is a folder, or an installed package, with a folder for each assignment::

    <name>/<name>.ipynb, parameters.py, rubric.md   in place of the public file of that name
    <name>/tests/hidden.py, visible.py              likewise
    <name>/solutions/<cell>.py or .md               the solution of that cell
    <name>/answers/right, wrong, own                answers for the command `check`; never released

An assignment of a new name brings all of its files; one of a public name brings what it likes.
"""

import importlib.util
import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from softlookup_coursework.assignments import source

NEEDED = ("parameters.py", "tests/visible.py", "tests/hidden.py")
KNOWN = {"parameters.py", "rubric.md", "README.md", "tests", "solutions", "answers"}
TESTS = {"visible.py", "hidden.py"}
BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"


def find(place: str) -> Path:
    """The folder of a private part.

    Args:
        place: a folder's path, or the name of an installed package.

    Raises:
        ValueError: if there is neither.
    """
    if Path(place).is_dir():
        return Path(place)
    found = importlib.util.find_spec(place) if place.isidentifier() else None
    if found and found.submodule_search_locations:
        return Path(found.submodule_search_locations[0])
    raise ValueError(f"{place}: expected a folder, or the name of an installed package")


def names(part: Path) -> list[str]:
    """The assignments of which a private part has something."""
    hidden = ("_", ".")
    return sorted(p.name for p in part.iterdir() if p.is_dir() and not p.name.startswith(hidden))


@contextmanager
def whole(name: str, part: Path | None = None) -> Iterator[Path]:
    """An assignment's whole source, with its private part laid over the public one.

    Args:
        name: one of the course's or of the private part's, or the path of a whole source.
        part: the private part.

    Yields:
        The folder of the source; a temporary one, if there is a private part.

    Raises:
        ValueError: if there is no such assignment, or its private part is malformed.
    """
    own = _own(name, part)
    if own is None:
        yield source.find(name)
        return
    name = own.name
    with tempfile.TemporaryDirectory() as temporary:
        merged = Path(temporary, name)
        lay_over(source.SOURCES / name, own, merged)
        yield merged


def _own(name: str, part: Path | None) -> Path | None:
    """An assignment's folder in a private part; ``None`` if it has none there.

    A path is that of a whole source, unless it is the path of a folder of this very part.
    """
    if part is None:
        return None
    own = part / Path(name).name
    plain = own.name == name or Path(name).resolve() == own.resolve()
    return own if own.name and plain and own.is_dir() else None


def lay_over(public: Path, own: Path, destination: Path) -> None:
    """Write a public source with a private part laid over it.

    Args:
        public: the folder of the public source; it need not exist.
        own: the assignment's folder in the private part.
        destination: a folder that is created.

    Raises:
        ValueError: if a file of the private part would have no effect, or one is lacking.
    """
    name = own.name
    _refuse_unknown(own)
    litter = ("__pycache__", ".*")
    if public.is_dir():
        shutil.copytree(public, destination, ignore=shutil.ignore_patterns(*litter))
    kept = shutil.ignore_patterns(*litter, "solutions", "answers", "README.md")
    shutil.copytree(own, destination, ignore=kept, dirs_exist_ok=True)
    lacking = [file for file in (f"{name}.ipynb", *NEEDED) if not (destination / file).is_file()]
    if lacking:
        raise ValueError(
            f"{own}: the course has no assignment {name} over which this could lie, so it needs "
            f"{', '.join(lacking)} too"
        )
    _fill_solutions(destination / f"{name}.ipynb", own / "solutions")


def _refuse_unknown(own: Path) -> None:
    """Refuse a file whose name is misspelt: without it, the public one would be in force.

    What is hidden, such as the checkpoints of JupyterLab, is nobody's file.
    """
    known = {f"{own.name}.ipynb", *KNOWN}
    listed = [(path, known) for path in own.iterdir()]
    if (own / "tests").is_dir():
        listed += [(path, TESTS) for path in (own / "tests").iterdir()]
    for path, expected in sorted(listed, key=lambda pair: pair[0]):
        hidden = path.name.startswith((".", "__pycache__"))
        if path.name not in expected and not hidden:
            raise ValueError(
                f"{path}: a private part has no such file; expected some of "
                f"{', '.join(sorted(expected))}"
            )


def _fill_solutions(notebook: Path, solutions: Path) -> None:
    """Put each file of solutions into the cell of its name."""
    files = sorted(solutions.glob("[!.]*"))
    files = [path for path in files if path.name != "__pycache__"]
    stems = [path.stem for path in files]
    for path in files:
        if not path.is_file() or stems.count(path.stem) > 1:
            raise ValueError(f"{path}: expected one file for each answer")
    if not files:
        return
    stored = json.loads(notebook.read_text(encoding="utf-8"))
    cells = {cell["metadata"].get("nbgrader", {}).get("grade_id"): cell for cell in stored["cells"]}
    for path in files:
        cell = cells.get(path.stem)
        if cell is None or not cell["metadata"]["nbgrader"].get("solution"):
            answers = [n for n, c in cells.items() if n and c["metadata"]["nbgrader"]["solution"]]
            raise ValueError(
                f"{path}: the assignment has no such answer; expected one of {', '.join(answers)}"
            )
        cell["source"] = _with_solution(cell, path)
    text = json.dumps(stored, indent=1, ensure_ascii=False)
    notebook.write_text(text + "\n", encoding="utf-8")


def _with_solution(cell: dict[str, Any], path: Path) -> str:
    """A cell's source with a file in place of its solution, or, if it has marks, of all of it."""
    text = path.read_text(encoding="utf-8").rstrip("\n")
    if BEGIN in text:
        return text
    before, begin, rest = "".join(cell["source"]).partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end) or BEGIN in after:
        raise ValueError(
            f"{path}: the cell has {'several solutions' if begin else 'no marked solution'}; write "
            f"the whole cell, with {BEGIN!r} and {END!r} around each"
        )
    indent = before[len(before.rstrip(" ")) :]
    return f"{before}{begin}\n{text}\n{indent}{end}{after}"
