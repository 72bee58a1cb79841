"""Every paper that is linked stands in the bibliography, once, in the form that is linked."""

import json
import re
from functools import cache

import pytest
from built import NOTEBOOKS, ROOT
from pybtex.database import parse_file

BIBLIOGRAPHY = ROOT / "book" / "references.bib"
# An address may hold pairs of round brackets; one that closes alone belongs to the Markdown.
PAPER = re.compile(
    r"https?://(?:arxiv\.org|doi\.org|dx\.doi\.org)/(?:[^\s()\]>\"'`]|\([^\s()]*\))+"
)
KEY = re.compile(r"[a-z]+\d{4}[a-z0-9]+")


@cache
def entries() -> dict[str, dict[str, str]]:
    """The fields of every entry, by key."""
    found = parse_file(str(BIBLIOGRAPHY)).entries
    return {key: dict(entry.fields) for key, entry in found.items()}


def links(text: str) -> set[str]:
    """The links to papers in a text, without the full stop or comma after them."""
    return {link.rstrip(".,;:") for link in PAPER.findall(text)}


def texts() -> dict[str, str]:
    """What readers read: the Markdown of each chapter, and each page."""
    chapters = {
        path.name: "\n".join(
            "".join(cell["source"])
            for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
            if cell["cell_type"] == "markdown"
        )
        for path in sorted(NOTEBOOKS.glob("*.ipynb"))
    }
    pages = {p.name: p.read_text(encoding="utf-8") for p in (ROOT / "book").rglob("*.md")}
    return chapters | pages


def test_every_linked_paper_is_in_the_bibliography():
    known = {fields["url"] for fields in entries().values()}
    missing = {name: sorted(links(text) - known) for name, text in texts().items()}
    assert {name: found for name, found in missing.items() if found} == {}


SOURCE = re.compile(r"^ *Source: (.+?)(?:\n\n|\"\"\")", re.M | re.S)
CITED = re.compile(r"([A-Z][\w-]+)(?: et al\.|(?:, [A-Z]\w+)*,? and [A-Z]\w+) (\d{4})\b")


def cited(code: str) -> set[str]:
    """The works that docstrings name as their sources, as keys begin: ``vaswani2017``."""
    return {
        surname.lower() + year
        for source in SOURCE.findall(code)
        for surname, year in CITED.findall(" ".join(source.split()))
    }


def test_every_source_of_the_library_is_in_the_bibliography():
    beginnings = {re.match(r"[a-z]+\d{4}", key)[0] for key in entries()}
    library = sorted((ROOT / "lib" / "softlookup").rglob("*.py"))
    missing = {
        path.name: sorted(
            name
            for name in cited(path.read_text())
            # Of a double surname the key holds both parts.
            if not any(beginning.endswith(name) for beginning in beginnings)
        )
        for path in library
    }
    assert {name: found for name, found in missing.items() if found} == {}


def test_sources_are_found_however_they_stand():
    code = '''"""One.

    Source: Press and Wolf 2017, for the table; Ba, Kiros and Hinton 2016, equation 4;
        Su et al. 2024 (RoFormer).

    Then Lee et al. 1999.
    """'''
    assert cited(code) == {"ba2016", "press2017", "su2024"}


def test_chapters_link_to_papers():
    assert sum(len(links(text)) for text in texts().values()) >= 10


def test_links_are_found_however_they_stand():
    text = (
        "[A](https://arxiv.org/abs/1706.03762), ([B](https://doi.org/10.1016/S0(08)6-8)), "
        "<https://doi.org/10.1162/x.y.1>, "
        "see https://arxiv.org/abs/1409.0473."
    )
    assert links(text) == {
        "https://arxiv.org/abs/1706.03762",
        "https://doi.org/10.1162/x.y.1",
        "https://arxiv.org/abs/1409.0473",
        "https://doi.org/10.1016/S0(08)6-8",
    }


@pytest.mark.parametrize("key", entries())
def test_the_entry_is_complete(key):
    fields = entries()[key]
    assert KEY.fullmatch(key)
    assert {"title", "year", "url"} <= fields.keys()
    assert fields["year"] in key
    assert fields["url"].startswith("https://")
    assert {"journal", "booktitle", "howpublished", "publisher", "school"} & fields.keys()


def test_no_work_stands_twice():
    urls = [fields["url"] for fields in entries().values()]
    titles = [re.sub(r"\W", "", fields["title"]).lower() for fields in entries().values()]
    assert len(urls) == len(set(urls))
    assert len(titles) == len(set(titles))
