"""The page of all claims says what the chapters store, no more and no less."""

import json

import pytest
from built import NOTEBOOKS, built_page
from softlookup.course.claims import Claim, Spread, parse

import claims_table  # isort: skip
import claim_words  # isort: skip


def plain(cell):
    """A cell's words. Sphinx sets quotation marks and apostrophes as a printer would."""
    return cell.get_text(" ", strip=True).translate(str.maketrans("’‘“”", "''\"\""))


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
            plain(row[1]),
            plain(row[2]),
        )
        for row in rows
    ]
    expected = [
        (
            f"../notebooks/{chapter}.html#claim-{claim.id}",
            claim.id,
            " ".join(
                (
                    claim.statement,
                    *(
                        f"Rival: {rival.name}, {claims_table.spread(rival.measured)}"
                        for rival in claim.rivals
                    ),
                )
            ),
            claims_table.spread(claim.measured) + (f" over {claim.over}" if claim.over else ""),
        )
        for chapter, claim in stored_claims()
    ]
    assert expected
    assert sorted(shown) == sorted(expected)


@pytest.mark.site
def test_findings_stand_before_laws(site):
    page = built_page(site / "book/claims.html")
    kinds = {claim.id: claim.kind for _, claim in stored_claims()}
    for section in page.soup.select("section section"):
        listed = [kinds[link.get_text()] for link in section.select("a.claim-id")]
        assert listed == sorted(listed, key=["finding", "law"].index)


@pytest.mark.site
def test_the_page_counts_them(site):
    words = built_page(site / "book/claims.html").soup.article.get_text(" ")
    total = claims_table.counted(claim for _, claim in stored_claims())
    assert f"{total} in {len(list(NOTEBOOKS.glob('*.ipynb')))}" in words


def claim(kind):
    return Claim(kind, "1-a", "it is so", Spread(1, 2), ">", 0)


def test_claims_are_counted_by_kind():
    assert claims_table.counted([]) == ""
    assert claims_table.counted(map(claim, ["law"])) == "1 law"
    several = map(claim, ["law", "finding", "law", "law"])
    assert claims_table.counted(several) == "1 finding and 3 laws"


def test_a_spread_is_written_once_where_its_ends_agree():
    assert claims_table.spread(Spread(-0.5, 1e-6)) == "−0.5 to 10⁻⁶"
    assert claims_table.spread(Spread(0.1234, 0.1233)) == "0.123"


@pytest.mark.site
def test_each_claim_has_its_anchor_in_its_chapter(site):
    for chapter, claim in stored_claims():
        assert (
            claim_words.anchor(claim.id) in built_page(site / f"notebooks/{chapter}.html").anchors
        )


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
