"""The grader executes no student code, and imports almost nothing of the library."""

import ast
from pathlib import Path

import pytest

GRADER = Path(__file__).parents[2] / "lib" / "softlookup_coursework"
MODULES = sorted(path for path in GRADER.rglob("*.py") if path.name != "__init__.py")
# What the sandbox and the grader share: the protocol, the step that both make before they fork, and
# the words by which an error tells that a machine lacks something.
SHARED = {"frames", "trees", "first_step", "lacking"}


def name_of(path):
    """A file's name, relative to the grader's package."""
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
def test_the_grader_imports_next_to_nothing_of_the_library(path):
    library = {name for name in imported(path) if name.partition(".")[0] == "softlookup"}
    if path.stem == "preload":
        assert library  # it preloads what students import
    else:
        assert library <= {
            "softlookup.course.exercises.verdict",
            "softlookup.course.student_code.cell_sources",
            "softlookup.course.student_code.forbidden_names",
            "softlookup.course.student_code.objections",
            "softlookup.course.student_code.source_checks",
        }


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_both_sides_of_the_sandbox_share_next_to_nothing(path):
    inside = "softlookup_coursework.sandbox.inside"
    names = {name.removeprefix(f"{inside}.") for name in imported(path) if name.startswith(inside)}
    assert names <= SHARED
    if path.parent.name == "inside":
        assert not {n for n in imported(path) if n.startswith("softlookup_coursework")}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_the_grader_has_no_call_that_executes_student_code(path):
    calls = {
        getattr(node.func, "id", getattr(node.func, "attr", ""))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
    }
    runs = {"exec", "eval", "exec_module", "import_module", "run_path", "__import__"}
    # An assignment's tests and its solution are the teacher's own; the shell is in the sandbox.
    allowed = {"assignment": {"exec_module"}, "own_process": {"exec"}, "shell": {"exec"}}
    assert calls & runs <= allowed.get(path.stem, set())
    assert not {"pickle", "marshal", "shelve", "joblib", "dill"} & set(imported(path))


def test_the_teachers_own_process_is_reached_by_checking_alone():
    own = "softlookup_coursework.checking"
    users = {name_of(path) for path in MODULES if any(n.startswith(own) for n in imported(path))}
    assert {name.partition(".")[0] for name in users} == {"checking", "commands"}
    assert {name for name in users if name.startswith("commands")} == {"commands.checking"}
