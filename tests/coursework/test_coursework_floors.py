"""A file of the grader imports only from floors below its own, as CONTRIBUTING.md draws them."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GRADER = ROOT / "lib" / "softlookup_coursework"
NAMES = ["cellar", "first", "second", "third", "fourth", "fifth", "sixth", "seventh"]
NAMES += ["eighth", "ninth", "tenth"]
ROWS = re.findall(
    rf"^\| ({'|'.join(NAMES)}) \| (.+) \|$", (ROOT / "CONTRIBUTING.md").read_text(), re.M
)
FLOORS = {file: NAMES.index(name) for name, files in ROWS for file in re.findall(r"`(\w+)`", files)}
MODULES = sorted(path for path in GRADER.rglob("*.py") if path.name != "__init__.py")


def imported(path):
    """What a file imports, each name in full, with a leading dot for a relative one."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            ours = module in ("softlookup_coursework", "softlookup_coursework.inside")
            yield from (f"{module}.{alias.name}" for alias in node.names) if ours else [module]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_a_file_imports_only_from_below(path):
    for name in imported(path):
        first, *rest = name.split(".")
        if path.parent.name == "inside":
            ours = first.startswith("softlookup")
            # What students import is imported for them; what grades them is not there.
            taught = first == "softlookup" and path.stem == "preload"
            assert first == "" or not ours or taught, f"{path.name} imports {name}"
        elif first == "softlookup":
            assert name == "softlookup.exercises.verdict"
        elif first == "softlookup_coursework":
            shared = rest in (["inside", "frames"], ["inside", "trees"])
            # The files of a folder stand on its floor, and import one another.
            house = path.parent.name if path.parent != GRADER else path.stem
            within = path.parent != GRADER and rest[0] == house
            at_home = shared or within
            assert at_home or FLOORS[rest[0]] < FLOORS[house], f"{path.name} imports {name}"


def test_every_file_has_its_floor():
    files = {path.stem for path in MODULES if path.parent == GRADER}
    folders = {path.parent.name for path in MODULES} - {GRADER.name, "inside"}
    assert set(FLOORS) == files | folders


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
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
