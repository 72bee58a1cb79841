"""Claims and verdicts are set apart from what else a cell prints."""

import built  # noqa: F401 - puts the extensions on the path
import pytest
from docutils import nodes
from softlookup.course.claims import Claim, Spread
from softlookup.course.exercises.verdict import Verdict

import outputs  # isort: skip

CLAIM = str(Claim("law", "3-sums-to-one", "weights sum to one", Spread(0, 2e-8), "<=", 1e-6))
OTHER = str(Claim("claim", "3-is-a-set", "order does not matter", Spread(0, 0), "<=", 1e-12))


def block(text: str) -> nodes.literal_block:
    return nodes.literal_block(text, text, classes=["output", "stream"], language="myst-ansi")


def test_a_mixed_output_is_cut_in_its_order():
    pieces = outputs.set_apart(block(f"rows 5\n{CLAIM}\n{OTHER}\ndone"))
    assert [type(piece) for piece in pieces] == [
        nodes.literal_block,
        nodes.target,
        nodes.target,
        nodes.literal_block,
        nodes.literal_block,
    ]
    assert pieces[0].astext() == "rows 5"
    assert [target["ids"] for target in pieces[1:3]] == [
        ["claim-3-sums-to-one"],
        ["claim-3-is-a-set"],
    ]
    assert pieces[3].astext() == f"{CLAIM}\n{OTHER}"
    assert pieces[3]["classes"] == ["output", "stream", "claims"]
    assert pieces[4].astext() == "done"
    assert pieces[4]["classes"] == ["output", "stream"]
    assert all(piece["language"] == "myst-ansi" for piece in pieces[3:])


def test_what_has_no_claim_stays_as_it_is():
    document = nodes.container()
    document += block("rows 5\nclaim 3-x fails")
    before = document.pformat()
    outputs.set_outputs(None, document)
    assert document.pformat() == before


def test_an_anchor_does_not_look_like_an_output():
    document = nodes.container()
    document += block(CLAIM)
    outputs.set_outputs(None, document)
    target, output = document.children
    assert target["classes"] == []
    assert output["classes"] == ["output", "stream", "claims"]


def test_code_that_quotes_a_claim_is_no_output():
    document = nodes.container()
    document += nodes.literal_block(CLAIM, CLAIM, language="python")
    outputs.set_outputs(None, document)
    assert len(document.children) == 1


@pytest.mark.parametrize("outcome", ["passed", "mistake", "unfinished"])
def test_every_verdict_is_known(outcome):
    assert outputs.kind(repr(Verdict("2.1", outcome, "softmax runs over keys"))) == "verdict"
