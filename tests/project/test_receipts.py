"""What takes long is left out only where nothing on which it depends has changed."""

import os
import re
import shutil
import subprocess
import sys

import pytest
import receipts
from chapters import ROOT

CHAPTER = ROOT / "notebooks" / "03_self_attention.ipynb"
TESTS = ROOT / "tests" / "parallel" / "test_checkpoints.py"


def names(paths):
    return {path.relative_to(ROOT).as_posix() for path in paths}


def test_the_inputs_are_what_the_chapter_imports_by_every_detour():
    found = names(receipts.inputs(CHAPTER))
    assert "notebooks/03_self_attention.ipynb" in found
    assert "tests/notebooks/planted/chapter_03.py" in found
    assert "lib/softlookup/layers/attention.py" in found  # by the module of many heads
    assert "lib/softlookup/layers/fit.py" in found  # imported by attention alone
    assert "lib/softlookup/data/word_vectors.npz" in found  # read by a file beside it
    assert "lib/softlookup/models/vit.py" not in found


def test_the_inputs_of_tests_are_what_they_import_by_every_detour_and_read():
    found = names(receipts.inputs(TESTS))
    assert "tests/parallel/test_checkpoints.py" in found
    assert "tests/parallel_jobs.py" in found
    assert "lib/softlookup/parallel/sharded.py" in found  # imported by the helper alone
    assert "benchmarks/cluster/train_node.sh" in found
    assert "lib/softlookup/models/vit.py" not in found


def test_only_some_rooms_take_long():
    assert receipts.takes_long(CHAPTER)
    assert receipts.takes_long(TESTS)
    assert not receipts.takes_long(ROOT / "tests" / "parallel_jobs.py")
    assert not receipts.takes_long(ROOT / "tests" / "layers" / "test_attention.py")
    for name in receipts.READ:
        assert [*(ROOT / name).glob("test_*.py")]


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """A copy of what the chapter and the tests depend on, which may be changed."""
    for path in receipts.inputs(CHAPTER) | receipts.inputs(TESTS):
        target = tmp_path / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    monkeypatch.setattr(receipts, "ROOT", tmp_path)
    monkeypatch.setattr(receipts, "LIBRARY", tmp_path / "lib" / "softlookup")
    monkeypatch.setattr(receipts, "differing", lambda: None)
    return tmp_path


@pytest.mark.parametrize(
    ("of", "name"),
    [
        (CHAPTER, "notebooks/03_self_attention.ipynb"),
        (CHAPTER, "lib/softlookup/layers/fit.py"),
        (CHAPTER, "lib/softlookup/data/word_vectors.npz"),
        (CHAPTER, "tests/notebooks/planted/chapter_03.py"),
        (CHAPTER, "tests/notebooks/strict_nbval.py"),
        (CHAPTER, "requirements.lock"),
        (TESTS, "tests/parallel/test_checkpoints.py"),
        (TESTS, "tests/parallel_jobs.py"),
        (TESTS, "lib/softlookup/parallel/sharded.py"),
        (TESTS, "benchmarks/cluster/train_node.sh"),
        (TESTS, "tests/enforcement.py"),
        (TESTS, "requirements.lock"),
    ],
)
def test_a_changed_byte_takes_the_receipt_away(copied, of, name):
    path = copied / of.relative_to(ROOT)
    given = {path.name: receipts.digest(path)}
    assert receipts.passed_before(path, given)
    with (copied / name).open("ab") as file:
        file.write(b"\n")
    assert not receipts.passed_before(path, given)


def test_without_a_receipt_only_what_the_upstream_branch_holds_is_left_out(copied, monkeypatch):
    notebook = copied / "notebooks" / CHAPTER.name
    assert not receipts.passed_before(notebook, {})
    for changed, left_out in [
        (set(), True),
        ({copied / "README.md"}, True),
        ({copied / "lib/softlookup/layers/fit.py"}, False),
    ]:
        monkeypatch.setattr(receipts, "differing", lambda changed=changed: frozenset(changed))
        assert receipts.passed_before(notebook, {}) == left_out


NOTEBOOK = """{"cells": [{"cell_type": "code", "execution_count": 1, "id": "a", "metadata": {},
 "outputs": [{"name": "stdout", "output_type": "stream", "text": "%s\\n"}],
 "source": "print('right')"}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
"""


def test_only_what_takes_long_and_passed_whole_gets_a_receipt(tmp_path):
    for name, outcome in [("parallel", "pass"), ("live", "assert False"), ("layers", "pass")]:
        (tmp_path / "tests" / name).mkdir(parents=True)
        tests = tmp_path / "tests" / name / f"test_{name}.py"
        tests.write_text(f"def test_it():\n    {outcome}\n")
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "good.ipynb").write_text(NOTEBOOK % "right")
    (tmp_path / "notebooks" / "bad.ipynb").write_text(NOTEBOOK % "wrong")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    here = "import receipts, pathlib\nreceipts.ROOT = pathlib.Path(__file__).parent\n"
    (tmp_path / "conftest.py").write_text(here + (ROOT / "conftest.py").read_text())
    folders = (ROOT / folder for folder in ("tests", "tests/notebooks", "tools", "lib"))
    paths = os.pathsep.join(map(str, folders))

    def run(*more):
        """Which notebooks were run, and whether they passed."""
        what = ["notebooks", "tests", "--changed", "-rA", "--color=no"]
        command = [sys.executable, "-m", "pytest", *what]
        done = subprocess.run(
            [*command, "-p", "xdist.plugin", "-n", "1", *more],
            cwd=tmp_path,
            # The other plugins do nothing here, and take seconds to import.
            env=os.environ
            | {"PYTEST_ADDOPTS": "", "PYTHONPATH": paths, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        return set(re.findall(r"^([A-Z]+) (?:notebooks|tests/\w+)/(\w+)", done.stdout, re.M))

    passed = {("PASSED", "good"), ("PASSED", "test_parallel")}
    stays = {("FAILED", "bad"), ("FAILED", "test_live"), ("PASSED", "test_layers")}
    assert run("-k", "Cell or test_it") == passed | stays
    # A run of a part gave no receipt; this one gives one.
    assert run() == passed | stays
    assert run() == stays
