"""The directive for live figures, on small books."""

import json
from pathlib import Path

import pytest
from built import ROOT, built_page
from live import read_figure
from test_launch import build

FIGURE = ":::{live} soft-dictionary\nAsk *it*.\n:::\n"


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
