"""Two workers share a small suite: no group is torn apart, and the long ones come first."""

import os
import subprocess
import sys
from collections import defaultdict

import nbformat
import pytest
from chapters import ROOT
from nbformat.v4 import new_code_cell, new_notebook
from workers import LONG, group_of, rank

# Each test notes where it ran, and takes long enough for the other worker to get its share.
NOTE = """
import os, pathlib, time

def note(name):
    with pathlib.Path(__file__).with_name("notes").open("a") as notes:
        notes.write(f"{os.environ['PYTEST_XDIST_WORKER']} {name}\\n")
    time.sleep(0.02)
"""
SMALL = "from note import note\n\ndef test_one(): note('small')\n"
MANY = """
import pytest
from note import note

@pytest.mark.parametrize("number", range(9))
def test_it(number): note("many")
"""
LONG_ONES = """
import pytest
from note import note

@pytest.mark.parametrize("number", range(3))
def test_it(number): note("long")
"""


@pytest.fixture(scope="module")
def notes(tmp_path_factory):
    """Worker and group of each test, in the order in which they ran."""
    directory = tmp_path_factory.mktemp("suite")
    for file, text in {
        "note.py": NOTE,
        "conftest.py": 'pytest_plugins = ["workers"]\n',
        "pytest.ini": "[pytest]\n",
        "tests/data/test_many.py": MANY,
        "tests/data/test_small.py": SMALL,
        "tests/coursework/test_command_line.py": LONG_ONES,
    }.items():
        path = directory / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    (directory / "notebooks").mkdir()
    cells = [new_code_cell("from note import note; note('notebook')") for _ in range(5)]
    nbformat.write(new_notebook(cells=cells), directory / "notebooks" / "05_cells.ipynb")
    paths = os.pathsep.join([str(ROOT / "tests"), str(directory)])
    run = subprocess.run(
        [
            *(
                sys.executable,
                "-m",
                "pytest",
                "tests",
                "notebooks",
                "-n",
                "2",
                "-p",
                "no:cacheprovider",
            ),
            *("-p", "xdist.plugin", "-p", "nbval.plugin", "--nbval-lax", "--nbval-current-env"),
        ],
        cwd=directory,
        # The other plugins do nothing here, and take seconds to import.
        env=os.environ
        | {"PYTEST_ADDOPTS": "", "PYTHONPATH": paths, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return [line.split(" ", 1) for line in (directory / "notes").read_text().splitlines()]


def test_every_group_has_one_worker_and_each_worker_its_share(notes):
    workers = defaultdict(set)
    for worker, group in notes:
        workers[group].add(worker)
    expected = {"long", "notebook", "many", "small"}
    assert set(workers) == expected
    assert all(len(found) == 1 for found in workers.values()), workers
    assert set.union(*workers.values()) == {"gw0", "gw1"}


def test_the_long_groups_come_first(notes):
    first = list(dict.fromkeys(group for _, group in notes))
    assert first.index("long") < first.index("many")
    worker_of = {group: worker for worker, group in notes}
    # Nine tests make no group long.
    assert worker_of["notebook"] != worker_of["long"]


@pytest.mark.parametrize(
    ("nodeid", "group"),
    [
        ("tests/test_masks.py::test_causal[3-5]", "tests/test_masks.py"),
        ("notebooks/05_masking.ipynb::Cell 3", "notebooks/05_masking.ipynb"),
    ],
)
def test_the_group_of_a_test(nodeid, group):
    assert group_of(nodeid) == group


def test_what_is_long_exists():
    assert [start for start in LONG if not any(ROOT.glob(f"{start}*"))] == []
    assert rank("notebooks/15_a.ipynb::Cell 0") < rank("notebooks/01_a.ipynb::Cell 0")
    assert rank("notebooks/01_a.ipynb::Cell 0") < rank("tests/a.py::b")
