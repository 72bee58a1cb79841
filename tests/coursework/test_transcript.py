"""The commands on the teachers' page are run, and print what the page says."""

import pytest
import transcript
from softlookup_coursework.common.verdicts import Verdict

NAME = "attention_and_masks"
PAGE = transcript.PAGE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    return transcript.run(PAGE, tmp_path_factory.mktemp("teacher"), NAME)


@pytest.mark.parametrize("number", range(len(transcript.steps(PAGE))))
def test_a_command_prints_what_the_page_says(number, done):
    step, came = transcript.steps(PAGE)[number], done[number]
    assert came.printed == step.printed, step.command


def test_a_command_succeeds_unless_a_person_has_to_look(done):
    for step in done:
        needs_a_human = "Look at these" in step.printed
        assert step.status == int(needs_a_human), step.command
    assert any(step.status for step in done)


def test_the_page_runs_every_command():
    commands = [step.command for step in transcript.steps(PAGE)]
    for name in ("doctor", "release", "collect", "grade", "feedback", "export"):
        assert any(command.startswith(f"softlookup-coursework {name}") for command in commands)
    assert sum(bool(step.points) for step in transcript.steps(PAGE)) == 1


def test_the_page_lists_exactly_the_existing_verdicts():
    rows = PAGE.split("| verdict | what happened")[1].split("\n\n")[0].splitlines()[2:]
    verdicts = [row.split("|")[1].strip() for row in rows]
    assert verdicts == [verdict.value for verdict in Verdict]


def test_a_page_with_other_output_is_found(tmp_path):
    page = "```console\n$ echo one\none\n$ echo two\nthree\n```\n"
    came = transcript.run(page, tmp_path, NAME)
    pairs = zip(came, transcript.steps(page), strict=True)
    assert [one.printed == other.printed for one, other in pairs] == [True, False]
