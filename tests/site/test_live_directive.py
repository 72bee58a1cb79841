"""The directive for live figures, on small books, and every live figure of the built one."""

import json
from pathlib import Path

import pytest
from built import ROOT, SITE, built_page, is_chapter, pages
from live import read_figure
from live_pages import PAUSE
from reading import READERS, axe_faults, layout_faults, open_page
from test_launch import build

FIGURE = ":::{live} soft-dictionary\nAsk *it*.\n:::\n"
WITH_FIGURES = [
    page
    for page in pages()
    if is_chapter(page) and built_page(SITE / page).soup.select("[data-scripts]")
]


def small_book(folder: Path, prose: str) -> Path:
    """A book of a page with a figure, and one without."""
    (folder / "page.md").write_text(f"# A page\n\n{prose}\n", encoding="utf-8")
    (folder / "other.md").write_text("# Another\n\nWords.\n", encoding="utf-8")
    toc = "format: jb-book\nroot: page\nchapters:\n- file: other\n"
    (folder / "_toc.yml").write_text(toc, encoding="utf-8")
    config = "title: Small\nparse: {myst_enable_extensions: [colon_fence]}\nsphinx:\n"
    config += f"  local_extensions:\n    live: {ROOT / 'book/_ext'}\n"
    (folder / "_config.yml").write_text(config, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def html(tmp_path_factory):
    """The built pages."""
    book = small_book(tmp_path_factory.mktemp("small"), FIGURE)
    status, said = build(book)
    assert status == 0, said
    return book / "_build" / "html"


def test_the_figure_stands_with_its_name_its_words_and_its_scripts(html):
    (figure,) = built_page(html / "page.html").soup.select("soft-dictionary")
    known = read_figure("soft-dictionary")
    assert figure["aria-label"] == known["title"]
    assert figure["data-scripts"].split() == known["scripts"]
    assert figure.select_one(".live-words").get_text(strip=True) == "Askit."
    assert "JavaScript" in figure.select_one(".live-still").get_text()


def test_only_a_page_with_a_figure_loads_the_loader(html):
    def added(page):
        soup = built_page(html / page).soup
        links = [each.get("src") or each.get("href") for each in soup.select("script, link")]
        return sorted(Path(each.partition("?")[0]).name for each in links if "/live/" in str(each))

    assert added("page.html") == ["live.css", "loader.js"]
    assert added("other.html") == []
    (script,) = built_page(html / "page.html").soup.select("script[src*='live/loader']")
    assert script.has_attr("defer")


@pytest.mark.parametrize(
    ("prose", "told"),
    [
        (":::{live} hard-dictionary\nAsk it.\n:::\n", "there is no live figure 'hard-dictionary'"),
        (":::{live} soft-dictionary\n:::\n", "soft-dictionary says nothing"),
    ],
    ids=["an unknown name", "no words"],
)
def test_what_cannot_be_is_an_error(tmp_path, prose, told):
    status, said = build(small_book(tmp_path, prose))
    assert status != 0
    assert told in said


def test_a_script_that_is_not_there_is_named(tmp_path):
    (tmp_path / "figures").mkdir()
    (tmp_path / "groups.json").write_text("{}", "utf-8")
    figure = {"title": "A", "scripts": ["maths/none", "weights/later"], "made": ["weights/later"]}
    (tmp_path / "figures" / "a-b.json").write_text(json.dumps(figure), "utf-8")
    with pytest.raises(ValueError, match=r"names \['maths/none'\]"):
        read_figure("a-b", tmp_path)


def test_chapters_have_live_figures(site):
    assert {"notebooks/02_attention.html", "notebooks/10_next_word.html"} <= set(WITH_FIGURES)


@pytest.mark.site
@pytest.mark.parametrize("page_name", WITH_FIGURES)
@pytest.mark.parametrize("width", READERS)
def test_every_figure_of_a_chapter_comes_alive_in_it(browser, site, page_name, width):
    page, heard = open_page(browser, site / page_name, READERS[width][0], width)
    names = []
    for figure in page.locator("[data-scripts]").all():
        figure.scroll_into_view_if_needed()
        if figure.get_attribute("data-ask") is not None:
            figure.locator(".live-ask").click()
        name = figure.evaluate("(each) => each.localName")
        page.wait_for_selector(f"{name}[data-state=ready]")
        page.evaluate(PAUSE)
        assert figure.locator(".live-outcome").inner_text() != ""
        names.append(name)
    assert [*layout_faults(page), *axe_faults(page, ", ".join(names))] == []
    assert heard == []
    page.close()
