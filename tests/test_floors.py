"""A file of the library imports only from floors below its own, as CONTRIBUTING.md draws them."""

import ast
import graphlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LIBRARY = ROOT / "lib" / "softlookup"
ROWS = re.findall(r"^\| (ground|\d) \| (.+) \|$", (ROOT / "CONTRIBUTING.md").read_text(), re.M)
FLOORS = {
    file: int(floor.replace("ground", "0"))
    for floor, files in ROWS
    for file in re.findall(r"`(\w+)`", files)
}
# Beside the house. Data and figures take arrays and no model, so they use themselves alone.
BESIDE = {"data": {"data"}, "figures": {"figures"}, "exercises": {"exercises", "data", *FLOORS}}
MODULES = {
    ".".join(path.relative_to(LIBRARY).with_suffix("").parts): path
    for path in LIBRARY.rglob("*.py")
    if path.name != "__init__.py"
}


def imports(path):
    """The modules of the library that a file imports, such as ``data.vocabulary``."""
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        names = [alias.name for alias in node.names]
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} imports relatively; name the module in full"
            names = [node.module, *(f"{node.module}.{name}" for name in names)]
        local = (name.removeprefix("softlookup.") for name in names if "softlookup" in name)
        yield from (name for name in local if name in MODULES)


def may_import(module, other):
    """Whether the floors let ``module`` import ``other``."""
    room, other_room = module.split(".")[0], other.split(".")[0]
    if room in BESIDE:
        return other_room in BESIDE[room]
    if room == other_room:
        return "." in module  # the files of a folder use each other
    return other_room in FLOORS and FLOORS[other_room] < FLOORS[room]


@pytest.mark.parametrize("module", sorted(MODULES))
def test_a_file_imports_only_from_below(module):
    room = module.split(".")[0]
    assert room in FLOORS or room in BESIDE, f"{module} is on no floor of CONTRIBUTING.md"
    above = [other for other in imports(MODULES[module]) if not may_import(module, other)]
    assert not above, f"{module} imports {above}, which do not stand below it"


def test_there_are_no_cycles():
    graph = {module: set(imports(path)) for module, path in MODULES.items()}
    assert len([*graphlib.TopologicalSorter(graph).static_order()]) == len(MODULES)
    assert sum(map(len, graph.values())) > len(FLOORS)  # the imports are seen


def test_every_file_on_a_floor_exists():
    assert set(FLOORS) <= {module.split(".")[0] for module in MODULES}


@pytest.mark.parametrize(
    ("module", "other", "allowed"),
    [
        ("multi_head", "attention", True),
        ("attention", "multi_head", False),
        ("attention", "masks", False),
        ("gpt", "transformer", False),
        ("training", "gpt", True),
        ("training", "data.numerals", False),
        ("pretrained.gpt2", "gpt", True),
        ("pretrained.gpt2", "pretrained.files", True),
        ("pretrained.gpt2", "training", False),
        ("gpt", "pretrained.files", False),
        ("figures.weights", "attention", False),
        ("exercises.chapter_04", "multi_head", True),
        ("data.numerals", "data.vocabulary", True),
        ("data.numerals", "gpt", False),
    ],
)
def test_the_rule_itself(module, other, allowed):
    assert may_import(module, other) == allowed
