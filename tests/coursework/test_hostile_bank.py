"""Every attack of the bank gets its verdict and gains nothing, and the good ones their marks.

Each attack is bounded by itself (see its file) and runs under limits that `test_sandbox.py` has
seen to hold. The network attack knows one address: a listener that this test opens.
"""

import os
import re
import socket

import hostile_bank as bank
import pytest
from softlookup_coursework import processes, zygote
from softlookup_coursework.assignment import Assignment
from softlookup_coursework.grade_one import grade
from softlookup_coursework.limits import MEBIBYTE, RunLimits
from softlookup_coursework.verdicts import Verdict

LIMITS = RunLimits(
    wall_seconds=60,
    cell_seconds=8,
    call_seconds=4,
    memory_bytes=700 * MEBIBYTE,
    processes=40,
    files_bytes=32 * MEBIBYTE,
    files=1500,
    output_bytes=2 * MEBIBYTE,
    answer_bytes=8 * MEBIBYTE,
)
ATTACKS = sorted((bank.BANK / "hostile").glob("*.py"))


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    zygote.mine()  # before any process is counted
    return Assignment.load(bank.write_assignment(tmp_path_factory.mktemp("assignment")))


@pytest.fixture(scope="module")
def listener():
    """An address on this machine, and whether anybody called there."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.01)
        yield server


def test_there_are_at_least_twenty_attacks():
    assert len(ATTACKS) >= 20


def check_good(assignment, folder):
    result = grade(assignment, bank.write_submission(folder, bank.cells()), LIMITS)
    assert result.verdict == Verdict.GRADED
    assert [cell.earned for cell in result.cells] == [1.0, 4.0, 3.0, None]


def test_a_good_submission_before(assignment, tmp_path):
    check_good(assignment, tmp_path / "good")


@pytest.mark.parametrize("path", ATTACKS, ids=lambda path: path.stem)
def test_an_attack_gains_nothing(path, assignment, listener, tmp_path):
    source = path.read_text()
    expected = dict(re.findall(r"^# (verdict|earns|says): (.+)$", source, re.M))
    source = source.replace("PORT", str(listener.getsockname()[1]))
    folder = bank.write_submission(tmp_path / "student", bank.cells(source, "pass"))
    (tmp_path / "neighbour").write_text("untouched")
    mine = set(processes.family(os.getpid()))

    result = grade(assignment, folder, LIMITS)

    words = [result.why, *(test.message for cell in result.cells for test in cell.tests)]
    assert result.verdict == Verdict(expected["verdict"]), words
    assert result.earned == float(expected["earns"]), words
    assert any(expected["says"] in word for word in words), words
    assert result.points == 13
    assert set(processes.family(os.getpid())) <= mine, "a process is left"
    left = sorted(file.name for file in tmp_path.rglob("*"))
    assert left == ["files", "neighbour", "notebook.ipynb", "student"]
    with pytest.raises(TimeoutError):
        listener.accept()


def test_a_good_submission_after(assignment, tmp_path):
    check_good(assignment, tmp_path / "good")
