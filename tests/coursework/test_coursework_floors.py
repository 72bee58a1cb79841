"""A file of the grader imports only from rooms above its own, as CONTRIBUTING.md lists them."""

import ast
import re
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GRADER = ROOT / "lib" / "softlookup_coursework"
TABLE = (ROOT / "CONTRIBUTING.md").read_text().partition("| room of the grader |")[2]
CELLAR, *ROWS = re.findall(r"^\| (`?\w+`?) \| (.+) \|$", TABLE.partition("\n\n")[0], re.M)
ORDER = ["cellar", *(name.strip("`") for name, _ in ROWS)]
MODULES = sorted(path for path in GRADER.rglob("*.py") if path.name != "__init__.py")
# What the kernel and the grader must both know: how an answer is written.
SHARED = {"sandbox.inside.frames", "sandbox.inside.trees"}


def name_of(path):
    """A file's name, from the grader down."""
    return ".".join(path.relative_to(GRADER).with_suffix("").parts)


def room_of(name):
    """The room in which a file lies."""
    first = name.partition(".")[0]
    return first if first in ORDER else "cellar"


def imported(path):
    """What a file imports, each name in full, with a leading dot for a relative one."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            folder = GRADER.parent.joinpath(*module.split(".")).is_dir() and node.level == 0
            yield from (f"{module}.{alias.name}" for alias in node.names) if folder else [module]


def ours(path):
    """The grader's files, or folders' own names, that a file imports."""
    for name in imported(path):
        package, _, rest = name.partition(".")
        if package == GRADER.name:
            # What a folder's `__init__` offers is the folder's.
            is_file = GRADER.joinpath(*rest.split(".")).with_suffix(".py").is_file()
            yield rest if is_file else rest.partition(".")[0]


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_file_imports_only_from_above(path):
    if path.parent.name == "inside":
        for name in imported(path):
            # What students import is imported for them; what grades them is not there.
            taught = name.startswith("softlookup.") and path.stem == "preload"
            assert taught or not name.startswith("softlookup"), f"{path.name} imports {name}"
        return
    house = room_of(name_of(path))
    for name in ours(path):
        room = room_of(name)
        assert ORDER.index(room) <= ORDER.index(house), f"{path.name} imports {name}"
        assert name in SHARED or not name.startswith("sandbox.inside"), name
    of_the_library = {n for n in imported(path) if n.split(".")[0] == "softlookup"}
    assert of_the_library <= {"softlookup.exercises.verdict"}


def test_no_file_imports_itself_by_a_detour():
    graph = {name_of(path): set(ours(path)) for path in MODULES}
    TopologicalSorter(graph).prepare()
    assert sum(map(len, graph.values())) > len(graph)  # the imports are seen


def test_every_room_is_listed_and_every_file_has_one():
    folders = {path.name for path in GRADER.iterdir() if (path / "__init__.py").exists()}
    assert folders == set(ORDER) - {"cellar", "command_line"}
    files = {path.stem for path in GRADER.glob("[!_]*.py")}
    assert files == {*re.findall(r"`(\w+)`", CELLAR[1]), "command_line"}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_what_a_student_wrote_is_never_run_on_this_side(path):
    calls = {
        getattr(node.func, "id", getattr(node.func, "attr", ""))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
    }
    runs = {"exec", "eval", "exec_module", "import_module", "run_path", "__import__"}
    # An assignment's tests are the teacher's own.
    allowed = {"exec_module"} if path.stem == "assignment" else set()
    assert calls & runs <= allowed
    assert not {"pickle", "marshal", "shelve", "joblib", "dill"} & set(imported(path))
