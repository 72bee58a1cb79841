"""Links, pictures and titles of the built pages, read without a browser."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from built import NOTEBOOKS, BuiltPage, built_page, pages

pytestmark = pytest.mark.site

FEWEST_WORDS = 4
FILE_ENDINGS = (".png", ".svg", ".jpg", ".jpeg", ".gif")


def broken_links(site: Path) -> list[str]:
    """The links of a site, its slides included, that lead to no file, or to no anchor in it."""
    slides = [str(path.relative_to(site)) for path in sorted(site.glob("slides/*.html"))]
    built = {name: built_page(site / name) for name in [*pages(site), *slides]}
    broken = []
    for name, page in built.items():
        for element in page.soup.find_all(href=True):
            parts = urlsplit(str(element["href"]))
            if parts.scheme or parts.netloc:
                continue
            target = ((site / name).parent / unquote(parts.path)).resolve()
            target = target if parts.path else site / name
            if not target.is_file():
                broken.append(f"{name}: {element['href']}: no such file")
                continue
            relative = str(target.relative_to(site.resolve()))
            anchor = unquote(parts.fragment)
            if anchor and relative in built and anchor not in built[relative].anchors:
                broken.append(f"{name}: {element['href']}: no such anchor")
    return broken


def mute_pictures(page: BuiltPage) -> list[str]:
    """The pictures of a page's text whose words do not say what they show."""
    mute = []
    for image in page.soup.select("article img"):
        words = str(image.get("alt", ""))
        if len(words.split()) < FEWEST_WORDS or words.lower().endswith(FILE_ENDINGS):
            mute.append(f"{image.get('src')}: {words!r}")
    return mute


def test_every_link_leads_somewhere(site):
    assert broken_links(site) == []


def test_broken_links_are_found(tmp_path):
    (tmp_path / "a.html").write_text(
        '<a href="b.html">.</a><a href="c.html">.</a><a href="b.html#here">.</a>'
        '<a href="b.html#there">.</a><a href="#nowhere">.</a><a href="https://example.org">.</a>'
    )
    (tmp_path / "b.html").write_text('<p id="here">.</p>')
    assert broken_links(tmp_path) == [
        "a.html: c.html: no such file",
        "a.html: b.html#there: no such anchor",
        "a.html: #nowhere: no such anchor",
    ]


def test_every_picture_has_words(site):
    mute = {name: mute_pictures(built_page(site / name)) for name in pages(site)}
    assert {name: found for name, found in mute.items() if found} == {}


def test_chapters_have_pictures(site):
    chapters = [name for name in pages(site) if name.startswith("notebooks/")]
    assert all(built_page(site / name).soup.select("article img") for name in chapters)


def test_mute_pictures_are_found(tmp_path):
    path = tmp_path / "a.html"
    good = '<img src="1.png" alt="Three lines that fall to chance at lag ten">'
    mute = '<img src="2.png"><img src="3.png" alt="../_images/a b c 3.png"><img src="4.png" alt="">'
    path.write_text(f"<article>{good}{mute}</article>")
    assert [found.split(":")[0] for found in mute_pictures(built_page(path))] == [
        "2.png",
        "3.png",
        "4.png",
    ]


def test_every_page_has_a_title_of_its_own(site):
    built = [built_page(site / name) for name in pages(site)]
    titles = [page.soup.title.get_text(strip=True) for page in built if not page.forwards]
    assert all(titles)
    assert len(titles) == len(set(titles))


def test_every_page_has_one_first_heading(site):
    for name in pages(site):
        page = built_page(site / name)
        if not page.forwards and name != "search.html":
            assert len(page.soup.select("article h1")) == 1, name


def test_every_chapter_can_be_downloaded(site):
    for name in pages(site):
        if name.startswith("notebooks/"):
            links = built_page(site / name).soup.select("a.btn-download-source-button")
            assert [str(link["href"]).endswith(f"{Path(name).stem}.ipynb") for link in links] == [
                True
            ]


def test_only_pages_of_the_book_are_built(site):
    folders = {name.split("/")[0] for name in pages(site)}
    assert folders == {"book", "notebooks", "index.html", "search.html"}


def test_no_script_or_style_comes_from_elsewhere(site):
    for name in pages(site):
        soup = built_page(site / name).soup
        sources = [e["src"] for e in soup.find_all(src=True)]
        sources += [e["href"] for e in soup.find_all("link", href=True)]
        assert [source for source in sources if urlsplit(str(source)).netloc] == [], name


def test_every_notebook_is_a_chapter_of_the_book(site):
    notebooks = {path.stem for path in NOTEBOOKS.glob("*.ipynb")}
    assert {Path(name).stem for name in pages(site) if name.startswith("notebooks/")} == notebooks
