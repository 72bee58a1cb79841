"""The book as one PDF: tried on a small site, for the whole one takes minutes."""

import built  # noqa: F401 - puts tools on the path
import pytest
import yaml
from built import ROOT
from pypdf import PdfReader

import bind_book  # isort: skip
import print_book  # isort: skip

TOC = {
    "root": "index",
    "parts": [
        {"caption": "Part I", "chapters": [{"file": "notebooks/one"}, {"file": "notebooks/two"}]},
        {"caption": "About", "chapters": [{"file": "list", "sections": [{"file": "deep"}]}]},
    ],
}
FILLING = "<p>Words that fill a page.</p>" * 60
PAGES = {
    "index": '<h1>Welcome</h1><p><a href="notebooks/two.html#far">To the far end</a></p>',
    "notebooks/one": f'<h1>One</h1><h2 id="early">Early</h2>{FILLING}<h2 id="late">Late</h2>'
    '<p><a href="#early">Back</a> <a href="two.html">On</a> <a href="two.html#far">Far</a>'
    ' <a href="three.ipynb">A file</a> <a href="https://example.org/">Elsewhere</a></p>',
    "notebooks/two": f'<h1>Two "quoted"</h1>{FILLING}<h2 id="far">Far</h2>{FILLING}',
    "list": '<h1>List</h1><details class="hide"><summary><p class="expanded">Hide the solution</p>'
    "</summary><p>Folded.</p></details>",
    "deep": "<h1>Deep</h1>",
}


def flat(outline, depth=0):
    """The bookmarks as they are nested: how deep, and which."""
    for item in outline:
        if isinstance(item, list):
            yield from flat(item, depth + 1)
        else:
            yield depth, item


@pytest.fixture(scope="module")
def printed(browser, tmp_path_factory):
    """A small site on paper."""
    site = tmp_path_factory.mktemp("site")
    for name, body in PAGES.items():
        path = site / f"{name}.html"
        path.parent.mkdir(exist_ok=True)
        page = f"<html lang='en'><body><article class='bd-article'>{body}</article></body></html>"
        path.write_text(page, "utf-8")
    page = browser.new_context(**print_book.CONTEXT).new_page()
    try:
        output = site / "made" / "book.pdf"
        count = print_book.print_book(page, site, TOC, output)
    finally:
        page.context.close()
    reader = PdfReader(output)
    assert len(reader.pages) == count
    return reader


def text(reader, at):
    return reader.pages[at].extract_text()


def where(reader, title):
    """The page to which a bookmark leads."""
    (found,) = [item for _, item in flat(reader.outline) if item.title == title]
    return reader.get_destination_page_number(found)


def test_bookmarks_lead_to_parts_pages_and_sections(printed):
    nested = [(depth, item.title) for depth, item in flat(printed.outline)]
    assert nested == [
        (0, "Welcome"),
        (0, "Part I"),
        (1, "One"),
        (2, "Early"),
        (2, "Late"),
        (1, 'Two "quoted"'),
        (2, "Far"),
        (0, "About"),
        (1, "List"),
        (2, "Deep"),
    ]
    for title in ("Welcome", "One", "Late", "Far", "Deep"):
        assert title in text(printed, where(printed, title)).splitlines()
    assert where(printed, "Part I") == where(printed, "One") < where(printed, "Late")


def test_page_numbers_run_through_and_stand_on_each_page(printed):
    labels = printed.page_labels
    assert labels == ["i", *map(str, range(1, len(labels)))]
    for label, page in zip(labels[1:], printed.pages[1:], strict=True):
        assert label in page.extract_text().splitlines()


def test_each_page_says_to_which_chapter_it_belongs(printed):
    first = where(printed, 'Two "quoted"')
    for at in range(first, where(printed, "List")):
        assert 'Two "quoted"' in text(printed, at)


def test_the_table_of_contents_names_every_page_with_its_number(printed):
    contents = text(printed, 0)
    for title in ("Welcome", "One", 'Two "quoted"', "List", "Deep"):
        number = printed.page_labels[where(printed, title)]
        # Links and numbers are read off the paper in their own order.
        assert title in contents
        assert number in contents.split()


def ends_of(reader, at):
    """Where the links of a page lead: a page's number, or an address."""
    for each in reader.pages[at].get("/Annots", []):
        link = each.get_object()
        if "/Dest" in link:
            yield reader.get_page_number(link["/Dest"][0].get_object())
        else:
            yield str(link["/A"]["/URI"])


def test_links_lead_within_the_book_and_none_to_a_file(printed):
    far = where(printed, "Far")
    assert list(ends_of(printed, where(printed, "Welcome"))) == [far]
    early, two = where(printed, "Early"), where(printed, 'Two "quoted"')
    assert list(ends_of(printed, where(printed, "Late"))) == [
        early,
        two,
        far,
        "https://example.org/",
    ]
    assert far > two


def test_the_file_names_no_machine_no_author_and_no_day(printed):
    assert dict(printed.metadata) == {"/Title": "Soft Lookup"}
    everything = " ".join(
        str(link) for at in range(len(printed.pages)) for link in ends_of(printed, at)
    )
    assert "file:" not in everything
    assert "book:" not in everything


def test_what_is_folded_says_what_it_is(printed):
    assert "Solution" in text(printed, where(printed, "List"))


def test_every_page_of_the_book_is_in_its_order_once():
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    names = [entry.docname for entry in print_book.entries(toc)]
    assert names[:2] == ["book/index", "notebooks/01_rnn_limits"]
    assert len(names) == len(set(names))
    notebooks = {f"notebooks/{path.stem}" for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert notebooks <= set(names)
    depths = {entry.docname: entry.depth for entry in print_book.entries(toc)}
    assert (depths["book/reference/index"], depths["book/reference/attention"]) == (1, 2)


@pytest.mark.parametrize(
    ("words", "once"), [("Why √d?Why √d?", "Why √d?"), ("Summary", "Summary"), ("", "")]
)
def test_a_heading_is_named_once(words, once):
    assert bind_book.heading(words) == once
