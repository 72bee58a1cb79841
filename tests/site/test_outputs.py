"""Claims and verdicts are set apart from what else a cell prints."""

import built  # noqa: F401 - puts the extensions on the path
import pytest
from docutils import nodes
from softlookup.course.claims import Claim, Spread
from softlookup.course.exercises.verdict import Verdict

import outputs  # isort: skip

CLAIM = str(Claim("law", "3-sums-to-one", "weights sum to one", Spread(0, 2e-8), "<=", 1e-6))
OTHER = str(Claim("finding", "3-is-a-set", "order does not matter", Spread(0, 0), "<=", 1e-12))


def block(text: str) -> nodes.literal_block:
    return nodes.literal_block(text, text, classes=["output", "stream"], language="myst-ansi")


def test_a_mixed_output_is_cut_in_its_order():
    printed, claims, rest = outputs.set_apart(block(f"rows 5\n{CLAIM}\n{OTHER}\ndone"))
    assert printed.astext() == "rows 5"
    assert claims["classes"] == ["claims"]
    assert [claim["ids"] for claim in claims] == [["claim-3-sums-to-one"], ["claim-3-is-a-set"]]
    assert rest.astext() == "done"
    for piece in (printed, rest):
        assert piece["classes"] == ["output", "stream"]
        assert piece["language"] == "myst-ansi"


def test_what_has_no_claim_stays_as_it_is():
    document = nodes.container()
    document += block("rows 5\nclaim 3-x fails")
    before = document.pformat()
    outputs.set_outputs(None, document)
    assert document.pformat() == before


def test_what_stood_around_a_claim_keeps_its_place():
    document = nodes.container()
    document += [nodes.paragraph(text="before"), block(CLAIM), nodes.paragraph(text="behind")]
    outputs.set_outputs(None, document)
    before, claims, behind = document.children
    assert (before.astext(), behind.astext()) == ("before", "behind")
    assert claims["classes"] == ["claims"]


def test_code_that_quotes_a_claim_is_no_output():
    document = nodes.container()
    document += nodes.literal_block(CLAIM, CLAIM, language="python")
    outputs.set_outputs(None, document)
    assert len(document.children) == 1


@pytest.mark.parametrize("outcome", ["passed", "mistake", "unfinished"])
def test_every_verdict_is_known(outcome):
    assert outputs.kind(repr(Verdict("2.1", outcome, "softmax runs over keys"))) == "verdict"
