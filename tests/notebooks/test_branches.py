"""Plant mistakes in a small chapter: each must be told from what is harmless, on one run."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RUNS = "from pathlib import Path\nwith Path('runs').open('a') as runs:\n    _ = runs.write('x')"
PREDICTION = "prediction = None"
CELLS = [
    ("from softlookup.course import claims\nimport math", "", ["setup"]),
    (RUNS, "", []),
    (PREDICTION, "", ["predict"]),
    ("y = 0 / 1\nz = 2\nbox = []\nbox.append(1)", "", []),
    ("x = math.exp(y)\nn = len(box)\nprint(x)", "1.0\n", []),
    (
        'claims.law("1-a", "a fact", x, ">", 0.5)\nclaims.law("1-b", "another", n, ">=", 1)',
        "law 1-a holds: a fact [measured 1, claimed > 0.5]\n"
        "law 1-b holds: another [measured 1, claimed >= 1]\n",
        [],
    ),
    (
        'lucky = y if z else 1\nz = 0\nclaims.law("1-c", "a third", lucky, "<=", 0)',
        "law 1-c holds: a third [measured 0, claimed <= 0]\n",
        [],
    ),
    (
        "numbers = iter([1, 2])\nlimit = 1\nfirst = next(numbers)\nsecond = next(numbers)\n"
        'claims.law("1-d", "a fourth", second, ">", limit)',
        "law 1-d holds: a fourth [measured 2, claimed > 1]\n",
        [],
    ),
    (
        "def measure():\n    with Path('measured').open('a') as file:\n"
        "        return file.write('x')\nleast = 0\ncostly = measure()\nprint('measured')\n"
        'claims.law("1-e", "a fifth", costly, ">", least)',
        "measured\nlaw 1-e holds: a fifth [measured 1, claimed > 0]\n",
        [],
    ),
]
PLANTED = [
    ("1-a", "falls", "math.exp(y)", "math.log(2) * y", "PASSED"),
    ("1-a", "falls by a statement more", "print(x)", "x = -x\nprint(x)", "PASSED"),
    ("1-a", "harmless", "x = math.exp(y)", "x = math.exp(2 * y)", "FAILED"),
    ("1-a", "another error", "0 / 1", "0 / 0", "FAILED"),
    ("1-a", "not in the chapter", "tangent", "y", "FAILED"),
    ("1-a", "ends its process", "math.exp(y)", "__import__('os')._exit(3)", "FAILED"),
    ("1-b", "emptied", "n = len(box)", "box.clear()\nn = len(box)", "PASSED"),
    ("1-b", "does not reach the next branch", "n = len(box)", "n = len(box) + 0", "FAILED"),
    ("1-c", "falls too", "lucky = y if z else 1", "lucky = 1 if z else 0", "PASSED"),
    ("1-e", "falls last", "least = 0", "least = 2", "PASSED"),
    ("1-d", "falls, as its control does", "limit = 1", "limit = 2", "PASSED"),
]


def run_chapter(directory, *arguments, planted=PLANTED, cells=CELLS):
    """Run a small chapter's tests; return their outcomes by their names, and how often it ran."""
    for name in ("strict_nbval.py", "plan.py", "branches.py"):
        shutil.copy(HERE / name, directory)
    shutil.copy(ROOT / "conftest.py", directory)
    (directory / "pytest.ini").write_text("[pytest]\n")
    (directory / "planted").mkdir()
    bank = [entry[:4] for entry in planted]
    (directory / "planted" / "chapter_01.py").write_text(f"PLANTED = {bank!r}\n")
    cells = [
        new_code_cell(
            source,
            execution_count=count,
            metadata={"tags": tags},
            outputs=[new_output("stream", name="stdout", text=text)] if text else [],
        )
        for count, (source, text, tags) in enumerate(cells, start=1)
    ]
    nbformat.write(new_notebook(cells=cells), directory / "01_small.ipynb")
    paths = [directory, ROOT / "tests" / "notebooks", ROOT / "tests", ROOT / "tools", ROOT / "lib"]
    run = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-rA", "--color=no", "-p", "no:cacheprovider"),
            *("-p", "no:nbval", *(arguments or ("01_small.ipynb",))),
        ],
        cwd=directory,
        env=os.environ | {"PYTEST_ADDOPTS": "", "PYTHONPATH": os.pathsep.join(map(str, paths))},
        capture_output=True,
        text=True,
        check=False,
    )
    found = re.findall(r"^([A-Z]+) 01_small\.ipynb::([^\n]+?)(?: - .*)?$", run.stdout, re.M)
    assert found, run.stdout + run.stderr
    runs = directory / "runs"
    return {name: outcome for outcome, name in found}, len(runs.read_text())


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    return run_chapter(tmp_path_factory.mktemp("whole"))


def test_the_chapter_runs_once_and_its_cells_print_what_they_store(outcomes):
    found, runs = outcomes
    assert runs == 1
    assert {found[f"Cell {number}"] for number in range(len(CELLS))} == {"PASSED"}


@pytest.mark.parametrize("entry", PLANTED, ids=lambda entry: entry[1])
def test_only_a_mistake_that_fells_its_claim_passes(outcomes, entry):
    claim_id, what, *_, expected = entry
    assert outcomes[0][f"mistake {claim_id} {what}"] == expected


@pytest.mark.parametrize("claim_id", ["1-a", "1-b", "1-c"])
def test_a_claim_holds_on_its_slice(outcomes, claim_id):
    assert outcomes[0][f"claim {claim_id}"] == "PASSED"


def test_a_claim_that_needs_what_its_slice_leaves_out_fails(outcomes):
    assert outcomes[0]["claim 1-d"] == "FAILED"


def test_a_control_repeats_nothing_that_the_chapter_runs_for_it(tmp_path):
    found, _ = run_chapter(tmp_path, planted=[("1-e", "too much", "least = 0", "least = 2")])
    assert found["claim 1-e"] == found["mistake 1-e too much"] == "PASSED"
    # Once by the chapter, and once by the mistake.
    assert (tmp_path / "measured").read_text() == "xx"


def test_what_is_planted_for_several_claims_is_run_once(tmp_path):
    """Each is judged, whatever became of the others; after another error nothing is certain."""
    source, text, tags = CELLS[-1]
    facts = {"1-f": "costly", "1-g": "1 / (2 - least)", "1-h": "costly + 0"}
    source += "".join(f'\nclaims.law("{name}", "so", {x}, ">", least)' for name, x in facts.items())
    text += "law 1-f holds: so [measured 1, claimed > 0]\n"
    text += "law 1-g holds: so [measured 0.5, claimed > 0]\n"
    text += "law 1-h holds: so [measured 1, claimed > 0]\n"
    found, _ = run_chapter(
        tmp_path,
        planted=[(name, "too much", "least = 0", "least = 2") for name in ("1-e", *facts)],
        cells=[*CELLS[:-1], (source, text, tags)],
    )
    mistakes = [found[f"mistake {name} too much"] for name in ("1-e", *facts)]
    assert mistakes == ["PASSED", "PASSED", "FAILED", "FAILED"]
    assert {found[f"claim {name}"] for name in ("1-e", *facts)} == {"PASSED"}
    assert found[f"Cell {len(CELLS) - 1}"] == "PASSED"
    # Once by the chapter, and once by all mistakes.
    assert (tmp_path / "measured").read_text() == "xx"


def test_a_claim_without_a_mistake_fails(tmp_path):
    found, _ = run_chapter(tmp_path, planted=PLANTED[:1])
    assert (found["claim 1-a"], found["claim 1-b"]) == ("PASSED", "FAILED")


def test_one_mistake_alone_runs_the_chapter_first(tmp_path):
    found, runs = run_chapter(tmp_path, "01_small.ipynb::mistake 1-b emptied")
    assert found == {"mistake 1-b emptied": "PASSED"}
    assert runs == 1
