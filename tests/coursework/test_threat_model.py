"""The page on what grading withstands names walls, limits and tests that exist."""

import json
import re
from pathlib import Path

import pytest
from softlookup_coursework.assignments import source
from softlookup_coursework.common.limits import MEBIBYTE, RunLimits
from softlookup_coursework.feedback import limited, rendering
from softlookup_coursework.grading import failing, forked_grader
from softlookup_coursework.sandbox import control_groups, sandbox, seccomp
from softlookup_coursework.sandbox.inside import privileges, trees

TESTS = Path(__file__).parent
PAGE = (TESTS.parents[1] / "book" / "teaching" / "threat_model.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (?!---|promise|wall)(.+) \| ([^|]+) \|$", PAGE, re.M)
WALLS = PAGE.partition("## The walls")[2].partition("## What is not promised")[0]


def wall(begins):
    """A wall's row."""
    (row,) = [line for line in WALLS.splitlines() if line.startswith(f"| **{begins}")]
    return row


def test_every_wall_and_promise_names_tests_that_exist():
    assert len(ROWS) > 20
    for row, last in ROWS:
        names = re.findall(r"`(\w+)`", last)
        assert names, row
        for name in names:
            assert (TESTS / f"test_{name}.py").is_file(), name


def test_the_resource_limits_are_those_that_are_set():
    named = re.findall(r"`([A-Z]+)`", wall("Resource limits"))
    assert {f"RLIMIT_{name}" for name in named} == set(RunLimits().for_each_process())


def test_the_namespaces_are_those_that_are_made():
    named = {name.removeprefix("CLONE_") for name in re.findall(r"`(\w+)`", wall("Namespaces"))}
    made = {name.removeprefix("CLONE_") for name in vars(privileges) if name.startswith("CLONE_")}
    assert {name for name in named if name.startswith("NEW")} == made


def test_the_control_groups_files_are_those_that_are_written(tmp_path):
    group = control_groups.Group(tmp_path, RunLimits())
    written = {path.name for path in group.folder.iterdir()}
    assert set(re.findall(r"`([a-z]+\.[a-z.]+)`", wall("Control group"))) == written


@pytest.mark.parametrize(
    ("begins", "words"),
    [
        ("Mounts", f"`max={privileges.TERMINALS}`"),
        ("The scheduler", {3: "more than three threads"}.get(sandbox.MOST_RUNNABLE)),
        ("The channel", f"at most {RunLimits().answer_bytes // MEBIBYTE} MiB"),
        ("The channel", f"{trees.MOST_NUMBERS >> 20} million numbers"),
        ("`RLIMIT_DATA`", f"{forked_grader.GRADER_MEMORY >> 30} GiB above"),
        ("The child", {2.0: "two seconds a text"}.get(limited.TEXT_SECONDS)),
        ("The child", {10.0: "ten a student"}.get(rendering.PAGE_SECONDS)),
    ],
)
def test_a_number_is_that_of_the_code(begins, words):
    assert words is not None, "the number has changed: write it into the page and here"
    assert words in wall(begins)


def test_the_calls_that_the_page_names_are_denied():
    denied = {*seccomp.DENIED, "flock"}
    for name in re.findall(r"`([a-z_]+)`", wall("seccomp").split("|")[2]):
        found = {call for call in denied if call.startswith(name)}
        assert found, name
    for name in re.findall(r"`([a-z]+)`", wall("`/proc`").split("|")[1]):
        assert name in privileges.HIDDEN or name in ("sys", "irq", "bus")


def test_the_bits_that_a_mark_tells_are_those_of_the_assignment_with_the_most_tests():
    told = PAGE.partition("**What a mark tells.**")[2].partition("\n")[0]
    notebooks = [source.find(name) / f"{name}.ipynb" for name in source.names()]
    tests = [
        sum(
            len(cell["metadata"].get("softlookup", {}).get("tests", ())) for cell in stored["cells"]
        )
        for stored in (json.loads(path.read_text(encoding="utf-8")) for path in notebooks)
    ]
    assert f"at most {max(tests)} in one grading" in told
    assert f"{failing.LONGEST_FAULT_OF_HIDDEN} characters of ASCII more" in told
