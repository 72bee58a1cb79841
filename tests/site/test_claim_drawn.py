"""A claim's drawing shows the printed numbers, each on its side of the bound."""

import re

import built  # noqa: F401 - puts the extensions on the path
import pytest
from softlookup.course.claims import Claim, Rival, Spread

import claim_drawn  # isort: skip

FINDING = Claim(
    "finding", "7-skip-trains", "with a skip it trains (share right)", Spread(0.81, 0.9), ">=", 0.7,
    "3 seeds", (Rival("no skip", Spread(0.1, 0.2)), Rival("a wider model", Spread(0.3, 0.69))),
)  # fmt: skip
FEWER = Claim(
    "finding", "2-errs-less", "it errs less", Spread(1e-4, 2e-4), "<=", 1e-3,
    "3 seeds", (Rival("the mean", Spread(0.5, 0.9)),),
)  # fmt: skip


def strips(claim):
    """For each row: what is shaded, where the bound stands, where the runs lie."""
    found = []
    for text in [node.astext() for node in claim_drawn.drawn(claim).findall() if svg(node)]:
        numbers = {
            f"{kind}-{name}": float(value)
            for kind, attributes in re.findall(r'class="(kept|bound|runs)" ([^/]*)/', text)
            for name, value in re.findall(r'(x1?|x2|width)="([\d.]+)"', attributes)
        }
        found.append(numbers)
    return found


def svg(node):
    return node.tagname == "raw"


@pytest.mark.parametrize("claim", [FINDING, FEWER])
def test_the_measured_runs_lie_in_the_shade_and_the_rivals_outside(claim):
    own, *rivals = strips(claim)
    assert len(rivals) == len(claim.rivals)
    shade = (own["kept-x"], own["kept-x"] + own["kept-width"])
    assert shade[0] - 0.1 <= own["runs-x1"] < own["runs-x2"] <= shade[1] + 0.1
    for rival in rivals:
        assert rival["bound-x1"] == own["bound-x1"]
        inside = shade[0] < rival["runs-x1"] < shade[1] or shade[0] < rival["runs-x2"] < shade[1]
        assert not inside


def test_a_linear_scale_keeps_distances_and_a_logarithmic_one_ratios():
    place = claim_drawn.scale([0.1, 0.2, 0.3])
    assert place(0.2) - place(0.1) == pytest.approx(place(0.3) - place(0.2))
    place = claim_drawn.scale([1e-4, 1e-2, 1.0])
    assert place(1e-2) - place(1e-4) == pytest.approx(place(1.0) - place(1e-2))


def test_a_logarithmic_scale_is_named():
    assert "The scale is logarithmic." in claim_drawn.drawn(FEWER).astext()
    assert "logarithmic" not in claim_drawn.drawn(FINDING).astext()


@pytest.mark.parametrize("numbers", [[0.5, 0.5], [0.1, float("inf")], [float("nan"), 1.0]])
def test_what_cannot_be_drawn_is_not(numbers):
    assert claim_drawn.scale(numbers) is None


def test_the_words_say_what_was_measured_and_against_what():
    text = claim_drawn.drawn(FINDING).astext()
    for words in (
        "With a skip it trains (share right).",
        "measured over 3 seeds",
        "0.81 to 0.9",
        "rival: a wider model",
        "0.3 to 0.69",
        "The claim: at least 0.7.",
    ):
        assert words in text


def test_a_law_needs_no_drawing():
    law = Claim("law", "3-sums", "weights sum to one", Spread(2e-16, 2e-16), "<=", 1e-12)
    made = claim_drawn.drawn(law)
    assert made["ids"] == ["claim-3-sums"]
    assert "Measured: 2 × 10⁻¹⁶. The claim: at most 10⁻¹²." in made.astext()
    assert not [node for node in made.findall() if svg(node)]
