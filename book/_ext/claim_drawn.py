"""A claim as readers want it: the sentence, what was measured drawn beside its bound, the rivals.

The drawing is a strip for each row: a bar from the least to the greatest run, the bound as a line,
and shade where the bound is kept. All rows of a claim share one scale. The numbers stand beside
it, so the drawing is for the eye alone.
"""

import math
from collections.abc import Callable

from claim_words import anchor, pretty, spread
from docutils import nodes
from softlookup.course.claims import Claim, Spread

WIDTH, HEIGHT, MARGIN = 240, 18, 6
# Beyond this ratio the smaller of two numbers would lie on the axis.
LOGARITHMIC = 30.0
MARKS = {"law": "Law, checked", "finding": "Finding, checked"}
SAID = {"<=": "at most", "<": "less than", ">=": "at least", ">": "more than"}


def logarithmic(numbers: list[float]) -> bool:
    """Whether numbers lie so far apart that their ratios are drawn, and not their differences."""
    return min(numbers) > 0 and max(numbers) / min(numbers) > LOGARITHMIC


def scale(numbers: list[float]) -> Callable[[float], float] | None:
    """From a number to its place in a strip; None where the numbers cannot be drawn."""
    if not all(math.isfinite(number) for number in numbers) or min(numbers) == max(numbers):
        return None
    least, greatest = min(numbers), max(numbers)
    turn = math.log if logarithmic(numbers) else float
    low, high = turn(least), turn(greatest)
    return lambda number: MARGIN + (WIDTH - 2 * MARGIN) * (turn(number) - low) / (high - low)


def strip(claim: Claim, gives: Spread, place: Callable[[float], float], name: str) -> nodes.raw:
    """A row of the drawing, as SVG; what it shows is said beside it."""
    bound, middle = place(claim.bound), HEIGHT / 2
    start, end = (0.0, bound) if claim.relation.startswith("<") else (bound, float(WIDTH))
    left, right = place(gives.least), place(gives.greatest)
    # A single run is a dot.
    right = max(right, left + 0.1)
    text = (
        f'<svg class="strip {name}" viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true">'
        f'<rect class="kept" x="{start:.1f}" width="{end - start:.1f}" height="{HEIGHT}"/>'
        f'<line class="bound" x1="{bound:.1f}" x2="{bound:.1f}" y2="{HEIGHT}"/>'
        f'<line class="runs" x1="{left:.1f}" x2="{right:.1f}" y1="{middle}" y2="{middle}"/>'
        "</svg>"
    )
    return nodes.raw("", text, format="html")


def rows(claim: Claim) -> list[tuple[str, str, Spread]]:
    """Each row's class, its words, and what it shows: the claim's own, then the rivals."""
    own = f"measured over {claim.over}" if claim.over else "measured"
    rivals = [("rival", f"rival: {rival.name}", rival.measured) for rival in claim.rivals]
    return [("own", own, claim.measured), *rivals]


def drawn(claim: Claim) -> nodes.container:
    """A claim, to be set where a cell printed it."""
    sentence = claim.statement[0].upper() + claim.statement[1:]
    head = nodes.paragraph(classes=["claim-sentence"])
    head += nodes.inline("", MARKS[claim.kind], classes=["claim-kind"])
    head += nodes.Text(f" {sentence}.")
    bound = f"The claim: {SAID[claim.relation]} {pretty(claim.bound)}."
    if claim.kind == "finding":
        table, hint = compared(claim)
        body = [table, nodes.paragraph("", bound + hint, classes=["claim-bound"])]
    else:
        text = f"Measured: {spread(claim.measured)}. {bound}"
        body = [nodes.paragraph("", text, classes=["claim-bound"])]
    classes = ["claim", claim.kind]
    return nodes.container("", head, *body, ids=[anchor(claim.id)], classes=classes)


def compared(claim: Claim) -> tuple[nodes.container, str]:
    """A finding's rows on one scale, and what is to be said of the scale."""
    shown = rows(claim)
    numbers = [end for _, _, gives in shown for end in (gives.least, gives.greatest)]
    numbers.append(claim.bound)
    place = scale(numbers)
    table = nodes.container(classes=["claim-rows"])
    for name, words, gives in shown:
        row = nodes.container(classes=["claim-row", name])
        row += nodes.inline("", words, classes=["claim-words"])
        row += nodes.inline("", spread(gives), classes=["claim-value"])
        if place is not None:
            row += strip(claim, gives, place, name)
        table += row
    unusual = place is not None and logarithmic(numbers)
    return table, " The scale is logarithmic." if unusual else ""
