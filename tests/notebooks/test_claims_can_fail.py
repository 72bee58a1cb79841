"""A claim that no planted mistake can break is no claim: plant one for each, and see it fall.

``planted/chapter_NN.py`` holds ``PLANTED``, a list of (claim id, what is wrong, source text of
the chapter, text that takes its place). Only the part of the chapter that its claims depend on
is run. There each claim must hold as the chapter stands, and fall to each mistake planted for
it. A mistake is made in what is measured, never in the claim: its relation and bound stay.
"""

import ast
import functools
import json
import os
import subprocess
import sys

import nbformat
import pytest
from chapters import ROOT, Chapter, all_chapters
from contract_outputs import claims_of
from slices import claims_in, statements
from softlookup.course.claims import parse
from trials import planted_in

CLAIMS = [
    pytest.param(chapter, parse(line).id, id=parse(line).id)
    for chapter in all_chapters()
    for line in claims_of(chapter)
]
PLANTED = [
    pytest.param(chapter, number, id=f"{entry[0]} {entry[1]}")
    for chapter in all_chapters()
    for number, entry in enumerate(planted_in(chapter))
]


@functools.cache
def trial_of(chapter):
    """The chapter's trial, in a process of its own, as a kernel would run it.

    It runs once, even where it breaks off; each test that asks for it then says why.
    """
    paths = ["tests", "tests/notebooks", "tools", os.environ.get("PYTHONPATH", "")]
    return subprocess.run(
        [sys.executable, "tests/notebooks/trials.py", chapter.id],
        cwd=ROOT,
        env=os.environ
        | {
            "MPLBACKEND": "Agg",
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
            "OBJC_DISABLE_INITIALIZE_FORK_SAFETY": "YES",
        },
        capture_output=True,
        text=True,
        check=False,
    )


def tried(chapter):
    """What came of the chapter's trial."""
    trial = trial_of(chapter)
    assert trial.returncode == 0, f"the trial of {chapter.id} broke off:\n{trial.stderr}"
    return json.loads(trial.stdout)


@pytest.mark.parametrize(("chapter", "claim_id"), CLAIMS)
def test_a_mistake_is_planted_for_the_claim(chapter, claim_id):
    assert claim_id in {entry[0] for entry in planted_in(chapter)}


@pytest.mark.parametrize(("chapter", "claim_id"), CLAIMS)
def test_the_claim_holds_on_what_it_depends_on(chapter, claim_id):
    assert claim_id in tried(chapter)["held"]


@pytest.mark.parametrize(("chapter", "number"), PLANTED)
def test_the_claim_falls_to_the_planted_mistake(chapter, number):
    claim_id = planted_in(chapter)[number][0]
    assert tried(chapter)["fates"][number].startswith(f"ClaimError: claim {claim_id} is FALSE")


@pytest.mark.parametrize(("chapter", "number"), PLANTED)
def test_the_mistake_is_not_made_in_the_claim(chapter, number):
    _, _, old, new = planted_in(chapter)[number]
    stated, planted = (
        [
            [ast.dump(argument) for argument in (call.args[0], *call.args[3:])]
            for statement in statements(chapter, replacement)
            for call in claims_in(statement.node)
        ]
        for replacement in (None, (old, new))
    )
    assert stated == planted


def test_a_trial_that_breaks_off_runs_once_and_tells_each_test_why(tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text("import sys; print('my path', file=sys.stderr)")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    nowhere = Chapter("99_nowhere", nbformat.v4.new_notebook())
    before = trial_of.cache_info().misses
    for _ in range(2):
        with pytest.raises(AssertionError, match=r"99_nowhere broke off:(?s:.)*ValueError") as told:
            tried(nowhere)
        assert "my path" in str(told.value)
    assert trial_of.cache_info().misses == before + 1
