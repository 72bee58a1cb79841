"""``--changed``: leave out the chapters of which nothing has changed since they were last tested.

A chapter depends on its notebook, the files of the library that it imports, directly or by a
detour, what is packaged beside them, the lock and the tests that judge it. Where nothing of that
differs from what the upstream branch holds, continuous integration has tested it; where these
very bytes passed here before, a receipt in pytest's cache says so. Only `make check` asks for
this. What is published is always tested whole.
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


def pytest_addoption(parser):
    parser.addoption(
        "--changed", action="store_true", help="run only the chapters of which something changed"
    )


def pytest_ignore_collect(collection_path, config):
    is_notebook = collection_path.suffix == ".ipynb"
    if not (is_notebook and config.option.changed):
        return None
    receipts = config.cache.get(RECEIPTS, {})
    return passed_before(collection_path, receipts) or None


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    # The workers only run the tests; what came of them all is known to their controller.
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Giver(config), "receipts-giver")


class Giver:
    """Gives receipts to the notebooks that passed whole."""

    def __init__(self, config):
        self.config = config
        self.outcomes = {}

    def pytest_runtest_logreport(self, report):
        file = report.nodeid.partition("::")[0]
        if file.endswith(".ipynb"):
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


def passed_before(notebook, receipts):
    """Whether a notebook needs no new run."""
    if receipts.get(notebook.name) == digest(notebook):
        return True
    changed = differing()
    return changed is not None and not inputs(notebook) & changed


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


def inputs(notebook):
    """The files on which a chapter's tests depend."""
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    source = "\n".join(
        "".join(cell["source"])
        for cell in cells
        if cell["cell_type"] == "code" and "setup" in cell["metadata"].get("tags", [])
    )
    bank = ROOT / "tests/notebooks/planted" / f"chapter_{notebook.name.partition('_')[0]}.py"
    found, new = {notebook, bank, *(ROOT / name for name in JUDGES)}, imported(source)
    while new:
        found |= new
        # What a file may read lies beside it.
        beside = {each for path in new for each in path.parent.iterdir() if each.suffix != ".py"}
        found |= {path for path in beside if path.is_file()}
        new = {each for path in new for each in imported(path.read_text("utf-8"))} - found
    return found


def imported(source):
    """The files of the library that a piece of source imports."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    ours = (re.fullmatch(r"softlookup\.([\w.]+)", name) for name in names)
    paths = (LIBRARY / match[1].replace(".", "/") for match in ours if match)
    return {path.with_suffix(".py") for path in paths if path.with_suffix(".py").is_file()}


def digest(notebook):
    """One word for all that a chapter depends on, and for the Python that runs it."""
    state = hashlib.sha256(sys.version.encode())
    for path in sorted(inputs(notebook)):
        if path.exists():
            state.update(str(path.relative_to(ROOT)).encode() + b"\0")
            state.update(hashlib.sha256(path.read_bytes()).digest())
    return state.hexdigest()
