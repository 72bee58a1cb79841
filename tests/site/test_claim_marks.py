"""What a reader keeps leads to the claim that bears it: from a sentence, and from a figure."""

import nbformat
import pytest
from built import ROOT, built_page
from test_launch import build

CHAPTER = "notebooks/01_rnn_limits.ipynb"
LAW = "law 1-kept holds: it is kept [measured 0, claimed <= 1]"
FINDING = (
    "finding 1-learned holds: it was learned [measured 2 to 3 over 3 seeds, claimed >= 1; "
    "rival: chance, 0.5]"
)


def small_book(folder, prose):
    """A book of a page and a chapter, with the extensions of the whole one."""
    chapter = nbformat.read(ROOT / CHAPTER, as_version=4)
    markdown, code = nbformat.v4.new_markdown_cell, nbformat.v4.new_code_cell
    printed = nbformat.v4.new_output("stream", name="stdout", text=f"{LAW}\n{FINDING}\n")
    figure = code("draw()", metadata={"softlookup": {"shows": ["1-learned", "1-kept"]}})
    chapter.cells = [
        markdown("# The limits\n\nIt was learned {claim}`1-learned`."),
        code("claim()", outputs=[printed], execution_count=1),
        figure,
    ]
    (folder / "notebooks").mkdir(parents=True)
    nbformat.write(chapter, folder / CHAPTER)
    (folder / "page.md").write_text(f"# A page\n\n{prose}\n", encoding="utf-8")
    toc = "format: jb-book\nroot: page\nchapters:\n- file: notebooks/01_rnn_limits\n"
    (folder / "_toc.yml").write_text(toc, encoding="utf-8")
    config = "title: Small\nexecute: {execute_notebooks: 'off'}\nsphinx:\n  local_extensions:\n"
    config += "".join(f"    {name}: {ROOT / 'book/_ext'}\n" for name in ("claim_marks", "outputs"))
    (folder / "_config.yml").write_text(config, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    book = small_book(tmp_path_factory.mktemp("small"), "Both {claim}`1-kept, 1-learned`.")
    status, said = build(book)
    assert status == 0, said
    return book / "_build" / "html"


def marks(page):
    return [
        (mark["href"], mark.get_text(), mark["title"]) for mark in page.soup.select("a.claim-mark")
    ]


def test_a_sentence_leads_to_its_claims_on_another_page(built):
    chapter = "notebooks/01_rnn_limits.html"
    assert marks(built_page(built / "page.html")) == [
        (f"{chapter}#claim-1-kept", "law", "it is kept"),
        (f"{chapter}#claim-1-learned", "finding", "it was learned"),
    ]
    assert {"claim-1-kept", "claim-1-learned"} <= set(built_page(built / chapter).anchors)


def test_a_sentence_and_a_figure_lead_to_their_claims_on_the_page(built):
    page = built_page(built / "notebooks" / "01_rnn_limits.html")
    finding = ("#claim-1-learned", "finding", "it was learned")
    assert marks(page) == [finding, finding, ("#claim-1-kept", "law", "it is kept")]
    (line,) = page.soup.select("p.claim-marks")
    assert line.get_text().split() == ["Checked:", "finding", "law"]


def test_a_claim_that_nobody_states_stops_the_build(tmp_path):
    status, said = build(small_book(tmp_path / "small", "It is so {claim}`1-forgotten`."))
    assert status != 0
    assert "there is no claim '1-forgotten'" in said
