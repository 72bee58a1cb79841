"""The grader runs nothing that a student wrote, and imports next to nothing of the library."""

import ast
from pathlib import Path

import pytest

GRADER = Path(__file__).parents[2] / "lib" / "softlookup_coursework"
MODULES = sorted(path for path in GRADER.rglob("*.py") if path.name != "__init__.py")
# What the sandbox and the grader must both know: how an answer is written.
SHARED = {"frames", "trees"}


def name_of(path):
    """A file's name, from the grader down."""
    return ".".join(path.relative_to(GRADER).with_suffix("").parts)


def imported(path):
    """What a file imports, each name in full, with a leading dot for a relative one."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            folder = node.level == 0 and GRADER.parent.joinpath(*module.split(".")).is_dir()
            yield from (f"{module}.{alias.name}" for alias in node.names) if folder else [module]


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_only_the_verdict_is_taken_from_the_library(path):
    library = {name for name in imported(path) if name.partition(".")[0] == "softlookup"}
    if path.stem == "preload":
        assert library  # what students import is imported for them
    else:
        assert library <= {"softlookup.course.exercises.verdict"}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_of_the_sandbox_s_inside_only_the_wire_is_shared(path):
    inside = "softlookup_coursework.sandbox.inside"
    names = {name.removeprefix(f"{inside}.") for name in imported(path) if name.startswith(inside)}
    assert names <= SHARED
    if path.parent.name == "inside":
        assert not {n for n in imported(path) if n.startswith("softlookup_coursework")}


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
