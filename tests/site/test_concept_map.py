"""The concept map: true to the chapters, and readable without eyes."""

import json
from xml.etree import ElementTree

import pytest
from built import NOTEBOOKS, built_page

import concept_map  # isort: skip
from contents import Chapter, read_chapter  # isort: skip

SVG = "{http://www.w3.org/2000/svg}"


def chapter(id, number, prerequisites=(), teaches=("a < b", "c & d")):
    return Chapter(id, number, f"notebooks/{id}", id.upper(), prerequisites, teaches, 30, (), 0)


THREE = [chapter("one", 1), chapter("two", 2, ("one",)), chapter("three", 3, ("one", "two"))]


def drawn(chapters):
    svg = concept_map.draw(chapters, {c.id: f"{c.id}.html" for c in chapters})
    return ElementTree.fromstring(svg.replace("<svg ", f'<svg xmlns="{SVG[1:-1]}" ', 1))


def test_each_direct_prerequisite_is_an_arc_and_each_chapter_a_link():
    svg = drawn(THREE)
    # Chapter 3 builds on 1 by way of 2.
    assert len(svg.findall(f"{SVG}g/{SVG}path")) == 2
    assert [link.get("href") for link in svg.findall(f"{SVG}a")] == [
        "one.html",
        "two.html",
        "three.html",
    ]


def test_an_arc_joins_the_two_chapters_it_speaks_of():
    svg = drawn(THREE[:2])
    ends = [float(circle.get("cy")) for circle in svg.iter(f"{SVG}circle")]
    path = svg.find(f"{SVG}g/{SVG}path").get("d").replace("M", "").replace("C", "").split()
    assert [float(path[1]), float(path[-1])] == ends


def test_only_what_no_chain_implies_is_drawn():
    four = chapter("four", 4, ("one", "three"))
    side = chapter("side", 5, ("one",))
    last = chapter("last", 6, ("three", "side", "two"))
    assert concept_map.direct([*THREE, four, side, last]) == {
        "one": [],
        "two": ["one"],
        "three": ["two"],
        "four": ["three"],
        "side": ["one"],
        "last": ["three", "side"],
    }


def test_no_arc_reaches_beyond_the_edge():
    far = [chapter(f"c{n}", n, ("c1",) if n > 1 else ()) for n in range(1, 40)]
    for path in drawn(far).iter(f"{SVG}path"):
        start, control = (float(point.split()[0]) for point in path.get("d")[1:].split(" C"))
        # A curve with both controls at one distance goes three quarters of the way to them.
        assert start - 0.75 * (start - control) > 2


def test_words_say_what_the_drawing_shows():
    by_id = {c.id: c for c in THREE}
    assert concept_map.description(THREE[2], by_id) == (
        "Chapter 3, THREE: builds on chapters 1 and 2; teaches a < b, c & d"
    )
    assert "builds on chapter 1;" in concept_map.description(THREE[1], by_id)
    assert "builds on no other chapter" in concept_map.description(THREE[0], by_id)


def test_nothing_is_drawn_outside():
    svg = drawn(THREE)
    width, height = (float(number) for number in svg.get("viewBox").split()[2:])
    for text in svg.iter(f"{SVG}text"):
        assert 0 < float(text.get("x")) < width
        assert 0 < float(text.get("y")) < height
    longest = chapter("four", 4, teaches=("permutation equivariance",) * 9)
    assert all(len(line) <= 46 for line in concept_map.concept_lines(longest))


def test_an_unknown_prerequisite_is_refused():
    with pytest.raises(ValueError, match="two builds on one"):
        drawn(THREE[1:2])


def test_a_chapter_without_metadata_is_refused(tmp_path):
    path = tmp_path / "01_x.ipynb"
    path.write_text(json.dumps({"metadata": {"softlookup": {"title": "X"}}, "cells": []}))
    with pytest.raises(ValueError, match=r"01_x\.ipynb lacks"):
        read_chapter(path, 1, "notebooks/01_x")


@pytest.mark.site
def test_the_welcome_page_leads_to_every_chapter(site):
    links = built_page(site / "book/index.html").soup.select("svg.concept-map a")
    names = [path.stem for path in sorted(NOTEBOOKS.glob("*.ipynb"))]
    assert [str(link["href"]) for link in links] == [f"../notebooks/{n}.html" for n in names]
    for link, name in zip(links, names, strict=True):
        notebook = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))
        for concept in notebook["metadata"]["softlookup"]["teaches"]:
            assert concept in str(link["aria-label"])
