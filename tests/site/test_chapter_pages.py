"""The chapters in a real browser: at a desk and on a telephone, in light and in dark.

Their live figures are asked for there as well: to open a chapter once more takes long.

They take longest, so they stand in a file of their own, which another process can take.
"""

import pytest
from built import SITE, is_chapter, pages
from live_pages import dead_figures, lone_page
from reading import read, read_as_all


@pytest.mark.site
@pytest.mark.parametrize("page", [name for name in pages() if is_chapter(name)])
def test_nothing_is_wrong_with_the_chapter(browser, page):
    faults = read_as_all(browser, SITE / page, dead_figures)
    assert not faults, "\n".join(faults)


@pytest.mark.site
@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("outcome.textContent = sentence", "outcome.textContent = ''", "no outcome: hinge-placer"),
        ("this.build();", "throw new Error('planted');", "script: planted"),
    ],
    ids=["it says nothing", "it breaks"],
)
def test_a_figure_that_is_broken_is_found(browser, tmp_path, old, new, told):
    path = lone_page("hinge-placer", tmp_path, planted=("drawing/figure", old, new))
    assert any(told in fault for fault in read(browser, path, 1280, dead_figures))


@pytest.mark.site
def test_a_chapter_without_a_live_figure_is_found(browser, site):
    (found,) = read(browser, site / "book" / "glossary.html", 1280, dead_figures)
    assert "no live figure" in found
