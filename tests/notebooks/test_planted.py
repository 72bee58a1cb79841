"""A mistake is planted for every claim, and in what is measured.

``planted/chapter_NN.py`` holds ``PLANTED``, a list of (claim id, what is wrong, source text of
the chapter, text that takes its place). That each of them fells its claim is tested where the
chapter is run, by ``strict_nbval.py``. A mistake is made in what is measured, never in the claim:
its relation and bound stay.
"""

import ast
from functools import cache

import pytest
from chapters import all_chapters
from contract_outputs import claim_ids
from plan import planted_in
from slices import claims_in, kept_cells

CLAIMS = [
    pytest.param(chapter, claim_id, id=claim_id)
    for chapter in all_chapters()
    for claim_id in claim_ids(chapter)
]
MISTAKES = [
    pytest.param(chapter, old, new, id=f"{claim_id} {what}")
    for chapter in all_chapters()
    for claim_id, what, old, new in planted_in(chapter)
]


@pytest.mark.parametrize(("chapter", "claim_id"), CLAIMS)
def test_a_mistake_is_planted_for_the_claim(chapter, claim_id):
    assert claim_id in {entry[0] for entry in planted_in(chapter)}


@cache
def stated_in(source):
    """The claims that a cell states: their words, relations and bounds."""
    return [
        [ast.dump(argument) for argument in (call.args[0], *call.args[3:])]
        for call in claims_in(ast.parse(source))
    ]


@pytest.mark.parametrize(("chapter", "old", "new"), MISTAKES)
def test_the_mistake_is_not_made_in_the_claim(chapter, old, new):
    (cell,) = [cell for cell in kept_cells(chapter) if old in cell.source]
    assert cell.source.count(old) == 1
    assert stated_in(cell.source) == stated_in(cell.source.replace(old, new))
