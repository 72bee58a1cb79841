"""pyproject.toml, requirements.lock, environment.yml, the workflow and this Python agree."""

import ast
import importlib.metadata
import sys
import tomllib
from collections import defaultdict

import check_python
import lock
import pytest
import yaml
from chapters import ROOT
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

PYPROJECT_TEXT = (ROOT / "pyproject.toml").read_text("utf-8")
PYPROJECT = tomllib.loads(PYPROJECT_TEXT)
LOCK = (ROOT / "requirements.lock").read_text("utf-8")
ENVIRONMENT = (ROOT / "environment.yml").read_text("utf-8")
WORKFLOW = yaml.safe_load((ROOT / ".github/workflows/book.yml").read_text("utf-8"))
PYTHONS = SpecifierSet(PYPROJECT["project"]["requires-python"])


def pinned(requirement):
    (pin,) = requirement.specifier
    assert pin.operator == "==", requirement
    return Version(pin.version)


@pytest.fixture
def locked():
    by_name = defaultdict(list)
    for requirement in lock.requirements(LOCK):
        by_name[canonicalize_name(requirement.name)].append(requirement)
    return by_name


def test_every_direct_dependency_is_locked_within_its_range(locked):
    for requirement in lock.direct(PYPROJECT):
        versions = [pinned(each) for each in locked[canonicalize_name(requirement.name)]]
        assert versions, f"{requirement} is not in the lock: run make lock"
        outside = [version for version in versions if version not in requirement.specifier]
        assert not outside, f"{requirement} is locked at {outside}: run make lock"


def test_each_supported_python_gets_one_version_of_each(locked):
    for minor in range(30):
        python = f"3.{minor}"
        if python not in PYTHONS:
            continue
        where = {
            "python_version": python,
            "python_full_version": f"{python}.9",
            "sys_platform": "linux",
            "platform_machine": "x86_64",
            "platform_python_implementation": "CPython",
            "implementation_name": "cpython",
            "os_name": "posix",
        }
        for name, requirements in locked.items():
            fits = [each for each in requirements if not each.marker or each.marker.evaluate(where)]
            assert len(fits) <= 1, (python, name)
        for requirement in lock.direct(PYPROJECT):
            name = canonicalize_name(requirement.name)
            fits = [each for each in locked[name] if not each.marker or each.marker.evaluate(where)]
            assert len(fits) == 1, (python, name)


def test_the_lock_holds_no_cuda():
    assert not [line for line in LOCK.splitlines() if lock.CUDA_COMPANION.match(line)]
    compiled = "torch==2.13.0\nnvidia-cublas==13.1.0 ; x\ncuda-toolkit==13.0\ntriton==3.7.0\n"
    assert lock.requirements(lock.without_cuda(compiled)) == [Requirement("torch==2.13.0")]


def test_this_environment_is_the_locked_one(locked):
    astray = []
    for requirements in locked.values():
        for requirement in requirements:
            if requirement.marker and not requirement.marker.evaluate():
                continue
            found = importlib.metadata.version(requirement.name)
            # 2.13.0+cpu keeps the pin ==2.13.0.
            if found not in requirement.specifier:
                astray.append(f"{requirement.name} is {found}, locked as {requirement.specifier}")
    assert astray == []


def test_the_environment_for_conda_is_made_from_the_lock():
    assert lock.environment(PYPROJECT, LOCK) == ENVIRONMENT, "run make lock"


def test_the_environment_for_conda_has_the_form_that_conda_reads(locked):
    environment = yaml.safe_load(ENVIRONMENT)
    assert set(environment) == {"name", "channels", "dependencies"}
    python, pip, last = environment["dependencies"]
    assert SpecifierSet(python.removeprefix("python ")) == PYTHONS
    assert pip == "pip"
    options = [line for line in last["pip"] if line.startswith("--")]
    assert options == [
        f"--extra-index-url {lock.CPU_INDEX}",
        "--constraint requirements.lock",
        "--editable .",
    ]
    listed = [Requirement(line) for line in last["pip"] if not line.startswith("--")]
    for requirement in listed:
        assert requirement in locked[canonicalize_name(requirement.name)]
    names = {requirement.name for requirement in listed}
    assert {"jupyter-book", "torch", "matplotlib", "nbval", "numpy"} <= names


def test_the_workflow_runs_supported_pythons_from_the_oldest_to_the_newest():
    matrix = WORKFLOW["jobs"]["check"]["strategy"]["matrix"]["python"]
    assert all(python in PYTHONS for python in matrix)
    supported = [f"3.{minor}" for minor in range(30) if f"3.{minor}" in PYTHONS]
    assert matrix == supported
    assert PYPROJECT["tool"]["ruff"]["target-version"] == "py" + supported[0].replace(".", "")
    assert PYPROJECT["tool"]["mypy"]["python_version"] == supported[0]


@pytest.mark.parametrize(
    ("version", "good"),
    [((2, 7), False), ((3, 10), False), ((3, 11), True), ((3, 13), True), ((3, 14), False)],
)
def test_a_python_that_will_not_do_is_told_so(version, good):
    message = check_python.refusal((*version, 0), PYPROJECT_TEXT)
    assert (message is None) == good
    if not good:
        named = f"Python {version[0]}.{version[1]}"
        assert named in message
        assert "3.11" in message
        assert "3.14" in message


def test_the_least_and_the_newest_python_are_those_of_pyproject():
    least, too_new = check_python.wanted(PYPROJECT_TEXT)
    assert f">={least[0]}.{least[1]},<{too_new[0]}.{too_new[1]}" == str(
        PYPROJECT["project"]["requires-python"]
    )


def test_the_check_of_python_is_written_for_the_oldest():
    source = (ROOT / "tools/check_python.py").read_text("utf-8")
    new = (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.Match, ast.AsyncFunctionDef)
    tree = ast.parse(source)
    assert not [node for node in ast.walk(tree) if isinstance(node, new)]
    assert not [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and (node.returns or any(argument.annotation for argument in node.args.args))
    ]
    assert source.isascii()


def test_whatever_is_imported_is_stated():
    """An import that only comes along with something else breaks when that moves on."""
    stated = {canonicalize_name(requirement.name) for requirement in lock.direct(PYPROJECT)}
    # What jupyter-book is made of, an extension of the site may import; and a kernel's IPython
    # the library asks for only inside a kernel.
    stated |= {"softlookup", "sphinx", "docutils", "myst-nb", "pybtex", "ipython"}
    homes = importlib.metadata.packages_distributions()
    folders = ("lib", "tests", "tools", "book/_ext", "benchmarks")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    own = {path.stem for path in files} | {
        path.parent.name for path in files if path.name == "__init__.py"
    }
    unstated = set()
    for folder in folders:
        for path in (ROOT / folder).rglob("*.py"):
            if ROOT / "tests/coursework/fairness" in path.parents:
                continue  # answers of students, as templates that a term's values fill
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                modules = []
                if isinstance(node, ast.Import):
                    modules = [alias.name for alias in node.names]
                elif isinstance(node, ast.ImportFrom) and not node.level:
                    modules = [node.module]
                for module in {name.split(".")[0] for name in modules}:
                    if module in sys.stdlib_module_names or module in own:
                        continue
                    homes_of = {canonicalize_name(name) for name in homes.get(module, [module])}
                    if not homes_of & stated:
                        unstated.add(f"{path.relative_to(ROOT)} imports {module}")
    assert not unstated, "\n".join(sorted(unstated))
