"""A file imports from its own folder and from those that its row in CONTRIBUTING.md names."""

import ast
import re
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DESIGN = (ROOT / "CONTRIBUTING.md").read_text()


def rows(package):
    """The folders of a package in order, each with those from which it may import."""
    table = DESIGN.partition(f"| folder of `{package}` |")[2].partition("\n\n")[0]
    found = re.findall(r"^\| `([\w.]+)` \| .+ \| (.+) \|$", table, re.M)
    return {folder: re.findall(r"`([\w.]+)`", others) for folder, others in found}


def folder_of(module, folders):
    """The innermost folder in which a module lies."""
    within = [folder for folder in folders if f"{module}.".startswith(f"{folder}.")]
    return max(within, key=len, default=None)


def files(package):
    """The files of a package, each by its name from the package down."""
    top = ROOT / "lib" / package
    return {
        ".".join(path.relative_to(top).with_suffix("").parts): path
        for path in sorted(top.rglob("*.py"))
        if path.name != "__init__.py"
    }


def imported(source, package, modules):
    """The modules of a package that a piece of source imports, wherever in it."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {name.removeprefix(f"{package}.") for name in names} & set(modules)


def faults(source, module, package, modules):
    """What a file imports and may not."""
    folders = rows(package)
    own = folder_of(module, folders)
    allowed = {own, *folders.get(own, [])}
    return {
        other
        for other in imported(source, package, modules)
        if folder_of(other, folders) not in allowed
    }


PACKAGES = ("softlookup", "softlookup_coursework")


@pytest.mark.parametrize("package", PACKAGES)
def test_each_folder_has_a_row_and_imports_from_above(package):
    folders = rows(package)
    order = [*folders]
    for place, (folder, others) in enumerate(folders.items()):
        assert set(others) <= set(order[:place]), f"{folder} names a folder that is not above it"
    homes = {folder_of(module, folders) for module in files(package)}
    assert homes == set(folders), "a file without a folder, or a row without files"


@pytest.mark.parametrize("package", PACKAGES)
def test_each_file_imports_only_what_its_row_allows(package):
    modules = files(package)
    wrong = {
        name: faults(path.read_text(), name, package, modules) for name, path in modules.items()
    }
    assert {name: found for name, found in wrong.items() if found} == {}


@pytest.mark.parametrize("package", PACKAGES)
def test_there_are_no_cycles_and_no_relative_imports(package):
    modules = files(package)
    graph = {name: imported(path.read_text(), package, modules) for name, path in modules.items()}
    TopologicalSorter(graph).prepare()
    assert sum(map(len, graph.values())) > len(rows(package))  # the imports are seen
    for path in modules.values():
        relative = [
            node
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.ImportFrom) and node.level and path.parent.name != "inside"
        ]
        assert not relative, f"{path} imports relatively; name the module in full"


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("layers.attention", "from softlookup.models.gpt import GPT"),
        ("layers.masks", "from softlookup.data import numerals"),
        ("running.training", "def f():\n    import softlookup.models.gpt"),
        ("figures.weights", "from softlookup.layers import attention"),
        ("models.gpt", "from softlookup.pretrained.files import read"),
        ("course.claims", "from softlookup.course.exercises import verdict"),
        ("pretrained.gpt2", "from softlookup.layers import masks"),
    ],
)
def test_a_forbidden_import_is_seen(module, source):
    assert faults(source, module, "softlookup", files("softlookup"))


def test_code_names_chapters_by_their_subject():
    # A number would be wrong as soon as the book is put into another order.
    for folder in ("lib", "book/_ext", "benchmarks"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            found = re.search(r"\b[Cc]hapters?[\s#]+\d", path.read_text())
            assert not found, f"{path.relative_to(ROOT)}: {found[0]!r}"
