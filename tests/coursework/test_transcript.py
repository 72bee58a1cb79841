"""The commands on the teachers' pages are run, and print what the pages say."""

import re
from pathlib import Path

import pytest
import transcript
from softlookup_coursework.assignments.course import Course
from softlookup_coursework.common.result_files import RESULT
from softlookup_coursework.common.verdicts import Verdict

NAME = "attention_and_masks"
COMMANDS = (
    "doctor", "release", "collect", "grade", "feedback", "export", "likeness", "template", "check",
)  # fmt: skip
RUNNING = transcript.PAGES["running"]
STEPS = [
    (page, number)
    for page, text in transcript.PAGES.items()
    for number in range(len(transcript.steps(text)))
]


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """Each page's steps, with what they really printed."""
    return {
        page: transcript.run(text, tmp_path_factory.mktemp(page), NAME)
        for page, text in transcript.PAGES.items()
    }


@pytest.mark.parametrize(("page", "number"), STEPS)
def test_a_command_prints_what_the_page_says(page, number, done):
    step, came = transcript.steps(transcript.PAGES[page])[number], done[page][number]
    assert came.printed == step.printed, step.command


@pytest.mark.parametrize("page", transcript.PAGES)
def test_a_command_succeeds_unless_a_person_has_to_look(page, done):
    for step in done[page]:
        needs_a_human = "Look at these" in step.printed or "│ NO " in step.printed
        assert step.status == int(needs_a_human), step.command
    assert any(step.status for step in done[page])


def test_the_pages_run_every_command():
    commands = [s.command for text in transcript.PAGES.values() for s in transcript.steps(text)]
    for name in COMMANDS:
        assert any(command.startswith(f"softlookup-coursework {name}") for command in commands)
    assert sum(bool(step.points) for step in transcript.steps(RUNNING)) == 1


def test_the_page_lists_exactly_the_existing_verdicts():
    rows = RUNNING.split("| verdict | what happened")[1].split("\n\n")[0].splitlines()[2:]
    verdicts = [row.split("|")[1].strip() for row in rows]
    assert verdicts == [verdict.value for verdict in Verdict]


def test_the_page_says_where_one_submission_is_graded_anew():
    first, *_ = re.findall(r"^softlookup-coursework one \S+ \S+ (\S+)$", RUNNING, re.M)
    assert Path(first) == Course(Path("autumn")).results(NAME, "ada") / RESULT


def test_a_page_with_other_output_is_found(tmp_path):
    page = "```console\n$ echo one\none\n$ echo two\nthree\n```\n"
    came = transcript.run(page, tmp_path, NAME)
    pairs = zip(came, transcript.steps(page), strict=True)
    assert [one.printed == other.printed for one, other in pairs] == [True, False]
