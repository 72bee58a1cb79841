"""The page of all claims says what the chapters store, no more and no less."""

import json

import pytest
from built import NOTEBOOKS, built_page
from softlookup.course.claims import parse

import claims_table  # isort: skip
import outputs  # isort: skip


def stored_claims():
    """Every claim that a chapter's cells printed, read independently of the extension."""
    claims = []
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            for output in cell.get("outputs", []):
                lines = "".join(output.get("text", [])).splitlines()
                claims += [(path.stem, claim) for claim in map(parse, lines) if claim]
    return claims


@pytest.mark.site
def test_the_page_lists_every_claim_with_its_place(site):
    page = built_page(site / "book/claims.html")
    rows = [row.select("td") for row in page.soup.select("table.claims-table tbody tr")]
    shown = [
        (
            row[0].a["href"],
            row[0].get_text(strip=True),
            # Sphinx sets quotation marks and apostrophes as a printer would.
            row[1].get_text(strip=True).translate(str.maketrans("’‘“”", "''\"\"")),
            row[2].get_text(strip=True),
        )
        for row in rows
    ]
    expected = [
        (
            f"../notebooks/{chapter}.html#claim-{claim.id}",
            claim.id,
            claim.statement,
            claims_table.pretty(claim.measured),
        )
        for chapter, claim in stored_claims()
    ]
    assert expected
    assert shown == expected


@pytest.mark.site
def test_the_page_counts_them(site):
    words = built_page(site / "book/claims.html").soup.article.get_text(" ")
    assert f"{len(stored_claims())} claims in {len(list(NOTEBOOKS.glob('*.ipynb')))}" in words


@pytest.mark.site
def test_each_claim_has_its_anchor_in_its_chapter(site):
    for chapter, claim in stored_claims():
        assert outputs.anchor(claim.id) in built_page(site / f"notebooks/{chapter}.html").anchors


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (0.46, "0.46"),
        (-1.5, "−1.5"),
        (6.0e-8, "6 × 10⁻⁸"),
        (1e-6, "10⁻⁶"),
        (-2.22e-16, "−2.22 × 10⁻¹⁶"),
        (124e6, "1.24 × 10⁸"),
        (512.0, "512"),
        (float("inf"), "inf"),
    ],
)
def test_numbers_are_written_as_people_write_them(value, text):
    assert claims_table.pretty(value) == text
