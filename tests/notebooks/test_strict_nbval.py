"""Plant one fault in each cell of a small notebook: the strict comparison must find each.

All cells run in one kernel; a fault in one does not hide a fault in the next, because a cell
that prints something else than it stored still leaves its names behind.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import (
    new_code_cell,
    new_markdown_cell,
    new_notebook,
    new_output,
)

ROOT = Path(__file__).resolve().parents[2]
PATHS = [str(ROOT / folder) for folder in ("tests", "tests/notebooks", "tools", "lib")]
REASON = {"softlookup": {"reason": "a long sum in another order"}}


def printed(text, name="stdout"):
    return new_output("stream", name=name, text=text)


def shown(text, **more):
    return new_output("execute_result", data={"text/plain": text, **more}, execution_count=1)


def cell(source, *outputs, tags=(), count=1, **metadata):
    return new_code_cell(
        source,
        outputs=list(outputs),
        execution_count=count,
        metadata={"tags": list(tags), **metadata},
    )


TABLE = 'print("  lag  loss\\n    4  9.750\\n    8 10.250")'
SHOW = """\
class Shown:
    def __repr__(self): return "plain"
    def _repr_markdown_(self): return "score = 0.500, **bold**"
"""
CLEAR = """\
from IPython.display import clear_output
print("step 1 of 2")
clear_output(wait=True)
print("done")"""

CLAIM = "finding 1-a holds: 2 of 3 [measured {} over 3 seeds, claimed <= 2; rival: luck, {}]"
LAW = "law 1-b holds: two ways agree to [measured {}, claimed <= {}]"

# name, cell: each is as a run would store it.
TRUE = [
    ("exactly", cell("print(0.125, 7, 'words')", printed("0.125 7 words\n"))),
    ("last digit", cell("print(0.12345)", printed("0.12349\n"))),
    ("with exponent", cell("print(1.2345e-05)", printed("1.2349e-05\n"))),
    ("sign of nought", cell("print(-0.0)", printed("0.0\n"))),
    ("below the absolute tolerance", cell("print(3e-16)", printed("-1.5e-15\n"))),
    ("narrower in a column", cell(TABLE, printed("  lag  loss\n    4  9.751\n    8 10.249\n"))),
    ("carried", cell('print(f"{9.999:7.2f}")', printed("  10.00\n"))),
    (
        "wide tolerance with its reason",
        cell("print(0.50)", printed("0.52\n"), tags=["nbval-rtol:0.05"], **REASON),
    ),
    (
        "absolute tolerance with its reason",
        cell("print(0.01)", printed("0.02\n"), tags=["nbval-atol:0.02"], **REASON),
    ),
    (
        "words only with its reason",
        cell(
            "print('right  9 of 10, 0.25 to 0.5')",
            printed("right 10 of 10, 0.75\n"),
            tags=["nbval-words-only"],
            **REASON,
        ),
    ),
    (
        "a claim measured as nought",
        cell(
            f"print({CLAIM.format('4.44e-16', '0.3 to 0.3002')!r})",
            printed(CLAIM.format("0", "0.3") + "\n"),
        ),
    ),
    (
        "rounding that a law allows",
        cell(
            f"print({LAW.format('2.33e-09', '0.001')!r})", printed(LAW.format("0", "0.001") + "\n")
        ),
    ),
    ("semicolon", cell("1 + 1;")),
    ("result", cell("0.5 + 1", shown("1.5"))),
    (
        "markdown",
        cell(SHOW + "Shown()", shown("plain", **{"text/markdown": "score = 0.500, **bold**"})),
    ),
    ("cleared progress", cell(CLEAR, printed("done\n"))),
    (
        "cleared at once",
        cell("print(1)\nclear_output()\nprint(2)", printed("2\n")),
    ),
    (
        "ignored with its reason",
        cell("print('now')", printed("then\n"), tags=["nbval-ignore-output"], **REASON),
    ),
]
FALSE = [
    (
        "words only, and another word",
        cell("print('wrong 9')", printed("right 9\n"), tags=["nbval-words-only"], **REASON),
    ),
    (
        "words only without a reason",
        cell("print(1)", printed("2\n"), tags=["nbval-words-only"]),
    ),
    (
        "a claim measured otherwise",
        cell(f"print({CLAIM.format('0.1', '0.3')!r})", printed(CLAIM.format("0", "0.3") + "\n")),
    ),
    (
        "a claim whose rival is measured otherwise",
        cell(
            f"print({CLAIM.format('0', '0.3 to 0.4')!r})", printed(CLAIM.format("0", "0.3") + "\n")
        ),
    ),
    (
        "a claim with another bound",
        cell(
            f"print({CLAIM.format('0', '1')!r})",
            printed(CLAIM.format("0", "1").replace("<= 2", "<= 3") + "\n"),
        ),
    ),
    (
        "a law with another bound",
        cell(f"print({LAW.format('0', '0.001')!r})", printed(LAW.format("0", "0.0001") + "\n")),
    ),
    (
        "a law whose bound is more than rounding",
        cell(f"print({LAW.format('1', '40')!r})", printed(LAW.format("2", "40") + "\n")),
    ),
    ("wrong number", cell("print(0.125)", printed("0.126\n"))),
    ("wrong sign", cell("print(0.125)", printed("-0.125\n"))),
    ("wrong exponent", cell("print(1e-05)", printed("1e-06\n"))),
    ("wrong integer", cell("print(100001)", printed("100002\n"))),
    ("wrong integer before a full stop", cell("print('10001.')", printed("10002.\n"))),
    ("wrong word", cell("print('keys')", printed("queries\n"))),
    ("wrong case", cell("print('Keys')", printed("keys\n"))),
    ("a space more", cell("print('a  b')", printed("a b\n"))),
    ("not a number", cell("print(float('nan'))", printed("0.5\n"))),
    ("missing output", cell("x = 1", printed("1\n"))),
    ("missing result", cell("2;", shown("2"))),
    ("extra output", cell("print('more')")),
    ("extra line", cell("print('a'); print('b')", printed("a\n"))),
    ("extra number", cell("print(0.5, 0.25)", printed("0.5\n"))),
    ("on stderr", cell("import sys; print('a', file=sys.stderr)", printed("a\n"))),
    ("unexecuted", cell("x = 1", count=None)),
    ("unexecuted and empty", cell("", count=None)),
    ("number in a table", cell(TABLE, printed("  lag  loss\n    4  9.750\n    8 10.350\n"))),
    ("layout of a table", cell(TABLE, printed("  lag  loss\n    4   9.750\n    8 10.250\n"))),
    ("two numbers swapped", cell("print(0.25, 0.75)", printed("0.75 0.25\n"))),
    (
        "wrong word in Markdown",
        cell("Shown()", shown("plain", **{"text/markdown": "score = 0.500"})),
    ),
    (
        "wrong number in Markdown",
        cell("Shown()", shown("plain", **{"text/markdown": "score = 0.600, **bold**"})),
    ),
    ("progress that was not cleared", cell("print('step 1'); print('done')", printed("done\n"))),
    ("raises", cell("1 / 0")),
    (
        "tolerance without a reason",
        cell("print(0.50)", printed("0.52\n"), tags=["nbval-rtol:0.05"]),
    ),
    (
        "beyond the stated tolerance",
        cell("print(0.50)", printed("0.54\n"), tags=["nbval-rtol:0.05"], **REASON),
    ),
    ("tolerance too wide", cell("print(1.0)", printed("1.0\n"), tags=["nbval-rtol:0.5"], **REASON)),
    ("ignored without a reason", cell("print(1)", printed("2\n"), tags=["nbval-ignore-output"])),
    ("skipped", cell("print(1)", printed("2\n"), tags=["nbval-skip"], **REASON)),
    ("error expected", cell("1 / 0", tags=["raises-exception"])),
    ("ignored by a comment", cell("# NBVAL_IGNORE_OUTPUT\nprint(1)", printed("2\n"))),
]


def run_tests(directory, *arguments):
    """Run pytest in a folder of its own, with the project's way to read notebooks."""
    return subprocess.run(
        [
            *(sys.executable, "-m", "pytest", *arguments, "-p", "no:nbval"),
            *("-rA", "--color=no", "-p", "no:cacheprovider"),
        ],
        cwd=directory,
        env=os.environ | {"PYTEST_ADDOPTS": "", "PYTHONPATH": os.pathsep.join(PATHS)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """What became of each planted cell, by its name."""
    directory = tmp_path_factory.mktemp("planted")
    shutil.copy(ROOT / "conftest.py", directory)
    (directory / "pytest.ini").write_text("[pytest]\n")
    notebook = new_notebook(
        cells=[new_markdown_cell("# Planted"), *(planted for _, planted in TRUE + FALSE)]
    )
    nbformat.write(notebook, directory / "planted.ipynb")
    run = run_tests(directory, "planted.ipynb", "-n", "1")
    found = {
        int(number): outcome
        for outcome, number in re.findall(r"^([A-Z]+) planted\.ipynb::Cell (\d+)", run.stdout, re.M)
    }
    names = [name for name, _ in TRUE + FALSE]
    assert sorted(found) == list(range(len(names))), run.stdout + run.stderr
    return {name: found[number] for number, name in enumerate(names)}


@pytest.mark.parametrize("name", [name for name, _ in TRUE])
def test_what_is_true_passes(outcomes, name):
    assert outcomes[name] == "PASSED"


@pytest.mark.parametrize("name", [name for name, _ in FALSE])
def test_every_planted_fault_is_found(outcomes, name):
    assert outcomes[name] == "FAILED"


SURVIVES_ITS_TIME = """
import time
try:
    time.sleep(30)
except KeyboardInterrupt:
    pass
"""
LITTLE_TIME = """
import strict_nbval
strict_nbval.OPTIONS["nbval_cell_timeout"] = 3.0
"""


def test_behind_a_cell_that_took_too_long_a_wrong_one_still_fails(tmp_path):
    conftest = (ROOT / "conftest.py").read_text("utf-8")
    (tmp_path / "conftest.py").write_text(conftest + LITTLE_TIME, "utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    cells = [cell(SURVIVES_ITS_TIME), cell("print(1)", printed("2\n"))]
    nbformat.write(new_notebook(cells=cells), tmp_path / "slow.ipynb")
    run = run_tests(tmp_path, "slow.ipynb")
    assert re.search(r"^FAILED slow\.ipynb::Cell 1", run.stdout, re.M), run.stdout
