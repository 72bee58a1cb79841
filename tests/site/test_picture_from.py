"""A chapter's figure on another page: the stored picture, its words, and a claim behind it."""

import json

import pytest
from built import ROOT, SITE, built_page
from picture_from import stored_picture

WELCOME = "book/index.html"
PNG = "iVBORw0KGgo="


@pytest.fixture
def notebook(tmp_path):
    """A notebook whose cells can be anything."""

    def write(**cell):
        path = tmp_path / "chapter.ipynb"
        path.write_text(json.dumps({"cells": [{"id": "drawn", "metadata": {}, **cell}]}))
        return path

    return write


def drawing(shows, outputs):
    metadata = {"softlookup": {"shows": shows}, "mystnb": {"image": {"alt": "A line."}}}
    return {"metadata": metadata, "outputs": outputs}


def test_the_picture_and_its_words_are_the_stored_ones(notebook):
    path = notebook(**drawing(["1-a"], [{"data": {"image/png": PNG}}]))
    assert stored_picture(path, "drawn") == (b"\x89PNG\r\n\x1a\n", "A line.")


@pytest.mark.parametrize(
    ("asked", "cell", "said"),
    [
        ("other", drawing(["1-a"], []), "has no cell 'other'"),
        ("drawn", drawing([], [{"data": {"image/png": PNG}}]), "shows no claim"),
        ("drawn", drawing(["1-a"], [{"text": "1"}]), "has stored no picture"),
    ],
)
def test_what_cannot_be_shown_is_refused(notebook, asked, cell, said):
    with pytest.raises(ValueError, match=said):
        stored_picture(notebook(**cell), asked)


@pytest.mark.site
def test_the_welcome_shows_three_findings_each_with_its_claim():
    shown = built_page(SITE / WELCOME).soup.select(".picture-from")
    assert len(shown) == 3
    for each in shown:
        assert each.select("a.claim-mark-finding")
        page = each.select_one("a:has(> img)")["href"]
        assert (SITE / "book" / page).resolve().is_file()
        chapter = (ROOT / "notebooks" / page.rpartition("/")[2]).with_suffix(".ipynb")
        alternatives = [
            cell["metadata"].get("mystnb", {}).get("image", {}).get("alt")
            for cell in json.loads(chapter.read_text("utf-8"))["cells"]
        ]
        assert each.select_one("img")["alt"] in alternatives
