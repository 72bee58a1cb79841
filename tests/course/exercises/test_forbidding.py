"""A notebook's checks refuse what grading refuses, in the same words, and nothing else."""

from types import SimpleNamespace

import pytest
import torch
from IPython.core.interactiveshell import InteractiveShell
from softlookup.course.exercises.forbidding import Checks

BEGIN = """
import torch
from torch.nn import functional as F
from softlookup.course.exercises.forbidding import Checks
from softlookup.course.exercises.verdict import Mistake

check = Checks(forbids=["softmax", "MultiheadAttention"], given=["compare"])


def weighs(weigh, *, base):
    vars(torch)["nn"].functional.softmax
    if not torch.allclose(weigh(torch.ones(2)), torch.ones(2) / base):
        raise Mistake("your weigh: it does not weigh")
"""
CALL = "check(weighs, weigh, points=1, base=2)"
OWN = "def weigh(scores):\n    return scores.exp() / scores.exp().sum()"
BORROWED = "def weigh(scores):\n    return F.softmax(scores, -1)"
REFUSED = (
    "weighs: not yet: your answer uses softmax (cell 2), which does for you what this exercise "
    "asks you to write; write it out\n"
)
PASSED = "weighs: passed (1 point)\n"
LOOKED_AT = PASSED + (
    "weighs: when this is graded, a person will look: cell 2 names softmax, which does for you "
    "what this exercise asks you to write, and the code does not tell whether your answer uses it; "
    "take the name out\n"
)


@pytest.fixture
def notebook(capsys):
    """Runs cells, which may have names, in a fresh shell; returns what the last one printed."""
    shell = InteractiveShell()

    def run(*cells):
        for cell in (BEGIN, *cells):
            capsys.readouterr()
            source, name = cell if isinstance(cell, tuple) else (cell, None)
            ran = shell.run_cell(source, store_history=True, cell_id=name)
            ran.raise_error()
        return capsys.readouterr().out

    InteractiveShell._instance = shell
    yield run
    shell.history_manager.end_session()
    InteractiveShell.clear_instance()


@pytest.mark.parametrize(
    ("cells", "printed"),
    [
        ([OWN, CALL], PASSED),
        ([BORROWED, CALL], REFUSED),
        (["helper = F.softmax\ndef weigh(scores):\n    return helper(scores, -1)", CALL], REFUSED),
        # What was mended is not held against anybody.
        ([BORROWED, CALL, OWN, CALL], PASSED),
        ([(BORROWED, "a"), (CALL, "b"), (OWN, "a"), (CALL, "b")], PASSED),
        ([BORROWED, f"def helper():\n    return 1\n\n{OWN}", CALL], PASSED),
        # Another cell runs in grading too. Where a later one defines it anew, a person looks.
        ([(BORROWED, "a"), (OWN, "b"), CALL], LOOKED_AT),
        ([(OWN, "a"), (BORROWED, "b"), CALL], REFUSED.replace("cell 2", "cell 3")),
        ([OWN, "expected = F.softmax(torch.ones(2), -1)\nweigh(expected)", CALL], PASSED),
        # What came with the assignment may use what it likes.
        (["def compare(scores):\n    return F.softmax(scores, -1)",
          "def weigh(scores):\n    return compare(scores)", CALL], PASSED),
    ],
)  # fmt: skip
def test_a_check_refuses_what_grading_refuses(cells, printed, notebook):
    assert notebook(*cells) == printed


def test_without_a_shell_there_is_nothing_to_judge(capsys):
    check = Checks(["softmax"])
    check(lambda weigh: None, torch.softmax, points=2)
    assert capsys.readouterr().out == "<lambda>: passed (2 points)\n"


def test_a_cell_that_is_not_python_is_remembered_all_the_same():
    check = Checks(["softmax"])
    for source in ("%%bash\nls", "def f(:", None):
        info = SimpleNamespace(raw_cell=source)
        check.remember(SimpleNamespace(info=info, execution_count=3))
    assert [number for _, number, _ in check.cells] == [3, 3, 3]


def test_a_doubt_is_told_beside_the_verdict(notebook):
    text = "def read(name):\n    return eval(name)"
    assert notebook(OWN, text, CALL) == PASSED
    printed = notebook(text, OWN.replace("return ", "return read('1') * "), CALL)
    assert printed.startswith(PASSED)
    assert "when this is graded, a person will look: cell 6 uses eval, which" in printed
