"""``--changed``: leave out what takes long and has not changed since it was last tested.

A chapter depends on its notebook, the files of the library that it imports, directly or by a
detour, what is packaged beside them, the lock and the tests that judge it. So does a file of tests
in the rooms that take long, and on the folders that it reads. Where nothing of that differs from
what the upstream branch holds, continuous integration has tested it; where these very bytes passed
here before, a receipt in pytest's cache says so. Only `make check` asks for this. What is published
is always tested whole.
"""

import ast
import functools
import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LIBRARY = ROOT / "lib" / "softlookup"
RECEIPTS = "softlookup/receipts"
# What judges every chapter.
JUDGES = (
    "requirements.lock",
    "conftest.py",
    "tests/chapters.py",
    *(
        f"tests/notebooks/{name}.py"
        for name in ("strict_nbval", "comparing", "branches", "plan", "slices", "scopes", "effects")
    ),
)

# What every file of tests runs under.
RUNNERS = ("requirements.lock", "conftest.py", "tests/conftest.py", "tests/enforcement.py")
# The rooms whose tests take long, and what they read beside what they import.
CHAPTERS = ("notebooks", "lib/softlookup")
READ = {
    "tests/parallel": ("benchmarks", "tests/coursework/kubernetes"),
    "tests/live": ("tests/live", "book/_static", "book/_ext", "tools", *CHAPTERS),
    "tests/course/exercises": ("tests/course/exercises", "tests/notebooks", *CHAPTERS),
}
# What is installed or made, and no source.
MADE = {"node_modules", "__pycache__"}


def pytest_addoption(parser):
    parser.addoption(
        "--changed", action="store_true", help="leave out what takes long and has not changed"
    )


def pytest_ignore_collect(collection_path, config):
    if not (config.option.changed and takes_long(collection_path)):
        return None
    receipts = config.cache.get(RECEIPTS, {})
    return passed_before(collection_path, receipts) or None


def takes_long(path):
    """Whether a file is a chapter, or tests of a room that takes long."""
    return path.suffix == ".ipynb" or (path.match("test_*.py") and room(path) in READ)


def room(path):
    """The folder of a file, as it is named from the root."""
    return path.parent.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else None


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    # The workers only run the tests; what came of them all is known to their controller.
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Giver(config), "receipts-giver")


class Giver:
    """Gives receipts to what takes long and passed whole."""

    def __init__(self, config):
        self.config = config
        self.outcomes = {}

    def pytest_runtest_logreport(self, report):
        file = report.nodeid.partition("::")[0]
        if takes_long(ROOT / file):
            self.outcomes[file] = self.outcomes.get(file, True) and not report.failed

    def pytest_sessionfinish(self):
        option = self.config.option
        in_part = option.keyword or option.markexpr or option.maxfail
        keeps = self.config.pluginmanager.has_plugin("cacheprovider")
        if in_part or not keeps or any("::" in argument for argument in self.config.args):
            return
        paths = {ROOT / file for file, passed in self.outcomes.items() if passed}
        new = {path.name: digest(path) for path in paths if path.exists()}
        self.config.cache.set(RECEIPTS, self.config.cache.get(RECEIPTS, {}) | new)


def passed_before(path, receipts):
    """Whether a chapter, or a file of tests, needs no new run."""
    if receipts.get(path.name) == digest(path):
        return True
    changed = differing()
    return changed is not None and not inputs(path) & changed


@functools.cache
def differing():
    """The files that differ from the upstream branch, or None where there is no telling."""

    def git(*arguments):
        run = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
        return run.stdout.strip() if run.returncode == 0 else None

    base = git("merge-base", "HEAD", "origin/HEAD")
    listed = base and git("diff", "--name-only", base)
    untracked = git("ls-files", "--others", "--exclude-standard")
    if listed is None or untracked is None:
        return None
    return frozenset(ROOT / name for name in f"{listed}\n{untracked}".split("\n") if name)


def inputs(path):
    """The files on which a chapter's tests depend, or a file of tests."""
    if path.suffix == ".ipynb":
        source = setup(path)
        bank = ROOT / "tests/notebooks/planted" / f"chapter_{path.name.partition('_')[0]}.py"
        found = {path, bank, *(ROOT / name for name in JUDGES)}
    else:
        source = path.read_text("utf-8")
        read = {each for folder in READ[room(path)] for each in sources(ROOT / folder)}
        found = {path, *read, *(ROOT / name for name in RUNNERS)}
    new = imported(source)
    while new:
        found |= new
        # What a file may read lies beside it.
        beside = {each for file in new for each in file.parent.iterdir() if each.suffix != ".py"}
        found |= {file for file in beside if file.is_file()}
        new = {each for file in new for each in imported(file.read_text("utf-8"))} - found
    return found


def setup(notebook):
    """The code of a notebook that says what it imports."""
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    return "\n".join(
        "".join(cell["source"])
        for cell in cells
        if cell["cell_type"] == "code" and "setup" in cell["metadata"].get("tags", [])
    )


def sources(folder):
    """The files in a folder and below that somebody wrote."""
    return {
        path
        for path in folder.rglob("*")
        if path.is_file() and not MADE & set(path.relative_to(folder).parts)
    }


def imported(source):
    """The files of the library, and helpers of tests, that a piece of source imports."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    ours = (re.fullmatch(r"softlookup\.([\w.]+)", name) for name in names)
    paths = {LIBRARY / f"{match[1].replace('.', '/')}.py" for match in ours if match}
    helpers = {ROOT / "tests" / f"{name}.py" for name in names}
    return {path for path in paths | helpers if path.is_file()}


def digest(path):
    """One word for all on which a chapter or file depends, and for the Python that runs it."""
    state = hashlib.sha256(sys.version.encode())
    for each in sorted(inputs(path)):
        if each.exists():
            state.update(str(each.relative_to(ROOT)).encode() + b"\0")
            state.update(hashlib.sha256(each.read_bytes()).digest())
    return state.hexdigest()
